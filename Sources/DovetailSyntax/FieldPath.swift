/// The place of an attribute in documents: the objects around it and, last, the field itself.
public struct FieldPath: Hashable {
    /// The names from the outside to the inside; never empty.
    public let components: [String]

    /// A field of the model's own object.
    init(field name: String) {
        components = [name]
    }

    /// Reads a name as `@Attribute(name:)` has it: a dot separates, `\.` is a dot.
    init(written text: String) {
        var components = [""]
        var isEscaped = false
        for character in text {
            switch character {
            case "." where isEscaped: components[components.count - 1] += "."
            case ".": components.append("")
            default:
                if isEscaped { components[components.count - 1] += "\\" }
                if character != "\\" { components[components.count - 1].append(character) }
            }
            isEscaped = character == "\\"
        }
        if isEscaped { components[components.count - 1] += "\\" }
        self.components = components
    }

    /// Whether there are objects around the field.
    public var isNested: Bool { components.count > 1 }

    /// The name of the column.
    public var columnName: String { components.joined(separator: ".") }

    /// The path as errors print it, the twin of `DocumentPath` in DovetailModel.
    public var text: String {
        var text = ""
        for component in components {
            let isPlain =
                !component.isEmpty && !component.contains { ".[]\"\\ ".contains($0) }
            if isPlain, !text.isEmpty { text += "." }
            text += isPlain ? component : "[\"\(component)\"]"
        }
        return text
    }
}
