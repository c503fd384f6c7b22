import SwiftSyntax

/// Makes syntax of generated text without parsing it: a whole declaration is one token. Parsing is
/// most of what a macro costs, and the compiler parses the text of an expansion anyway.
enum RawSource {
    /// A declaration that is one token. Text that is no declaration is an error of the compiler at
    /// the expansion, not here.
    static func declaration(_ text: String) -> DeclSyntax {
        DeclSyntax(MissingDeclSyntax(placeholder: .identifier(text)))
    }

    /// An expression that is one token.
    static func expression(_ text: String) -> ExprSyntax {
        ExprSyntax(MissingExprSyntax(placeholder: .identifier(text)))
    }

    /// An extension, with its header on one line, or with a line for each conformance if there are
    /// more than two.
    ///
    /// - Parameters:
    ///   - type: The type that is extended.
    ///   - conformances: The protocols, spelled with their module.
    ///   - requirements: The conditions of the `where` clause.
    ///   - isNonisolated: Whether the extension says `nonisolated`.
    ///   - isUnavailable: Whether nobody may use the conformances.
    ///   - members: The text of all members, indented.
    static func extensionOf(
        _ type: some TypeSyntaxProtocol,
        conformances: [String],
        requirements: [String] = [],
        isNonisolated: Bool = false,
        isUnavailable: Bool = false,
        members: String
    ) -> ExtensionDeclSyntax {
        let isLong = conformances.count > 2
        let inheritance =
            conformances.isEmpty
            ? ""
            : isLong
                ? ":\n    " + conformances.joined(separator: ",\n    ")
                : ": " + conformances.joined(separator: ", ")
        let condition =
            requirements.isEmpty
            ? "" : (isLong ? "\n" : " ") + "where " + requirements.joined(separator: ", ")
        let brace = isLong && requirements.isEmpty ? "\n{\n" : " {\n"
        return ExtensionDeclSyntax(
            extensionKeyword: .identifier(
                (isUnavailable ? "@available(*, unavailable)\n" : "")
                    + (isNonisolated ? "nonisolated extension " : "extension ")
            ),
            extendedType: type.trimmed,
            memberBlock: MemberBlockSyntax(
                leftBrace: .identifier(inheritance + condition + brace),
                members: [MemberBlockItemSyntax(decl: declaration(members))],
                rightBrace: .identifier("\n}")
            )
        )
    }

    /// A string literal of Swift on one line. Control characters are escaped by their number.
    static func literal(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\0"..<" ", "\u{7F}": result += "\\u{\(String(scalar.value, radix: 16))}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }

    /// The optional of a type, in parentheses unless it is a name or has brackets around it. A variable of
    /// this type begins as nil, and the compiler looks no name up for the question mark.
    static func optional(_ type: String) -> String {
        let isClosed = type.utf8.allSatisfy {
            $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "?")
                || $0 == UInt8(ascii: "_") || $0 >= 0x80 || 0x30...0x39 ~= $0
                || 0x41...0x5A ~= $0 & 0xDF
        }
        let hasBrackets =
            type.hasPrefix("[") && type.dropLast().firstIndex(of: "]") == nil && type.hasSuffix("]")
        return isClosed || hasBrackets ? type + "?" : "(\(type))?"
    }

    /// A list of string literals of Swift.
    static func list(_ texts: [String]) -> String {
        "[" + texts.map(literal).joined(separator: ", ") + "]"
    }

    /// A field name as JSON writes it (RFC 8259, section 7), colon included, as a literal of Swift.
    /// The writer copies its bytes, so escaping is done once, when the program is compiled.
    static func fieldToken(_ name: String) -> String {
        var json = "\""
        for scalar in name.unicodeScalars {
            switch scalar {
            case "\"": json += "\\\""
            case "\\": json += "\\\\"
            case "\0"..<" ":
                let digits = String(scalar.value, radix: 16)
                json += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: json.unicodeScalars.append(scalar)
            }
        }
        return literal(json + "\":")
    }
}
