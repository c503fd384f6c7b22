// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "Dovetail", path: "..")],
    targets: [
        .executableTarget(
            name: "DovetailBenchmarks",
            // The module of SQLite's C API comes with Dovetail's own target of that name.
            dependencies: [.product(name: "Dovetail", package: "Dovetail")],
            swiftSettings: [
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("MemberImportVisibility"),
            ]
        )
    ],
    swiftLanguageModes: [.v6]
)
