import DovetailSyntax
import Testing

/// The integers that generated code switches over. That the reader computes the same ones is
/// proved by every model whose fields are found (DovetailModelTests, FieldMatchingTests).
struct FieldCodeTests {
    @Test(
        arguments: [
            ("", 0),
            ("a", 0x0100_0000_0000_0061),
            ("id", 0x0200_0000_0000_6469),
            ("$type", 0x0500_0065_7079_7424),
            ("1234567", 0x0737_3635_3433_3231),
            ("12345678", 0x0837_3635_3433_3231),
            ("1234567x", 0x0837_3635_3433_3231),
            ("123456789", 0x0937_3635_3433_3231),
            ("é", 0x0200_0000_0000_A9C3),
            ("\0", 0x0100_0000_0000_0000),
        ] as [(String, UInt64)]
    )
    func `codes of known names`(name: String, code: UInt64) {
        #expect(FieldCode.code(of: name) == code)
    }

    @Test(arguments: [0, 1, 6, 7, 8, 9, 254, 255, 256, 1000])
    func `length stands in the top byte`(length: Int) {
        let code = FieldCode.code(of: String(repeating: "x", count: length))
        #expect(code >> 56 == UInt64(min(length, 255)))
        // The seven low bytes are the first bytes of the name, whatever its length.
        let low = (0..<7).map { UInt8(truncatingIfNeeded: code >> (8 * UInt64($0))) }
        #expect(low == (0..<7).map { $0 < length ? 0x78 : 0 })
    }

    @Test
    func `exact names are told apart`() {
        #expect(FieldCode.longestExactName == 7)
        let alphabet = ["a", "b", "A", "\0", "é", "1"]
        var names = [""]
        for _ in 0..<4 { names += names.flatMap { name in alphabet.map { name + $0 } } }
        let exact = Set(names).filter { $0.utf8.count <= FieldCode.longestExactName }
        #expect(Set(exact.map(FieldCode.code)).count == exact.count)
    }

    @Test
    func `the literal of expected names`() {
        func lines(_ names: [String]) -> [String] { FieldCode.expected(names).dropLast(2) }
        let quotes = "\"\"\""
        #expect(FieldCode.expected([]) == [quotes, #"\0\0\0\0\0\0\0\0"#, quotes])
        #expect(lines(["id", "$type"]) == [quotes, #"\u{2}"id"\"#, #"\u{5}"$type"\"#])
        let long = String(repeating: "x", count: 63)
        #expect(lines([long, long + "x"]) == [quotes, #"\u{3F}"\#(long)"\"#])
        #expect(lines(["", "é", "a\"", "a\\", "a\n", "\u{7F}", "\0"]) == [quotes])
    }
}
