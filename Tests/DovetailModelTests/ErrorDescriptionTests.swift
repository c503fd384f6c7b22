import Dovetail
import Testing

/// The one line that a person reads.
struct ErrorDescriptionTests {
    static let rows: [(String, String)] = [
        (#"{"int":"x"}"#, #"int: expected Int, found "x" (line 1, column 8)"#),
        ("{\n  \"int\": true\n}", "int: expected Int, found true (line 2, column 10)"),
        ("{\r\n\t\"text\": 1.50}", "text: expected String, found 1.50 (line 2, column 10)"),
        (#"{"list":[1,2,{}]}"#, "list[2]: expected Int, found object (line 1, column 14)"),
        (#"{"list":{}}"#, "list: expected array, found object (line 1, column 9)"),
        (#"{"inner":[]}"#, "inner: expected object, found array (line 1, column 10)"),
        (
            #"{"grid":[[],["a",null]]}"#,
            "grid[1][1]: expected String, found null (line 1, column 18)"
        ),
        (
            #"{"table":{"a b":false}}"#,
            #"table["a b"]: expected Int, found false (line 1, column 17)"#
        ),
        (#"{"narrow":128}"#, "narrow: expected Int8, found 128 (line 1, column 11)"),
        (#"{"unsigned":-1}"#, "unsigned: expected UInt16, found -1 (line 1, column 13)"),
        (#"{"int":1.5}"#, "int: expected Int, found 1.5 (line 1, column 8)"),
        (#"{"bool":0}"#, "bool: expected Bool, found 0 (line 1, column 9)"),
        (
            #"{"shade":"grey"}"#,
            #"shade: expected a case of Shade, found "grey" (line 1, column 10)"#
        ),
        (#"{"uuid":"1"}"#, #"uuid: expected UUID, found "1" (line 1, column 9)"#),
        (#"{"data":"-"}"#, #"data: expected Data in base64, found "-" (line 1, column 9)"#),
        (
            #"{"int":1,"int":2}"#,
            #"int: expected each field once, found "int" again (line 1, column 16)"#
        ),
        (#"{"int":1} 5"#, "expected end of input, found 5 (line 1, column 11)"),
        (#"{"int":1"#, #"int: expected "," or "}", found end of input (line 1, column 9)"#),
        (
            #"{"int":01}"#,
            "int: expected a number without leading zeros, found 01 (line 1, column 8)"
        ),
        (#"{"int":+1}"#, #"int: expected Int, found "+" (line 1, column 8)"#),
        (
            #"{"text":"é\q"}"#,
            #"text: expected an escape sequence of JSON, found "\" (line 1, column 11)"#
        ),
        (
            "{\"int\":\"\u{1}\u{7F}\u{202E}é\"}",
            #"int: expected Int, found "\u{1}\u{7f}\u{202e}é" (line 1, column 8)"#
        ),
        (
            "{\"table\":{\"a\\nb\":true}}",
            #"table.a\u{a}b: expected Int, found true (line 1, column 18)"#
        ),
        ("{\"é\":1,\"int\":[]}", "int: expected Int, found array (line 1, column 14)"),
        ("{\"x\":\"😀\",\"int\":{}}", "int: expected Int, found object (line 1, column 16)"),
        ("[]", "expected object, found array (line 1, column 1)"),
        ("", "expected object, found end of input (line 1, column 1)"),
        ("\n\n  ", "expected object, found end of input (line 3, column 3)"),
        (
            #"{"plain":{"title":1,"marks":[]}}"#,
            "plain.title: expected String, found another value (line 1, column 10)"
        ),
        (
            #"{"numbered":{"7":{"number":"n"}}}"#,
            #"numbered.7.number: expected Int, found "n" (line 1, column 28)"#
        ),
        (
            "{\"x\":[1,{\"a\":\n[true,tru]}]}",
            #"x[1].a[1]: expected a value, found tru (line 2, column 7)"#
        ),
        (
            #"{"\u0069n\u0074":"","x":1}"#,
            #"int: expected Int, found "" (line 1, column 18)"#
        ),
        (
            #"{"table":{"a\"\n":""}}"#,
            #"table["a"\u{a}"]: expected Int, found "" (line 1, column 19)"#
        ),
        (
            #"{"text":"\ud800"}"#,
            "text: expected a surrogate pair, found a lone surrogate (line 1, column 10)"
        ),
    ]

    @Test(arguments: rows)
    func `is exactly`(json: String, description: String) throws {
        #expect(try decodingError(of: Everything.self, json).description == description)
    }

    @Test
    func `scalars are cut at forty characters`() throws {
        for letter in ["x", "é", "😀", "\\\"", "\\u0041"] {
            let long = String(repeating: letter, count: 500)
            let error = try decodingError(of: Everything.self, "{\"int\":\"\(long)\"}")
            #expect(error.found.hasPrefix("\""))
            #expect(error.found.hasSuffix("…\""))
            #expect(error.found.count <= 43)
        }
        let digits = String(repeating: "9", count: 500)
        let number = try decodingError(of: Everything.self, "{\"int\":\(digits)}")
        #expect(number.found == digits.prefix(40) + "…")
        let exact = String(repeating: "y", count: 40)
        #expect(
            try decodingError(of: Everything.self, "{\"int\":\"\(exact)\"}").found == "\"\(exact)\""
        )
    }

    @Test
    func `errors are comparable`() throws {
        let first = try decodingError(of: Everything.self, #"{"int":""}"#)
        #expect(try first == decodingError(of: Everything.self, #"{"int":""}"#))
        #expect(try first != decodingError(of: Everything.self, #"{"int" :""}"#))
        let own = ModelDecodingError(kind: .rejected, path: "a", expected: "b", found: "c")
        #expect(own.description == "a: expected b, found c")
    }
}
