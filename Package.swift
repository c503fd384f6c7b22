// swift-tools-version: 6.2
import CompilerPluginSupport
import Foundation
import PackageDescription

// The macros are built on the swift-syntax that every toolchain ships in `usr/lib/swift/host`,
// so that no package has to be fetched. See Documentation/Architecture.md.
let syntaxFolder = try SyntaxFolder.ofThisToolchain()

let house: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]
let hostSide: [SwiftSetting] = house + [.unsafeFlags(["-I", syntaxFolder])]
let hostLinks: [LinkerSetting] = [
    .unsafeFlags(["-L", syntaxFolder, "-Xlinker", "-rpath", "-Xlinker", syntaxFolder]),
    .linkedLibrary("SwiftSyntax"),
    .linkedLibrary("SwiftIfConfig"),
    .linkedLibrary("SwiftParser"),
    .linkedLibrary("SwiftDiagnostics"),
    .linkedLibrary("SwiftSyntaxBuilder"),
    .linkedLibrary("SwiftSyntaxMacros"),
    .linkedLibrary("SwiftCompilerPluginMessageHandling"),
]

let package = Package(
    name: "Dovetail",
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "Dovetail", targets: ["Dovetail"]),
        .library(name: "DovetailPostgres", targets: ["DovetailPostgres"]),
        .library(name: "DovetailTesting", targets: ["DovetailTesting"]),
        .plugin(name: "DovetailGenerate", targets: ["DovetailGenerate"]),
    ],
    targets: [
        // Models, and what their generated code is handed.
        .target(
            name: "DovetailModel",
            dependencies: ["DovetailMacros", "CDovetailScan", "CDovetailRuntime"],
            swiftSettings: house
        ),
        // Headers of our own, no libraries: see the files.
        .target(name: "CDovetailScan"),
        .target(name: "CDovetailRuntime"),

        // Files of models, and streams of those that are larger than memory.
        .target(
            name: "DovetailFiles",
            dependencies: ["DovetailModel", "CDovetailScan"],
            swiftSettings: house
        ),

        // Stores.
        .target(name: "DovetailStore", dependencies: ["DovetailModel"], swiftSettings: house),
        .target(
            name: "DovetailSQL",
            dependencies: ["DovetailStore", "DovetailModel"],
            swiftSettings: house
        ),
        .target(
            name: "DovetailSQLite",
            dependencies: ["DovetailSQL", "DovetailStore", "DovetailModel", "CSQLite"],
            swiftSettings: house
        ),
        .systemLibrary(
            name: "CSQLite",
            pkgConfig: "sqlite3",
            providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]
        ),

        // A product of its own: a program that imports it needs libpq.
        .target(
            name: "DovetailPostgres",
            dependencies: ["DovetailSQL", "DovetailStore", "DovetailModel", "CPostgres"],
            swiftSettings: house
        ),
        .systemLibrary(
            name: "CPostgres",
            pkgConfig: "libpq",
            providers: [.apt(["libpq-dev"]), .brew(["libpq"])]
        ),

        // What a program talks to.
        .target(
            name: "DovetailContext",
            dependencies: ["DovetailStore", "DovetailModel"],
            swiftSettings: house
        ),
        .target(name: "DovetailREST", dependencies: ["DovetailModel"], swiftSettings: house),
        .target(
            name: "DovetailSync",
            dependencies: ["DovetailContext", "DovetailStore", "DovetailModel", "DovetailREST"],
            swiftSettings: house
        ),
        .target(
            name: "Dovetail",
            dependencies: [
                "DovetailModel", "DovetailFiles", "DovetailStore", "DovetailSQLite",
                "DovetailContext", "DovetailREST", "DovetailSync", "DovetailMacros",
            ],
            swiftSettings: house
        ),

        // For the tests of a program: never linked into an app.
        .target(name: "DovetailTesting", dependencies: ["Dovetail"], swiftSettings: house),

        // The compiler's side: never linked into an app.
        .target(name: "DovetailSyntax", swiftSettings: hostSide, linkerSettings: hostLinks),
        .macro(
            name: "DovetailMacros",
            dependencies: ["DovetailSyntax"],
            swiftSettings: hostSide,
            linkerSettings: hostLinks
        ),
        // Nobody needs it: it writes a file into a target, and checks the target's models together.
        .executableTarget(
            name: "DovetailGenerator",
            dependencies: ["DovetailSyntax"],
            swiftSettings: hostSide,
            linkerSettings: hostLinks
        ),
        .plugin(
            name: "DovetailGenerate",
            capability: .buildTool(),
            dependencies: ["DovetailGenerator"]
        ),

        // Tests. The two asset modules prove that conformers are found across modules; nothing
        // imports the second one.
        .target(name: "TestAssets", dependencies: ["Dovetail"], path: "Tests/TestAssets"),
        .target(
            name: "FarAssets",
            dependencies: ["Dovetail", "TestAssets"],
            path: "Tests/FarAssets"
        ),
        // The scanner's loops for processors without vectors, compiled for this one.
        .target(
            name: "CPortableScan",
            dependencies: ["CDovetailScan"],
            path: "Tests/CPortableScan"
        ),
        // Models of whole corpora, in targets of their own so that they are compiled once.
        .target(
            name: "StripeModels",
            dependencies: ["Dovetail"],
            path: "Tests/CorpusModels/Stripe",
            swiftSettings: house
        ),
        .target(
            name: "ActivityStreamsModels",
            dependencies: ["Dovetail"],
            path: "Tests/CorpusModels/ActivityStreams",
            swiftSettings: house
        ),
        .target(
            name: "ChinookModels",
            dependencies: ["Dovetail"],
            path: "Tests/CorpusModels/Chinook",
            swiftSettings: house
        ),
        .target(
            name: "NorthwindModels",
            dependencies: ["Dovetail"],
            path: "Tests/CorpusModels/Northwind",
            swiftSettings: house
        ),
        .target(
            name: "StoreTestSupport",
            dependencies: [
                "Dovetail", "DovetailStore", "DovetailTesting", "DovetailPostgres",
                "PostgresTestSupport", "CSQLite",
            ],
            path: "Tests/StoreTestSupport",
            swiftSettings: house
        ),
        // A file system that fails, and a program that tests start and kill.
        .target(
            name: "CFaultyFiles",
            dependencies: ["CSQLite"],
            path: "Tests/CFaultyFiles"
        ),
        .executableTarget(
            name: "StoreTestChild",
            dependencies: ["Dovetail", "DovetailTesting", "StoreTestSupport"],
            path: "Tests/StoreTestChild",
            swiftSettings: house
        ),
        // Random queries for as long as one wants, built for speed: `Scripts/soak queries`.
        .executableTarget(
            name: "QuerySoak",
            dependencies: ["DovetailTesting", "StoreTestSupport"],
            path: "Tests/QuerySoak",
            swiftSettings: house
        ),
        .testTarget(
            name: "DovetailSyntaxTests",
            dependencies: ["DovetailSyntax"],
            swiftSettings: hostSide,
            linkerSettings: hostLinks
        ),
        .testTarget(
            name: "DovetailModelTests",
            dependencies: [
                "Dovetail", "DovetailModel", "DovetailFiles", "DovetailTesting", "TestAssets",
                "FarAssets", "StripeModels", "ActivityStreamsModels", "StoreTestSupport",
                "CDovetailScan", "CPortableScan",
            ],
            swiftSettings: house
        ),
        .testTarget(
            name: "DovetailTestingTests",
            dependencies: ["Dovetail", "DovetailTesting", "TestAssets"],
            exclude: ["Golden", "Kept"],
            swiftSettings: house
        ),
        .testTarget(
            name: "DovetailStoreTests",
            dependencies: [
                "Dovetail", "DovetailSQL", "DovetailSQLite", "DovetailTesting", "StoreTestSupport",
                "TestAssets", "CFaultyFiles", "StoreTestChild", "DovetailPostgres",
                "PostgresTestSupport",
            ],
            swiftSettings: house
        ),
        // Servers that tests start and kill, and what stands between them and a program.
        .target(
            name: "PostgresTestSupport",
            dependencies: [
                "Dovetail", "DovetailPostgres", "DovetailStore", "DovetailTesting",
                "CPostgres",
            ],
            path: "Tests/PostgresTestSupport",
            swiftSettings: house
        ),
        .testTarget(
            name: "DovetailPostgresTests",
            dependencies: [
                "Dovetail", "DovetailPostgres", "DovetailSQL", "DovetailStore", "DovetailTesting",
                "PostgresTestSupport", "StoreTestSupport",
            ],
            swiftSettings: house
        ),
        // Databases that others have made, each with its models.
        .testTarget(
            name: "RelationalCorpusTests",
            dependencies: ["Dovetail", "StoreTestSupport", "ChinookModels", "NorthwindModels"],
            swiftSettings: house
        ),
        // Predicates that Foundation's macro makes, compiled without Dovetail, and the same ones and
        // more that ours makes.
        .target(
            name: "ToolchainPredicates",
            path: "Tests/ToolchainPredicates",
            swiftSettings: house
        ),
        .testTarget(
            name: "DovetailPredicateTests",
            dependencies: ["Dovetail", "DovetailStore", "ToolchainPredicates"],
            swiftSettings: house + [.define("DOVETAIL")]
        ),
        .testTarget(
            name: "DovetailRESTTests",
            dependencies: ["Dovetail", "DovetailREST"],
            swiftSettings: house
        ),
        .testTarget(
            name: "DovetailSyncTests",
            dependencies: ["Dovetail", "DovetailTesting", "StoreTestSupport", "TestAssets"],
            swiftSettings: house
        ),
    ],
    swiftLanguageModes: [.v6]
)

/// Finds the swift-syntax libraries of the toolchain that is compiling this manifest.
enum SyntaxFolder {
    struct Missing: Error, CustomStringConvertible {
        let description: String
    }

    static func ofThisToolchain() throws -> String {
        guard let library = pathOfPackageDescription() else {
            throw Missing(
                description: "Dovetail: cannot tell which toolchain compiles this manifest"
            )
        }
        // …/usr/lib/swift/pm/ManifestAPI/libPackageDescription.so → …/usr/lib/swift/host
        let folder = URL(fileURLWithPath: library).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("host").path
        let module = folder + "/SwiftSyntaxMacros.swiftmodule"
        guard FileManager.default.fileExists(atPath: module) else {
            throw Missing(
                description: "Dovetail: this toolchain has no swift-syntax at \(folder); "
                    + "install the Swift 6.3 toolchain from swift.org"
            )
        }
        return folder
    }

    /// Where the loader found the library that `Package` is a class of: `dladdr`, which Glibc's
    /// module map does not show to Swift. Its answer is four pointers, the first one the path.
    static func pathOfPackageDescription() -> String? {
        typealias Function = @convention(c) (UnsafeRawPointer, UnsafeMutableRawPointer) -> Int32
        guard let symbol = dlsym(dlopen(nil, RTLD_NOW), "dladdr") else { return nil }
        let function = unsafeBitCast(symbol, to: Function.self)
        let address = unsafeBitCast(Package.self as AnyClass, to: UnsafeRawPointer.self)
        var answer = [UnsafePointer<CChar>?](repeating: nil, count: 4)
        guard function(address, &answer) != 0 else { return nil }
        return answer[0].map { String(cString: $0) }
    }
}
