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
}
