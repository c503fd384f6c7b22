/// The place of an attribute in documents: the objects around it and, last, the field itself.
///
/// `"profile.avatar.url"` has three components. A dot that belongs to a name is written `\.` in the
/// declaration, and the component holds it without the backslash.
public struct FieldPath: Hashable {
    /// The names from the outside to the inside; never empty.
    public let components: [String]

    /// A field of the model's own object.
    init(field name: String) {
        components = [name]
    }

    /// Reads a name as `@Attribute(name:)` has it: a dot separates, `\.` is a dot. A backslash
    /// before anything else is a backslash.
    init(written text: String) {
        var components = [""]
        var isEscaped = false
        func append(_ scalar: Unicode.Scalar) {
            components[components.count - 1].unicodeScalars.append(scalar)
        }
        for scalar in text.unicodeScalars {
            if isEscaped, scalar != "." { append("\\") }
            switch scalar {
            case "\\": break
            case "." where !isEscaped: components.append("")
            default: append(scalar)
            }
            isEscaped = scalar == "\\"
        }
        if isEscaped { append("\\") }
        self.components = components
    }

    /// Whether there are objects around the field inside of the model's own.
    public var isNested: Bool { components.count > 1 }

    /// The name of the column: all components with dots between them. Two paths may have the same
    /// one, `a.b` and `a\.b`, which is reported as a repeated name.
    public var columnName: String { components.joined(separator: ".") }

    /// The path as errors print it: `profile.avatar.url`, and `["a.b"]` for a name that is not
    /// plain. `DocumentPath` in DovetailModel builds the same text from a document.
    public var text: String {
        var text = ""
        for component in components {
            let isPlain =
                !component.isEmpty
                && component.unicodeScalars.allSatisfy { !".[]\"\\ ".unicodeScalars.contains($0) }
            if isPlain, !text.isEmpty { text += "." }
            text += isPlain ? component : "[\"\(component)\"]"
        }
        return text
    }
}
