import Dovetail
import Testing

/// Documents that are no JSON (RFC 8259), in declared and in unknown fields.
struct InvalidJSONTests {
    typealias Row = (json: String, kind: ModelDecodingError.Kind)

    static let numbers = [
        "01", "-01", "00", "+1", "1.", "-1.", ".5", "-.5", "-", "- 1", "1e", "1e+", "1E-", "1.e5",
        "1.5e",
        "0x10", "1_000", "1,000", "0e", "--1", "NaN", "nan", "Infinity", "-Infinity", "inf", "-inf",
        "1e5.5", "1e5e5", "1a", "٣", "1/2", "0b1", "0.", "-0.", "1 2", "2..5", "1ee5",
    ]

    @Test(arguments: numbers, ["int", "wide", "double", "float", "decimal", "unknown"])
    func `no number`(text: String, field: String) throws {
        let error = try decodingError(of: Everything.self, "{\"\(field)\":\(text),\"bool\":true}")
        #expect(error.kind == .invalidSyntax)
        #expect(error.line == 1)
    }

    @Test(arguments: numbers)
    func `no number inside`(text: String) throws {
        for json in [
            "{\"list\":[\(text)]}", "{\"table\":{\"a\":\(text)}}",
            "{\"unknown\":[[{\"a\":\(text)}]]}",
            "{\"plain\":{\"title\":\"\",\"marks\":[\(text)]}}", "{\"distinct\":[1,\(text)]}",
        ] {
            #expect(try decodingError(of: Everything.self, json).kind == .invalidSyntax)
        }
    }

    static let structure: [Row] = [
        ("", .unexpectedEnd), (" \n", .unexpectedEnd), ("{", .unexpectedEnd), ("}", .invalidSyntax),
        ("{\"int\"", .unexpectedEnd), ("{\"int\":", .unexpectedEnd), ("{\"int\":1", .unexpectedEnd),
        ("{\"int\":1,", .unexpectedEnd), ("{\"in", .unexpectedEnd), ("{\"", .unexpectedEnd),
        ("{\"int\":1,}", .invalidSyntax), ("{,}", .invalidSyntax), ("{,\"int\":1}", .invalidSyntax),
        ("{\"int\":1,,\"a\":1}", .invalidSyntax), ("{\"int\" 1}", .invalidSyntax),
        ("{\"int\":1 \"a\":1}", .invalidSyntax), ("{\"int\"::1}", .invalidSyntax),
        ("{\"int\",1}", .invalidSyntax), ("{\"int\":}", .invalidSyntax),
        ("{int:1}", .invalidSyntax),
        ("{'int':1}", .invalidSyntax), ("{1:1}", .invalidSyntax), ("{null:1}", .invalidSyntax),
        ("{\"int\":1]", .invalidSyntax), ("{\"list\":[1}", .invalidSyntax),
        ("{\"list\":[1,]}", .invalidSyntax), ("{\"list\":[,1]}", .invalidSyntax),
        ("{\"list\":[1,,2]}", .invalidSyntax), ("{\"list\":[1 2]}", .invalidSyntax),
        ("{\"list\":[", .unexpectedEnd), ("{\"list\":[1", .unexpectedEnd),
        ("{\"list\":[1,", .unexpectedEnd),
        ("{\"x\":[1,]}", .invalidSyntax), ("{\"x\":[", .unexpectedEnd),
        ("{\"x\":{\"a\"}}", .invalidSyntax),
        ("{\"x\":[1}}", .invalidSyntax), ("{\"x\":{]}", .invalidSyntax),
        ("{\"x\":", .unexpectedEnd),
        ("{\"table\":{\"a\":1,}}", .invalidSyntax), ("{\"inner\":{\"number\":1,}}", .invalidSyntax),
        ("{}}", .trailingContent), ("{} {}", .trailingContent), ("{},", .trailingContent),
        ("{}x", .trailingContent), ("{}\0", .trailingContent), ("{} // end", .trailingContent),
        ("// start\n{}", .invalidSyntax), ("/* */ {}", .invalidSyntax), ("# a\n{}", .invalidSyntax),
        ("{/**/}", .invalidSyntax), ("{\"int\":1 /* */}", .invalidSyntax),
        ("{\"int\":/**/1}", .invalidSyntax), ("{\"x\":1 // a\n}", .invalidSyntax),
        ("\u{B}{}", .invalidSyntax), ("{\u{C}}", .invalidSyntax), ("{\u{A0}}", .invalidSyntax),
        ("\u{2028}{}", .invalidSyntax), ("{\"int\":\u{0}1}", .invalidSyntax),
        ("{\"bool\":True}", .invalidSyntax), ("{\"bool\":truex}", .invalidSyntax),
        ("{\"bool\":tru}", .invalidSyntax), ("{\"bool\":tr", .unexpectedEnd),
        ("{\"x\":nul}", .invalidSyntax), ("{\"x\":nulll}", .invalidSyntax),
        ("{\"x\":NULL}", .invalidSyntax),
        ("{\"x\":nul", .unexpectedEnd), ("{\"int\":nul", .unexpectedEnd),
        ("{\"int\":None}", .invalidSyntax),
        ("{\"x\":undefined}", .invalidSyntax), ("{\"x\":falsy}", .invalidSyntax),
        ("{\"x\":*}", .invalidSyntax), ("{\"x\":\u{FEFF}1}", .invalidSyntax),
        ("\u{FEFF}", .unexpectedEnd),
        ("\u{FEFF}\u{FEFF}{}", .invalidSyntax), ("[]", .typeMismatch), ("null", .typeMismatch),
        ("1", .typeMismatch), ("\"{}\"", .typeMismatch),
    ]

    @Test(arguments: structure)
    func `broken structure`(row: Row) throws {
        #expect(try decodingError(of: Everything.self, row.json).kind == row.kind)
    }

    static let strings: [Row] = [
        (#"""#, .unexpectedEnd), (#""a"#, .unexpectedEnd), (#""a\"#, .unexpectedEnd),
        (#""a\""#, .unexpectedEnd), (#""\u"#, .unexpectedEnd), (#""\u00"#, .unexpectedEnd),
        (#""\u004"}"#, .invalidSyntax), (#""\u00G0""#, .invalidSyntax),
        (#""\U0041""#, .invalidSyntax),
        (#""\u+041""#, .invalidSyntax), (#""\x41""#, .invalidSyntax), (#""\a""#, .invalidSyntax),
        (#""\'""#, .invalidSyntax), (#""\ ""#, .invalidSyntax), (#""\0""#, .invalidSyntax),
        (#""\é""#, .invalidSyntax), ("\"\\\n\"", .invalidSyntax), ("\"\n\"", .invalidSyntax),
        ("\"a\tb\"", .invalidSyntax), ("\"\0\"", .invalidSyntax),
        ("\"longer than eight\u{1F}\"", .invalidSyntax),
        ("\"é\r\"", .invalidSyntax), ("'a'", .invalidSyntax), ("“a”", .invalidSyntax),
        (#""\ud800""#, .invalidEncoding), (#""\udc00""#, .invalidEncoding),
        (#""\ud800\ud800""#, .invalidEncoding), (#""\ud800x""#, .invalidEncoding),
        (#""\udc00\ud800""#, .invalidEncoding), (#""\ud800\n""#, .invalidEncoding),
        (#""\ud83d\u0041""#, .invalidEncoding), (#""é\udfff""#, .invalidEncoding),
        (#""\ud800\u""#, .invalidSyntax), (#""\ud800\udcxx""#, .invalidSyntax),
    ]

    /// As a value, in a skipped value, as a name of an unknown field and as a key of a dictionary.
    @Test(
        arguments: strings,
        ["\"text\":", "\"x\":", "\"x\":[{\"a\":", "", "\"table\":{", "\"shade\":"]
    )
    func `broken string`(row: Row, before: String) throws {
        let json = "{" + before + row.json + (row.kind == .unexpectedEnd ? "" : ":1}")
        #expect(try decodingError(of: Everything.self, json).kind == row.kind)
    }
}
