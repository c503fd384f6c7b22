// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Examples",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "Dovetail", path: "..")],
    targets: [
        // Says where the others keep their models.
        .target(
            name: "Stores",
            dependencies: [
                .product(name: "Dovetail", package: "Dovetail"),
                .product(name: "DovetailPostgres", package: "Dovetail"),
            ],
            path: "Stores"
        ),
        .executableTarget(
            name: "Shop",
            dependencies: ["Stores", .product(name: "Dovetail", package: "Dovetail")],
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
            dependencies: ["Boxes", "Stores", .product(name: "Dovetail", package: "Dovetail")],
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
            dependencies: [
                "TaskModels", "Stores", .product(name: "Dovetail", package: "Dovetail"),
            ],
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
            dependencies: ["ChatModel", "Stores", .product(name: "Dovetail", package: "Dovetail")],
            path: "Chat/Program"
        ),
    ],
    swiftLanguageModes: [.v6]
)
