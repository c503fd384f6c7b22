// References to objects of all classes that conform to a protocol: an object of the type key and the
// attribute that names the object among those of its class.

extension ProtocolCoding {
    /// The document that names an object; nil where it has no value in the attribute by which documents
    /// name it.
    ///
    /// ```swift
    /// // {"$type":"Manager","email":"ann@example.org"}
    /// ```
    ///
    /// - Throws: ``ModelEncodingError`` for a value that has no form.
    package static func reference<Object: Model>(
        to object: Object,
        by key: ModelAttribute
    ) throws -> ModelDocument? {
        var isThere = false
        let value = try ModelWriter.tree { isThere = try key.writeField(of: object, to: &$0) }
        guard isThere else { return nil }
        return .object([
            ModelDocument.Member(key: tagging.typeKey.description, value: .string(Object.typeName)),
            ModelDocument.Member(key: key.name, value: value),
        ])
    }
}
