import Dovetail
import Testing

@ModelProtocol
protocol Checked {
    var value: Int { get }
}

@Model
struct Percent: Checked, ModelLifecycle, Equatable {
    var value: Int
    @Transient var isRead = false

    mutating func willEncode() throws {
        if value == 13 { throw Unlucky() }
        value = min(value, 100)
    }

    mutating func didDecode() throws {
        if value > 100 { throw Unlucky() }
        isRead = true
    }
}

struct Unlucky: Error {}

@Model
final class Counter: Checked {
    var value: Int
    @Transient var isRead = false
    init(value: Int) { self.value = value }
}

// The conformance may be in any extension.
extension Counter: ModelLifecycle {
    func didDecode() throws {
        guard value >= 0 else {
            throw ModelDecodingError(
                kind: .rejected,
                path: "value",
                expected: "at least 0",
                found: "\(value)"
            )
        }
        isRead = true
    }
}

@Model
enum Alternative: ModelLifecycle, Equatable {
    case one(Int)
    case other

    mutating func willEncode() throws {
        if case .one(0) = self { self = .other }
    }

    mutating func didDecode() throws {
        if case .one(1) = self { self = .one(2) }
        if case .one(5) = self { throw Unlucky() }
    }
}

@Model(version: 2)
struct Boxed<Value: ModelValue>: ModelLifecycle {
    var value: Value
    @Transient var isRead = false

    mutating func didDecode() throws { isRead = true }
    static func migrate(_ document: inout ModelDocument, from version: Int) throws {
        document.rename("old", to: "value")
    }
}

@Model
struct Everywhere {
    var one: Percent
    var list: [Percent] = []
    var named: [String: Percent] = [:]
    var any: [any Checked] = []
    var choice: Alternative?
    var boxed: Boxed<Percent>?
}

@Suite struct LifecycleTests {
    private func text(_ percent: Int, choice: String = #"{"other":{}}"#) -> Data {
        Data(
            """
            {"one":{"value":1},"list":[{"value":2},{"value":3}],"named":{"a.b":{"value":4}},
            "any":[{"$type":"Counter","value":5},{"value":\(percent),"$type":"Percent"}],
            "choice":\(choice),"boxed":{"old":{"value":7}}}
            """.utf8
        )
    }

    @Test(arguments: [ModelFormat.json, .plist, .binaryPlist])
    func `hooks are called wherever the model stands`(_ format: ModelFormat) throws {
        let document = try ModelDocument(decoding: text(6), as: .json)
        let read = try Everywhere(decoding: document.encoded(as: format), as: format)
        #expect(read.one.isRead)
        #expect(read.list.map(\.isRead) == [true, true])
        #expect(read.named["a.b"]?.isRead == true)
        #expect((read.any[0] as? Counter)?.isRead == true)
        #expect((read.any[1] as? Percent)?.isRead == true)
        #expect(read.boxed?.isRead == true)
        #expect(read.boxed?.value.isRead == true)
        let one = try ModelDocument(decoding: Data(#"{"one":{"_0":1}}"#.utf8), as: .json)
        #expect(try Alternative(decoding: one.encoded(as: format), as: format) == .one(2))
        let written = try Everywhere(
            one: Percent(value: 400),
            any: [Percent(value: 500)],
            choice: .one(0)
        ).encoded(as: format)
        let again = try Everywhere(decoding: written, as: format)
        #expect(again.one.value == 100)
        #expect(again.any[0].value == 100)
        #expect(again.choice == .other)
    }

    @Test func `will encode changes a copy`() throws {
        let percent = Percent(value: 300)
        #expect(try percent.encoded(as: .json) == Data(#"{"value":100}"#.utf8))
        #expect(percent.value == 300)
    }

    @Test func `what a hook refuses says where`() throws {
        let error = #expect(throws: ModelDecodingError.self) {
            try Everywhere(decoding: text(101), as: .json)
        }
        #expect(error?.kind == .rejected)
        #expect(
            error?.description
                == "any[1]: expected Percent that didDecode() accepts, found Unlucky() "
                + "(line 2, column 38)"
        )
        let counter = #expect(throws: ModelDecodingError.self) {
            try [Counter](decoding: Data(#"[{"value":-4}]"#.utf8), as: .json)
        }
        #expect(
            counter?.description == "[0].value: expected at least 0, found -4 (line 1, column 2)"
        )
        let choice = #expect(throws: ModelDecodingError.self) {
            try Everywhere(decoding: text(1, choice: #"{"one":{"_0":5}}"#), as: .json)
        }
        #expect(choice?.path == "choice")
        for format in [ModelFormat.plist, .binaryPlist] {
            let data = try ModelDocument(decoding: text(101), as: .json).encoded(as: format)
            let error = #expect(throws: ModelDecodingError.self) {
                try Everywhere(decoding: data, as: format)
            }
            #expect(error?.path == "any[1]")
        }
        let boxed = Data(#"{"one":{"value":1},"boxed":{"old":{"value":700}}}"#.utf8)
        let migrated = #expect(throws: ModelDecodingError.self) {
            try Everywhere(decoding: boxed, as: .json)
        }
        #expect(migrated?.path == "boxed.old")
        #expect(migrated?.column == 35)
    }

    @Test(arguments: [ModelFormat.json, .json(pretty: true), .plist, .binaryPlist])
    func `what a hook refuses to write says where`(_ format: ModelFormat) throws {
        let value = Everywhere(
            one: Percent(value: 1),
            list: [Percent(value: 1), Percent(value: 2)],
            named: ["a.b": Percent(value: 13)]
        )
        let error = #expect(throws: ModelEncodingError.self) { try value.encoded(as: format) }
        #expect(error?.kind == .rejected)
        #expect(error?.path == #"named["a.b"]"#)
        #expect(
            error?.description == #"named["a.b"]: willEncode() of Percent refused to write it: "#
                + "Unlucky()"
        )
        let list = Everywhere(one: Percent(value: 1), any: [Counter(value: 1), Percent(value: 13)])
        let second = #expect(throws: ModelEncodingError.self) { try list.encoded(as: format) }
        #expect(second?.path == "any[1]")
    }
}
