/// Text of a document in a form that fits in a line of a log. A document must not be able to forge
/// log lines.
enum PrintableText {
    /// The text with everything escaped as `\u{1}` that would break the line or change how it is
    /// shown: controls, line separators, and the marks that turn the direction of writing (Unicode
    /// Bidirectional Algorithm, UAX 9). Everything else stays.
    ///
    /// - Complexity: linear; text without such scalars is returned without a copy.
    static func of(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isHidden) else { return text }
        var line = ""
        for scalar in text.unicodeScalars {
            if isHidden(scalar) {
                line += "\\u{\(String(scalar.value, radix: 16))}"
            } else {
                line.unicodeScalars.append(scalar)
            }
        }
        return line
    }

    private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x61C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
