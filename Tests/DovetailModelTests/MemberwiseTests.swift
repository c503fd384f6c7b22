import Dovetail
import Testing

private typealias MaybeNumber = Int?

@Model
private struct MemberwiseInner: Equatable {
    var text: String
    var number: Int?
}

/// Fields of one object are declared apart, so the order of the slots is not that of the
/// properties.
@Model
private struct MemberwiseScattered: Equatable {
    @Attribute(name: "deep.first") var first: String
    var second: MemberwiseInner
    @Attribute(name: "deep.third") var third: Int?
    let fourth: [MemberwiseInner]
    @Attribute(name: "deep.more.fifth") var fifth: String
    var sixth: MaybeNumber
}

@Model
private struct MemberwiseDefaults: Equatable {
    var text = "none"
    var number = -1
    var double: Double? = 2.5
    var alias: MaybeNumber = nil
    var list: [MemberwiseInner] = []
    var table: [String: Int] = [:]
    var flag: Bool = true
    @Attribute(.omittedWhenEmpty) var tags: [String]
    @Transient var passing = 3
    let constant = 4
    var inner: MemberwiseInner?
}

/// The default is not one that means the same in every place, so the properties are set one by one.
@Model
private struct MemberwisePlaced: Equatable {
    static let start = "start"
    var text: String = Self.start
    var other: String
}

/// The compiler writes no initializer beside one in the body.
@Model
private struct MemberwiseOwn: Equatable {
    var text: String
    var number = 7
    private var hidden: String?

    init(_ text: String) { self.text = text }
}

/// An initializer in an extension with the same labels leaves the compiler's in place.
@Model
private struct MemberwiseExtended: Equatable {
    var text: String
    var number: Int
}

extension MemberwiseExtended {
    init(text: Substring, number: Int) { self.init(text: "wrong", number: number) }
    init(text: String, number: Int, other: Int = 0) { self.init(text: "wrong", number: number) }
}

@Model(unknownFields: .preserve)
private struct MemberwiseKeeping: Equatable {
    var text: String
    var number = 1
}

@Model
private struct MemberwiseGeneric<Value: ModelValue & Equatable>: Equatable {
    var value: Value
    var values: [Value]
    var other: Value?
}

/// Structs that are made by the compiler's initializer, and those that are not.
struct MemberwiseTests {
    private let inner = MemberwiseInner(text: "a long text that is not stored inline", number: nil)

    @Test
    func `properties keep their places`() throws {
        let value = MemberwiseScattered(
            first: "1",
            second: inner,
            third: 3,
            fourth: [inner, inner],
            fifth: "5",
            sixth: nil
        )
        try expectRoundTrip(value)
        let error = try decodingError(of: MemberwiseScattered.self, #"{"deep":{"first":"1"}}"#)
        // The fields of one object are asked for together.
        #expect(error.path == "deep.more.fifth")
    }

    @Test
    func `defaults of literals`() throws {
        let value = try MemberwiseDefaults(json: #"{"passing":9,"constant":9}"#)
        #expect(value.text == "none")
        #expect(value.number == -1)
        #expect(value.double == 2.5)
        #expect(value.alias == nil)
        #expect(value.list.isEmpty && value.table.isEmpty && value.tags.isEmpty)
        #expect(value.flag)
        #expect(value.passing == 3)
        let null = try MemberwiseDefaults(json: #"{"double":null,"alias":null}"#)
        #expect(null.double == nil)
        var other = value
        other.double = 1
        other.alias = 2
        other.text = "a long text that is not stored inline"
        other.list = [inner]
        other.table = ["a": 1]
        other.tags = ["t"]
        other.inner = inner
        other.flag = false
        try expectRoundTrip(other)
        try expectRoundTrip(null)
    }

    @Test
    func `those that are set one by one`() throws {
        #expect(try MemberwisePlaced(json: #"{"other":"o"}"#).text == "start")
        try expectRoundTrip(MemberwisePlaced(text: "t", other: "o"))
        let own = try MemberwiseOwn(json: #"{"text":"t"}"#)
        #expect(own == MemberwiseOwn("t"))
        try expectRoundTrip(own)
    }

    @Test
    func `initializers in extensions`() throws {
        let value = try MemberwiseExtended(json: #"{"text":"t","number":1}"#)
        #expect(value.text == "t")
    }

    @Test
    func `unknown fields are kept`() throws {
        let json = #"{"text":"t","number":2,"other":[1]}"#
        #expect(try MemberwiseKeeping(json: json).json() == json)
    }

    @Test
    func `generic ones`() throws {
        try expectRoundTrip(MemberwiseGeneric(value: inner, values: [inner], other: nil))
        try expectRoundTrip(MemberwiseGeneric(value: "v", values: ["w"], other: "x"))
    }

    /// Every required field that is missing is told, with what was read before it freed.
    @Test
    func `missing fields`() throws {
        let fields = [
            ("value", #""value":{"text":"a long text that is not stored inline"}"#),
            ("values", #""values":[{"text":"a long text that is not stored inline"}]"#),
        ]
        for (index, field) in fields.enumerated() {
            let rest = fields.indices.filter { $0 != index }.map { fields[$0].1 }
            let error = try decodingError(
                of: MemberwiseGeneric<MemberwiseInner>.self,
                "{\(rest.joined(separator: ","))}"
            )
            #expect(error.path == field.0)
            #expect(error.kind == .missingField)
        }
    }
}
