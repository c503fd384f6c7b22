import Dovetail
import Testing

/// Names whose tokens have every length that is copied in another way.
@Model
private struct NameLengths: Equatable {
    @Attribute(name: "") var none: Int
    var a: Int
    var bc: Int?
    var def: Double
    var ghij: Double?
    var klmno: Bool
    var pqrstu: Bool?
    var abcdefghijklm: String
    var abcdefghijklmn: String?
    var abcdefghijklmno: Int64
    var nameThatIsLongerThanTwoWordsOfTheMachine: String
    @Attribute(name: "\u{1}ä\"\\") var odd: String?
}

/// The writer's calls for fields, one a kind of value.
struct FieldNameLengthTests {
    @Test
    func `every kind under names of every length`() throws {
        let full = NameLengths(
            none: .min,
            a: .max,
            bc: -1,
            def: -0.25,
            ghij: 1e300,
            klmno: true,
            pqrstu: false,
            abcdefghijklm: "",
            abcdefghijklmn: "quote \" and\nline",
            abcdefghijklmno: -7,
            nameThatIsLongerThanTwoWordsOfTheMachine: "Grüße 東京",
            odd: "x"
        )
        let json = String(decoding: try full.encoded(as: .json), as: UTF8.self)
        #expect(
            json == """
                {"":-9223372036854775808,"a":9223372036854775807,"bc":-1,"def":-0.25,"ghij":1e+300,\
                "klmno":true,"pqrstu":false,"abcdefghijklm":"",\
                "abcdefghijklmn":"quote \\" and\\nline","abcdefghijklmno":-7,\
                "nameThatIsLongerThanTwoWordsOfTheMachine":"Grüße 東京","\\u0001ä\\"\\\\":"x"}
                """
        )
        // Not in XML, which has no form for the control character in the name.
        for format in [ModelFormat.json, .binaryPlist] {
            #expect(try NameLengths(decoding: full.encoded(as: format), as: format) == full)
        }
    }

    @Test
    func `what is nil is left out`() throws {
        let sparse = NameLengths(
            none: 0,
            a: 1,
            def: 2,
            klmno: false,
            abcdefghijklm: "a",
            abcdefghijklmno: 3,
            nameThatIsLongerThanTwoWordsOfTheMachine: "b"
        )
        #expect(
            String(decoding: try sparse.encoded(as: .json), as: UTF8.self) == """
                {"":0,"a":1,"def":2,"klmno":false,"abcdefghijklm":"a","abcdefghijklmno":3,\
                "nameThatIsLongerThanTwoWordsOfTheMachine":"b"}
                """
        )
    }

    /// The buffer grows in the middle of a name, a value and a comma.
    @Test
    func `every place for the end of the buffer`() throws {
        for length in 380..<520 {
            let value = NameLengths(
                none: 0,
                a: 1,
                def: 2,
                klmno: true,
                abcdefghijklm: String(repeating: "x", count: length),
                abcdefghijklmno: 3,
                nameThatIsLongerThanTwoWordsOfTheMachine: "\u{1}"
            )
            let data = try value.encoded(as: .json)
            #expect(try NameLengths(decoding: data, as: .json) == value)
        }
    }
}
