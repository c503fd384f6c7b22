/// The integer that generated code switches over to find a field: the first seven bytes of its
/// name, the first one lowest, and the length in the top byte.
///
/// `FieldKey` in DovetailModel computes the same from the bytes of a document, and the two have to
/// agree: every model whose fields are found proves it (FieldMatchingTests). The macro computes the
/// codes when the program is compiled, so finding a field is a comparison of integers.
public enum FieldCode {
    /// The most bytes of a name that is known by its code alone. Longer names are compared as well.
    public static let longestExactName = 7

    /// The code of a name: `code(of: "id")` is `0x02000000_00006469`. Lengths above 255 count as
    /// 255.
    public static func code(of name: String) -> UInt64 {
        var code: UInt64 = 0
        for (index, byte) in name.utf8.prefix(7).enumerated() {
            code |= UInt64(byte) << UInt64(8 * index)
        }
        return code | UInt64(min(name.utf8.count, 255)) << 56
    }

    /// The most bytes of a name that `ExpectedNames` compares. With both quotes that is its
    /// `longest`, the bytes that it wants before the end of the document. Longer names are found by
    /// their code.
    public static let longestExpectedName = 63

    /// The lines of a literal of Swift that `ExpectedNames` in DovetailModel goes through: for each
    /// name its length, as a character, and the name in quotes; at the end zeros.
    ///
    /// The first zero ends the list. All eight let `ExpectedNames` load eight bytes from the quote
    /// of the last name, however short it is.
    public static func expected(_ names: [String]) -> [String] {
        let lines = expectedNames(names).map { name in
            "\\u{\(String(name.utf8.count, radix: 16, uppercase: true))}\"\(name)\"\\"
        }
        return ["\"\"\""] + lines + [String(repeating: "\\0", count: 8), "\"\"\""]
    }

    /// The names of printable ASCII without quotes and backslashes, which documents write without
    /// escapes, and that are neither empty nor too long. Others are never expected: a document may
    /// write them in several ways, and a length of 0 would end the list.
    private static func expectedNames(_ names: [String]) -> [String] {
        names.filter { name in
            1...longestExpectedName ~= name.utf8.count
                && name.utf8.allSatisfy {
                    0x20..<0x7F ~= $0 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
                }
        }
    }
}
