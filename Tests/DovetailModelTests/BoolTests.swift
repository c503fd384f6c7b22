import Dovetail
import Testing

/// Truth values are the two words and nothing else.
struct BoolTests {
    @Test(arguments: [true, false])
    func `round trip`(value: Bool) throws {
        try expectRoundTrip(value)
        #expect(try value.json() == "\(value)")
    }

    static let others: [(String, ModelDecodingError.Kind)] = [
        ("1", .typeMismatch), ("0", .typeMismatch), ("\"true\"", .typeMismatch),
        ("null", .typeMismatch), ("True", .invalidSyntax), ("TRUE", .invalidSyntax),
        ("tru", .unexpectedEnd), ("t", .unexpectedEnd), ("fals", .unexpectedEnd),
        ("trux", .invalidSyntax), ("", .unexpectedEnd), ("truefalse", .trailingContent),
    ]

    @Test(arguments: others)
    func `nothing else`(text: String, kind: ModelDecodingError.Kind) throws {
        #expect(try decodingError(of: Bool.self, text).kind == kind)
    }
}
