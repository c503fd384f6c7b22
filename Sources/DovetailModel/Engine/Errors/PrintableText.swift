/// Text of a document as a line of a log can hold it.
enum PrintableText {
    /// The text with what would break the line, or change how it is shown, as `\u{1}`: controls,
    /// line separators, and the marks that turn the direction of writing (Unicode Bidirectional
    /// Algorithm, UAX 9). Everything else stays.
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
