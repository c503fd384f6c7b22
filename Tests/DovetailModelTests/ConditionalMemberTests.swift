import Dovetail
import TestAssets
import Testing

// Members inside of `#if`; DEBUG is set in debug builds.

@Model
private struct Settings: Equatable {
    var name: String
    #if os(Linux) || os(macOS)
        @Attribute(name: "unix.path") var path: String
        #if DEBUG
            var debug = 1
        #else
            var release = 1
        #endif
    #else
        var drive: String
    #endif
    #if os(Windows)
        @Attribute(.primaryKey)
    #else
        @Attribute(.primaryKey, name: "unix.user", aliases: ["uid"])
    #endif
    var user: Int
    #if DOVETAIL_NOT_SET
        let missing: NoSuchType
    #endif
    var last: Int?
}

@Model
private final class Machine {
    #if arch(x86_64) || arch(arm64)
        let bits: Int
    #else
        let narrow: Int
    #endif
    init() {
        #if arch(x86_64) || arch(arm64)
            bits = 64
        #else
            narrow = 32
        #endif
    }
}

private struct Around<Value: ModelValue & Equatable> {
    @Model
    struct Inside: Equatable {
        #if swift(>=6)
            var value: Value
            var list: [Value] = []
        #else
            var old: Value
        #endif
    }
}

@Model
private enum Signal: Equatable {
    case stop
    #if os(Linux) || os(macOS)
        case kill(process: Int)
    #else
        case terminate
    #endif
    #if DOVETAIL_NOT_SET
        case never(NoSuchType)
    #endif
}

@Model
private enum Shell: String {
    #if os(Windows)
        case power
    #else
        case bash
        @Fallback case other
    #endif
}

/// Raw values need not be known: no macro is told whether the second case is compiled.
@Model
private enum Library: String {
    case own
    #if canImport(Foundation)
        case foundation = "Foundation"
    #endif
}

#if os(Linux) || os(macOS)
    @Model
    private struct UnixAsset: Asset, Equatable { var name: String }
#else
    @Model
    private struct OtherAsset: Asset { var name: String }
#endif

/// Models whose members depend on the build.
struct ConditionalMemberTests {
    #if DEBUG
        private let last = #""debug":2"#
    #else
        private let last = #""release":2"#
    #endif

    @Test
    func `properties under a condition`() throws {
        let json = #"{"name":"n","unix":{"path":"p","user":3},\#(last)}"#
        let settings = try Settings(json: json)
        #expect(settings.path == "p")
        #expect(settings.id == 3)
        #expect(try settings.json() == json)
        try expectRoundTrip(settings)
        #expect(
            Settings.modelAttributes.map(\.name).filter { !["debug", "release"].contains($0) }
                == ["name", "unix.path", "unix.user", "last"]
        )
        let error = try decodingError(of: Settings.self, #"{"name":"n","uid":1}"#)
        #expect(error.path == "unix.path")
        // What is not compiled is unknown.
        let more = #"{"missing":[],"drive":"C","name":"n","unix":{"path":"p"},"uid":3,\#(last)}"#
        #expect(try Settings(json: more) == settings)
    }

    @Test
    func `other declarations`() throws {
        #expect(try Machine().json() == #"{"bits":64}"#)
        #expect(try Machine(json: #"{"bits":3}"#).bits == 3)
        try expectRoundTrip(Around<Int>.Inside(value: 1, list: [2]))
    }

    @Test
    func `cases under a condition`() throws {
        try expectRoundTrip([Signal.stop, .kill(process: 1)])
        let error = try decodingError(of: Signal.self, #"{"terminate":{}}"#)
        #expect(error.kind == .unknownCase)
        #expect(try [Shell](json: #"["bash","power"]"#) == [.bash, .other])
        #expect(try [Library](json: #"["own","Foundation"]"#) == [.own, .foundation])
    }

    @Test
    func `conformers under a condition`() throws {
        let data = Data(#"[{"$type":"UnixAsset","name":"n"}]"#.utf8)
        #expect(try [any Asset](decoding: data, as: .json).first is UnixAsset)
        let other = Data(#"[{"$type":"OtherAsset","name":"n"}]"#.utf8)
        let error = #expect(throws: ModelDecodingError.self) {
            try [any Asset](decoding: other, as: .json)
        }
        #expect(error?.kind == .unknownType)
    }
}
