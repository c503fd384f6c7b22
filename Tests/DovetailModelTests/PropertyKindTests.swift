import Dovetail
import Testing

@Model
private struct Mixed {
    let constant: Int
    let fixed = 7
    private(set) var guarded: String
    fileprivate var hidden = 1
    var observed: Int = 0 {
        willSet { changes += 1 }
        didSet { changes += 1 }
    }
    var first, second: Int
    var x = 1, y: Double = 2
    @Transient var changes = 0
    @Attribute(.transient) var cache: [String: Int] = ["a": 1]
    @Transient var helper: NotCodable?
    static let shared = 5
    static nonisolated(unsafe) var counter = 0
    lazy var slow = 3
    var computed: Int { constant + 1 }
    var settable: Int {
        get { first }
        set { first = newValue }
    }
    var `switch` = false

    final class NotCodable {}
}

/// Which properties are attributes, and how they are filled.
struct PropertyKindTests {
    @Test
    func `stored ones and no others`() throws {
        #expect(
            Mixed.modelAttributes.map(\.name) == [
                "constant", "fixed", "guarded", "hidden", "observed", "first", "second", "x", "y",
                "switch",
            ]
        )
        let mixed = try Mixed(
            json: """
                {"constant":1,"fixed":8,"guarded":"g","hidden":2,"observed":3,"first":4,"second":5,
                "changes":9,"cache":{},"slow":10,"computed":11,"settable":12,"shared":13,
                "counter":14,"switch":true}
                """
        )
        #expect(mixed.constant == 1)
        #expect(mixed.fixed == 7)
        #expect(mixed.guarded == "g")
        #expect(mixed.hidden == 2)
        #expect(mixed.observed == 3)
        #expect(mixed.first == 4)
        #expect(mixed.second == 5)
        #expect(mixed.switch)
        #expect(mixed.cache == ["a": 1])
        #expect(mixed.helper == nil)
        #expect(Mixed.counter == 0)
        // Reading is initialization, which observers do not see.
        #expect(mixed.changes == 0)
        #expect(
            try mixed.json() == """
                {"constant":1,"fixed":7,"guarded":"g","hidden":2,"observed":3,"first":4,"second":5,\
                "x":1,"y":2,"switch":true}
                """
        )
    }

    @Test
    func `local names of generated code are free`() throws {
        let value = try Awkward(
            json: #"{"reader":1,"writer":2,"object":3,"key":4,"_0":5,"self":6,"type":7,"error":8}"#
        )
        #expect(value.reader == 1)
        #expect(value.key == 4)
        #expect(value._0 == 5)
        #expect(value.`self` == 6)
        #expect(
            try value.json()
                == #"{"reader":1,"writer":2,"object":3,"key":4,"_0":5,"self":6,"type":7,"error":8}"#
        )
    }

    @Test
    func `names of the library may be shadowed`() throws {
        let shadowing = try Shadowing(json: #"{"value":{"text":"a"},"number":{"digits":1}}"#)
        #expect(try shadowing.json() == #"{"value":{"text":"a"},"number":{"digits":1}}"#)
    }
}

@Model
private struct Awkward {
    var reader, writer, object, key, _0, `self`, type, error: Int
}

@Model
private struct Shadowing {
    @Model struct String { var text: Swift.String }
    @Model struct Int { var digits: Swift.Int }
    struct ModelReader {}
    enum Optional {}
    var value: String
    var number: Int?
}
