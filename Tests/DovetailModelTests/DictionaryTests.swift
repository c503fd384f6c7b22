import Dovetail
import Testing

private struct Name: TypedIdentifier {
    let rawValue: String
}

private struct Token: TypedIdentifier {
    let rawValue: UUID
}

/// Dictionaries are objects, whatever their keys are made of.
struct DictionaryTests {
    @Test
    func `string keys`() throws {
        try expectRoundTrip([String: Int]())
        try expectRoundTrip(["": 1, "a": 2, "é\n\"\\\0": 3, "a.b": 4])
        try expectRoundTrip(["a": ["b": [1]], "c": [:]])
        #expect(try ["b": 1, "a": 2, "B": 3].json() == #"{"B":3,"a":2,"b":1}"#)
    }

    @Test
    func `integer keys`() throws {
        try expectRoundTrip([Int.min: "a", -1: "b", 0: "c", Int.max: "d"])
        try expectRoundTrip([Int64.max: 1])
        try expectRoundTrip([UInt64.max: 1])
        try expectRoundTrip([Int8(-5): 1, 7: 2])
        #expect(try [2: true, 10: false].json() == #"{"10":false,"2":true}"#)
    }

    @Test
    func `raw value keys`() throws {
        try expectRoundTrip([Shade.dark: 1, .inBetween: 2])
        try expectRoundTrip([Level.low: "a", .high: "b"])
        try expectRoundTrip([ThingID(rawValue: 4): [1]])
        try expectRoundTrip([Name(rawValue: "x\"y"): 1])
        #expect(
            try [Shade.inBetween: 1, .light: 2].json() == #"{"light":2,"somewhere in between":1}"#
        )
    }

    @Test
    func `UUID keys`() throws {
        let key = try #require(UUID(uuidString: "0192f3c0-0000-7000-8000-0000000000ab"))
        try expectRoundTrip([key: 1, UUID(): 2])
        try expectRoundTrip([Token(rawValue: key): 1])
        #expect(try [key: 1].json() == #"{"0192F3C0-0000-7000-8000-0000000000AB":1}"#)
        let small = #"{"0192f3c0-0000-7000-8000-0000000000ab":1}"#
        #expect(try [UUID: Int](json: small) == [key: 1])
        #expect(try decodingError(of: [UUID: Int].self, #"{"0192f3c0":1}"#).expected == "UUID")
    }

    @Test
    func `a key that stands for nothing`() throws {
        let number = try decodingError(of: [Int: Bool].self, #"{"1":true, "x": true}"#)
        #expect(number.kind == .typeMismatch)
        #expect(number.description == #"x: expected Int, found "x" (line 1, column 17)"#)
        #expect(try decodingError(of: [Int8: Bool].self, #"{"128":true}"#).found == #""128""#)
        #expect(try decodingError(of: [Shade: Int].self, #"{"grey":1}"#).expected == "Shade")
        let long = String(repeating: "k", count: 1_000)
        #expect(try decodingError(of: [Int: Int].self, "{\"\(long)\":1}").found.count <= 43)
    }

    @Test
    func `a repeated key is refused`() throws {
        let error = try decodingError(of: [String: Int].self, #"{"a":1,"b":2,"\u0061":3}"#)
        #expect(error.kind == .repeatedField)
        #expect(error.expected == "each field once")
        #expect(error.found == #""a" again"#)
        #expect(error.column == 23)
        // Two spellings of one number are one key.
        let spelled = try decodingError(of: [Int: Int].self, #"{"1":1,"01":2}"#)
        #expect(spelled.kind == .repeatedField)
    }
}
