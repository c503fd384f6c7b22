// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Examples",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "Dovetail", path: "..")],
    targets: [
        .executableTarget(
            name: "Shop",
            dependencies: [.product(name: "Dovetail", package: "Dovetail")],
            path: "Shop",
            exclude: ["backend.py"]
        ),
        .target(
            name: "AssetModels",
            dependencies: [.product(name: "Dovetail", package: "Dovetail")],
            path: "AssetLibrary/Models"
        ),
        .target(
            name: "VideoAssets",
            dependencies: ["AssetModels", .product(name: "Dovetail", package: "Dovetail")],
            path: "AssetLibrary/Video"
        ),
        .executableTarget(
            name: "AssetLibrary",
            dependencies: [
                "AssetModels", "VideoAssets", .product(name: "Dovetail", package: "Dovetail"),
            ],
            path: "AssetLibrary/Program"
        ),
        .target(
            name: "Boxes",
            dependencies: [.product(name: "Dovetail", package: "Dovetail")],
            path: "BoxesAndItems/Model"
        ),
        .executableTarget(
            name: "BoxesAndItems",
            dependencies: ["Boxes", .product(name: "Dovetail", package: "Dovetail")],
            path: "BoxesAndItems/Program"
        ),
        .testTarget(
            name: "BoxesTests",
            dependencies: ["Boxes", .product(name: "Dovetail", package: "Dovetail")],
            path: "BoxesAndItems/Tests"
        ),
        .target(
            name: "TaskModels",
            dependencies: [.product(name: "Dovetail", package: "Dovetail")],
            path: "TaskLists/Model"
        ),
        .executableTarget(
            name: "TaskLists",
            dependencies: ["TaskModels", .product(name: "Dovetail", package: "Dovetail")],
            path: "TaskLists/Program"
        ),
        .testTarget(
            name: "TaskListsTests",
            dependencies: [
                "TaskModels", .product(name: "Dovetail", package: "Dovetail"),
                .product(name: "DovetailTesting", package: "Dovetail"),
            ],
            path: "TaskLists/Tests"
        ),
        .target(
            name: "ChatModel",
            dependencies: [.product(name: "Dovetail", package: "Dovetail")],
            path: "Chat/Model"
        ),
        .executableTarget(
            name: "Chat",
            dependencies: ["ChatModel", .product(name: "Dovetail", package: "Dovetail")],
            path: "Chat/Program"
        ),
    ],
    swiftLanguageModes: [.v6]
)
