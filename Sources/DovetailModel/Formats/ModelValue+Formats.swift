public import Foundation

// Whole documents: the entry points that generated code is reached through.
//
// Every pair of `init(decoding:as:)` and `encoded(as:)` makes one reader or one writer and hands it
// to the type, its array or its dictionary. What differs is only the root: a value, an array, an
// object of values of one type, and the same of conformers of a model protocol.

extension ModelValue {
    /// Reads a document.
    ///
    /// ```swift
    /// let owner = try Owner(decoding: data, as: .json)
    /// ```
    ///
    /// The whole of `data` is the document; anything but white space after it is an error.
    ///
    /// - Complexity: linear in the size of `data`.
    /// - Throws: ``ModelDecodingError`` that says where and what was expected.
    @inlinable
    public init(decoding data: Data, as format: ModelFormat) throws {
        self = try ModelReader.decode(data, as: format) { try Self(modelValue: &$0) }
    }

    /// Writes a document.
    ///
    /// ```swift
    /// let data = try owner.encoded(as: .json)
    /// // {"id":2,"name":"Grace","pets":[]}
    /// ```
    ///
    /// - Parameter type: leave it out. It keeps this form to concrete types: a value that is
    ///   declared as `any P` of a model protocol is written with its type key instead.
    /// - Complexity: linear in the size of the document.
    /// - Throws: ``ModelEncodingError`` for values that the format has no form for.
    @inlinable
    public func encoded(as format: ModelFormat, _ type: Self.Type = Self.self) throws -> Data {
        try ModelWriter.encode(as: format) { try self.encode(to: &$0) }
    }

    /// Writes a document, for values whose type is only known at run time: `any Model`.
    ///
    /// No type key is written. For `any P` of a model protocol `P` the form with the key is chosen.
    ///
    /// - Complexity: linear in the size of the document.
    /// - Throws: ``ModelEncodingError`` for values that the format has no form for.
    @_disfavoredOverload
    @inlinable
    public func encoded(as format: ModelFormat) throws -> Data {
        try ModelWriter.encode(as: format) { try self.encode(to: &$0) }
    }
}

extension Array where Element: ModelValue {
    /// Reads a document that is an array.
    ///
    /// ```swift
    /// let owners = try [Owner](decoding: data, as: .json)
    /// ```
    ///
    /// - Complexity: linear in the size of `data`.
    /// - Throws: ``ModelDecodingError`` that says where and what was expected: for one broken
    ///   element nothing is read, and its path starts with its index, `[1731].name`.
    @inlinable
    public init(decoding data: Data, as format: ModelFormat) throws {
        self = try ModelReader.decode(data, as: format) { try Self(modelValue: &$0) }
    }

    /// Writes a document that is an array.
    ///
    /// ```swift
    /// let data = try owners.encoded(as: .json)
    /// // [{"id":1,"name":"Ada","pets":[]},{"id":2,"name":"Grace","pets":[]}]
    /// ```
    ///
    /// - Complexity: linear in the size of the document.
    /// - Throws: ``ModelEncodingError`` for values that the format has no form for.
    @inlinable
    public func encoded(as format: ModelFormat) throws -> Data {
        try ModelWriter.encode(as: format) { try self.encode(to: &$0) }
    }
}

extension Array {
    /// Reads a document that is an array of conformers of a model protocol.
    ///
    /// ```swift
    /// let pets = try [any Pet](decoding: data, as: .json)
    /// ```
    ///
    /// The type key of each element (`$type` unless the protocol says otherwise) selects the type.
    ///
    /// - Parameter table: leave it out. The macro in its default finds the protocol's conformers.
    /// - Complexity: linear in the size of `data`.
    /// - Throws: ``ModelDecodingError`` that says where and what was expected.
    public init(
        decoding data: Data,
        as format: ModelFormat,
        by table: RootCoding<Element> = #_rootCoding
    ) throws {
        self = try ModelReader.decode(data, as: format) { try table.decodeArray(&$0) }
    }

    /// Writes a document that is an array of conformers of a model protocol.
    ///
    /// ```swift
    /// let data = try ([Dog(name: "Rex")] as [any Pet]).encoded(as: .json)
    /// // [{"$type":"Dog","name":"Rex","tricks":[]}]
    /// ```
    ///
    /// - Parameter table: leave it out. The macro in its default finds the protocol's conformers.
    /// - Complexity: linear in the size of the document.
    /// - Throws: ``ModelEncodingError`` for values that the format has no form for.
    public func encoded(
        as format: ModelFormat,
        by table: RootCoding<Element> = #_rootCoding
    ) throws -> Data {
        try ModelWriter.encode(as: format) { try table.encodeArray(self, &$0) }
    }
}

extension Dictionary where Key: ModelKey, Value: ModelValue {
    /// Reads a document that is an object whose members are all of one kind.
    ///
    /// ```swift
    /// let owners = try [String: Owner](decoding: data, as: .json)
    /// ```
    ///
    /// - Complexity: linear in the size of `data`.
    /// - Throws: ``ModelDecodingError`` that says where and what was expected.
    @inlinable
    public init(decoding data: Data, as format: ModelFormat) throws {
        self = try ModelReader.decode(data, as: format) { try Self(modelValue: &$0) }
    }

    /// Writes an object, its members in the order of their names, so that equal dictionaries give
    /// equal documents.
    ///
    /// ```swift
    /// let data = try ["b": 2, "a": 1].encoded(as: .json)
    /// // {"a":1,"b":2}
    /// ```
    ///
    /// - Complexity: linear in the size of the document, and O(*n* log *n*) for the names.
    /// - Throws: ``ModelEncodingError`` for values that the format has no form for.
    @inlinable
    public func encoded(as format: ModelFormat) throws -> Data {
        try ModelWriter.encode(as: format) { try self.encode(to: &$0) }
    }
}

extension Dictionary where Key: ModelKey {
    /// Reads a document that is an object whose members are conformers of a model protocol.
    ///
    /// ```swift
    /// let pets = try [String: any Pet](decoding: data, as: .json)
    /// ```
    ///
    /// - Parameter table: leave it out. The macro in its default finds the protocol's conformers.
    /// - Complexity: linear in the size of `data`.
    /// - Throws: ``ModelDecodingError`` that says where and what was expected.
    public init(
        decoding data: Data,
        as format: ModelFormat,
        by table: RootCoding<Value> = #_rootCoding
    ) throws {
        self = try ModelReader.decode(data, as: format) { reader in
            try reader.readDictionary { try table.decodeMember(&$0) }
        }
    }

    /// Writes an object whose members are conformers of a model protocol, in the order of their
    /// names.
    ///
    /// - Parameter table: leave it out. The macro in its default finds the protocol's conformers.
    /// - Complexity: linear in the size of the document, and O(*n* log *n*) for the names.
    /// - Throws: ``ModelEncodingError`` for values that the format has no form for.
    public func encoded(
        as format: ModelFormat,
        by table: RootCoding<Value> = #_rootCoding
    ) throws -> Data {
        try ModelWriter.encode(as: format) { writer in
            try writer.writeDictionary(self) { try table.encodeElement($0, &$1) }
        }
    }
}
