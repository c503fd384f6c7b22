// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "Dovetail", path: "..")],
    targets: [
        .executableTarget(
            name: "DovetailBenchmarks",
            // The modules of the C APIs come with Dovetail's own targets of these names.
            dependencies: [
                .product(name: "Dovetail", package: "Dovetail"),
                .product(name: "DovetailPostgres", package: "Dovetail"),
            ],
            swiftSettings: [
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("MemberImportVisibility"),
            ]
        )
    ],
    swiftLanguageModes: [.v6]
)
