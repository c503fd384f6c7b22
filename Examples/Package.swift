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
    ],
    swiftLanguageModes: [.v6]
)
