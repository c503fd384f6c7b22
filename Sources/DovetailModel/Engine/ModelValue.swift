/// A value that a ``ModelReader`` can produce and a ``ModelWriter`` can take.
///
/// This is the one hinge between declarations and everything that carries them: `@Model` writes
/// the two members for a declaration, the library has them for the closed list of value kinds, and
/// formats and stores only ever see the reader and the writer.
public protocol ModelValue: SendableMetatype {
    /// The kind of column that holds this value in a store.
    static var columnType: ColumnType { get }

    /// Reads the value at which `reader` stands.
    ///
    /// - Complexity: linear in the length of the value's text.
    /// - Throws: ``ModelDecodingError`` when the document holds something else.
    init(modelValue reader: inout ModelReader) throws

    /// Writes the value to `writer`.
    ///
    /// - Complexity: linear in the length of what is written.
    /// - Throws: ``ModelEncodingError`` when the value has no form in the writer's format.
    func encode(to writer: inout ModelWriter) throws
}

extension ModelValue {
    /// Values without a column kind of their own are embedded as a document.
    public static var columnType: ColumnType { .document }
}
