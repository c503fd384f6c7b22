// Between models and documents in memory, without a text in between. The same generated code runs
// as for bytes; the writer's destination and the reader's source is a tree
// (TreeOutput.swift, TreeInput.swift).

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

    /// The document that a list of conformers of a model protocol is written as: an array of
    /// objects with their type keys.
    ///
    /// ```swift
    /// let document = try ModelDocument([Dog(name: "Rex")] as [any Pet])
    /// // [{"$type":"Dog","name":"Rex","tricks":[]}]
    /// ```
    ///
    /// - Parameter table: leave it out. The macro in its default finds the protocol's conformers.
    /// - Complexity: linear in the size of the document.
    /// - Throws: ``ModelEncodingError`` for what has no form.
    public init<Element>(
        _ values: [Element],
        by table: RootCoding<Element> = #_rootCoding
    ) throws {
        self = try ModelWriter.tree { try table.encodeArray(values, &$0) }
    }
}

extension Model {
    /// Reads a model from a document.
    ///
    /// ```swift
    /// var document = try ModelDocument(decoding: data, as: .json)
    /// document.rename("groups", to: "domains")
    /// let library = try AssetLibrary(document)
    /// ```
    ///
    /// Values are read where they are in memory; strings and parts that the model keeps as
    /// ``ModelDocument`` are shared, not copied.
    ///
    /// - Complexity: linear in the size of the document.
    /// - Throws: ``ModelDecodingError`` with a path, but without line and column.
    @inlinable
    public init(_ document: ModelDocument) throws {
        self = try ModelReader.decode(tree: document) { try Self(modelValue: &$0) }
    }
}

extension Array where Element: ModelValue {
    /// Reads the values of an array.
    ///
    /// ```swift
    /// let owners = try [Owner](document["owners"] ?? [])
    /// ```
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
    /// ```swift
    /// let list = try [any Asset](document["assets"] ?? [])
    /// ```
    ///
    /// - Parameter table: leave it out. The macro in its default finds the protocol's conformers.
    /// - Complexity: linear in the size of the document.
    /// - Throws: ``ModelDecodingError`` with a path, but without line and column.
    public init(
        _ document: ModelDocument,
        by table: RootCoding<Element> = #_rootCoding
    ) throws {
        self = try ModelReader.decode(tree: document) { try table.decodeArray(&$0) }
    }
}
