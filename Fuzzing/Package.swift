// swift-tools-version: 6.2
import PackageDescription

// Built by `Scripts/fuzz` only, which passes the flags that instrument Dovetail itself too. The
// models are those of the tests, by symbolic links, so that an input that breaks a law here can
// become a test there as it is.
let house: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "Fuzzing",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "Dovetail", path: "..")],
    targets: [
        .target(
            name: "TestAssets",
            dependencies: [.product(name: "Dovetail", package: "Dovetail")]
        ),
        .target(
            name: "FarAssets",
            dependencies: ["TestAssets", .product(name: "Dovetail", package: "Dovetail")]
        ),
        .executableTarget(
            name: "DovetailFuzz",
            dependencies: [
                "TestAssets", "FarAssets", .product(name: "Dovetail", package: "Dovetail"),
            ],
            swiftSettings: house,
            linkerSettings: [.unsafeFlags(["-sanitize=address,fuzzer", "-use-ld=lld"])]
        ),
    ],
    swiftLanguageModes: [.v6]
)
