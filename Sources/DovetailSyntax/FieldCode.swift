/// The integer that generated code switches over to find a field; the twin of `FieldKey` in
/// DovetailModel, which says how it is made.
public enum FieldCode {
    /// Names of more bytes are not told apart by their code alone.
    public static let longestExactName = 7

    /// The code of a name.
    public static func code(of name: String) -> UInt64 {
        var code: UInt64 = 0
        for (index, byte) in name.utf8.prefix(7).enumerated() {
            code |= UInt64(byte) << UInt64(8 * index)
        }
        return code | UInt64(min(name.utf8.count, 255)) << 56
    }

    /// Longer names are never expected, only found.
    public static let longestExpectedName = 63

    /// What `ExpectedNames` in DovetailModel goes through: for each name its length, as a character,
    /// and the name in quotes; at the end a zero, and room for a load of eight bytes.
    public static func expected(_ names: [String]) -> String {
        expectedNames(names).map { "\(Unicode.Scalar(UInt8($0.utf8.count)))\"\($0)\"" }.joined()
            + String(repeating: "\0", count: roomAfterNames)
    }

    /// The names that documents write without escapes, and that are not too long.
    public static func expectedNames(_ names: [String]) -> [String] {
        names.filter { name in
            1...longestExpectedName ~= name.utf8.count
                && name.utf8.allSatisfy {
                    0x20..<0x7F ~= $0 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
                }
        }
    }

    /// How many zeros follow the last name.
    public static let roomAfterNames = 8
}
