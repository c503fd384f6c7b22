/// A value that a ``ModelReader`` can produce and a ``ModelWriter`` can take.
///
/// This protocol is the one interface between declarations and everything that carries them.
/// `@Model` writes its two members for a declaration, the library has them for the closed list of
/// value kinds, and formats and stores only see the reader and the writer. Neither member knows the
/// format.
///
/// Write the members by hand for a value of several forms, or for an object that no macro
/// describes:
///
/// ```swift
/// struct Pair: ModelValue {
///     var x = 0, y = 0
///     init(modelValue reader: inout ModelReader) throws {
///         var array = try reader.beginArray()
///         while try reader.nextElement(in: &array) { (x, y) = (y, try reader.readInteger()) }
///     }
///     func encode(to writer: inout ModelWriter) throws { try [x, y].encode(to: &writer) }
/// }
/// ```
///
/// ``ModelReader/peekKind()`` and ``ModelWriter/embed(_:)`` are for values of several forms. What a
/// value writes it must be able to read, in every format; `checkModel` of DovetailTesting checks
/// that.
public protocol ModelValue: SendableMetatype {
    /// The kind of column that holds this value in a store; ``ColumnType/document`` unless the type
    /// says otherwise.
    static var columnType: ColumnType { get }

    /// Whether null is one of the values: true for optionals and ``ModelDocument``, false unless a
    /// type says so. Then an optional of the type tells null from an absent field: null is
    /// `.some`, and only what is absent is nil. The column of such an optional is a document.
    static var readsNull: Bool { get }

    /// The kinds of document values that are read, by which the cases of an untagged union are told
    /// apart; by the column unless the type says otherwise. A document may be any kind but null.
    static var documentKinds: DocumentKinds { get }

    /// Reads the value under the reader's cursor, and leaves the cursor after it.
    ///
    /// - Complexity: linear in the length of the value's text.
    /// - Throws: ``ModelDecodingError`` when the document holds something else. Make one with
    ///   ``ModelReader/rejected(expected:)``, which finds path, line and column.
    init(modelValue reader: inout ModelReader) throws

    /// Writes the value to `writer`: exactly one value, which may be an object or an array.
    ///
    /// - Complexity: linear in the length of what is written.
    /// - Throws: ``ModelEncodingError`` when the value has no form in the writer's format.
    func encode(to writer: inout ModelWriter) throws
}

extension ModelValue {
    /// Values without a column kind of their own are embedded as a document.
    public static var columnType: ColumnType { .document }

    /// What the column holds, and null where it is a value.
    @inlinable
    public static var documentKinds: DocumentKinds {
        let kinds = DocumentKinds(columnType)
        return readsNull ? kinds.union(.null) : kinds
    }

    /// Null is no value.
    @inlinable
    public static var readsNull: Bool { false }
}
