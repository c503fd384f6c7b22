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
        )
    ],
    swiftLanguageModes: [.v6]
)
