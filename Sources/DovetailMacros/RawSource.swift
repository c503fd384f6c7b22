import SwiftSyntax

/// Generated text as syntax, in one token each, so that the plugin never parses its own output:
/// that is most of what a macro costs.
enum RawSource {
    static func declaration(_ text: String) -> DeclSyntax {
        DeclSyntax(MissingDeclSyntax(placeholder: .identifier(text)))
    }

    static func expression(_ text: String) -> ExprSyntax {
        ExprSyntax(MissingExprSyntax(placeholder: .identifier(text)))
    }

    static func extensionOf(
        _ type: some TypeSyntaxProtocol,
        conformances: [String],
        requirements: [String] = [],
        isNonisolated: Bool = false,
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
            extensionKeyword: .identifier(isNonisolated ? "nonisolated extension " : "extension "),
            extendedType: type.trimmed,
            memberBlock: MemberBlockSyntax(
                leftBrace: .identifier(inheritance + condition + brace),
                members: [MemberBlockItemSyntax(decl: declaration(members))],
                rightBrace: .identifier("\n}")
            )
        )
    }

    /// A string literal of Swift.
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

    /// A list of string literals of Swift.
    static func list(_ texts: [String]) -> String {
        "[" + texts.map(literal).joined(separator: ", ") + "]"
    }

    /// A field name as JSON, colon included, as a literal of Swift.
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
