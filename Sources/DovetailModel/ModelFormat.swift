/// A format that documents are read from and written in.
public struct ModelFormat: Hashable, Sendable {
    /// The name of the format as it appears in error messages.
    public let name: String
    /// How documents are laid out; nil as they come from the writer.
    let layout: JSONLayout?

    init(name: String, layout: JSONLayout? = nil) {
        self.name = name
        self.layout = layout
    }

    /// JSON as RFC 8259 defines it, in UTF-8, read strictly, written without white space.
    public static let json = ModelFormat(name: "JSON")

    /// JSON that is laid out for people or for comparison. Reading is that of ``json``.
    ///
    /// - Complexity: writing takes a second pass over the document when it is `pretty`, and is
    ///   several times as expensive with `sortedKeys`.
    /// - Parameters:
    ///   - pretty: A line for each member and element, indented by two spaces a level.
    ///   - sortedKeys: The members of every object in the order of their names' Unicode scalars;
    ///     members of a repeated key stay in their order.
    public static func json(pretty: Bool = false, sortedKeys: Bool = false) -> ModelFormat {
        guard pretty || sortedKeys else { return .json }
        return ModelFormat(
            name: json.name,
            layout: JSONLayout(isPretty: pretty, hasSortedKeys: sortedKeys)
        )
    }
}
