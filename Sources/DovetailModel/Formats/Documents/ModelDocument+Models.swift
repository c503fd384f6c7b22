// Between models and documents in memory, without a text in between.

extension ModelDocument {
    /// The document that a value is written as. Dates, data and decimals keep their kind.
    ///
    /// ```swift
    /// var document = try ModelDocument(library)
    /// document["domains.Test[0].name"] = "first"
    /// let changed = try AssetLibrary(document)
    /// ```
    ///
    /// Plain `Codable` types inside of it are written as JSON has them.
    ///
    /// - Complexity: linear in the size of the document.
    /// - Throws: ``ModelEncodingError`` for what has no form: a date that is no finite number of
    ///   seconds, a decimal number that is NaN, values that are nested too deep.
    @inlinable
    public init(_ value: some ModelValue) throws {
        self = try ModelWriter.tree { try value.encode(to: &$0) }
    }

    /// The document that a list of conformers of a model protocol is written as.
    ///
    /// - Complexity: linear in the size of the document.
    /// - Throws: ``ModelEncodingError`` for what has no form.
    public init<Element>(
        _ values: [Element],
        by table: ModelTable<Element> = #_modelTable
    ) throws {
        self = try ModelWriter.tree { try table.encodeArray(values, &$0) }
    }
}

extension Model {
    /// Reads a model from a document.
    ///
    /// - Complexity: linear in the size of the document.
    /// - Throws: ``ModelDecodingError`` with a path, but without line and column.
    @inlinable
    public init(_ document: ModelDocument) throws {
        self = try ModelReader.decode(tree: document) { try Self(modelValue: &$0) }
    }
}

extension Array where Element: Model {
    /// Reads the models of an array.
    ///
    /// - Complexity: linear in the size of the document.
    /// - Throws: ``ModelDecodingError`` with a path, but without line and column.
    @inlinable
    public init(_ document: ModelDocument) throws {
        self = try ModelReader.decode(tree: document) { try Self(modelValue: &$0) }
    }
}

extension Array {
    /// Reads an array of conformers of a model protocol.
    ///
    /// - Complexity: linear in the size of the document.
    /// - Throws: ``ModelDecodingError`` with a path, but without line and column.
    public init(
        _ document: ModelDocument,
        by table: ModelTable<Element> = #_modelTable
    ) throws {
        self = try ModelReader.decode(tree: document) { try table.decodeArray(&$0) }
    }
}
