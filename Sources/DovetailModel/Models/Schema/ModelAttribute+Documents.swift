// One attribute in documents by itself: the name of an object that others refer to.

extension ModelAttribute {
    /// The attribute of a value as a document; nil for what is not written as a field.
    ///
    /// - Throws: ``ModelEncodingError`` for a value that has no form in a document.
    package func document<Root: Model>(of root: Root) throws -> ModelDocument? {
        var isThere = false
        let document = try ModelWriter.tree { isThere = try writeField(of: root, to: &$0) }
        return isThere ? document : nil
    }

    /// Writes the attribute of a value as it is in a document of the model.
    ///
    /// - Returns: false when it is nil or of a type that is no value of a document; nothing is written
    ///   then.
    /// - Throws: ``ModelEncodingError`` for a value that has no form in the document.
    package func writeField<Root: Model>(
        of root: Root,
        to writer: inout ModelWriter
    ) throws -> Bool {
        // What the value is, and not the class that it is seen as.
        guard let value = (root as Any)[keyPath: keyPath as AnyKeyPath] else { return false }
        if (value as? any OptionalValue)?.isNil == true { return false }
        if let transform { return try transform.write(value, to: &writer) }
        if let value = value as? any ModelValue {
            try value.encode(to: &writer)
            return true
        }
        guard let value = value as? any Encodable else { return false }
        try writer.writeCodable(value)
        return true
    }

    /// Sets column 0 of a row to the attribute of a value; to nothing where that is nil.
    ///
    /// - Throws: ``ModelEncodingError`` for a value that has no form in a column.
    package func setColumn(of sink: any RowSink, to root: some Model) throws {
        var writer = ModelWriter(row: sink)
        writer.roundsDates = roundsDates
        writer.column = 0
        _ = try writeField(of: root, to: &writer)
    }

    /// Sets column 0 of a row to what the attribute is there when a document of the model has this.
    ///
    /// - Throws: ``ModelDecodingError`` for what is no value of the attribute, with the path inside of
    ///   it, and ``ModelEncodingError`` for one that has no form in a column.
    package func setColumn(of sink: any RowSink, by document: ModelDocument) throws {
        var writer = ModelWriter(row: sink)
        writer.roundsDates = roundsDates
        writer.column = 0
        try ModelReader.decode(tree: document) { reader in
            if let transform { return try transform.copy(from: &reader, to: &writer) }
            let type = Swift.type(of: keyPath).valueType
            if let type = type as? any ModelValue.Type {
                return try Self.copy(type, from: &reader, to: &writer)
            }
            guard let type = type as? any Codable.Type else {
                throw reader.rejected(expected: "\(type)")
            }
            try Self.copyCodable(type, from: &reader, to: &writer)
        }
    }

    static func copy<Value: ModelValue>(
        _ type: Value.Type,
        from reader: inout ModelReader,
        to writer: inout ModelWriter
    ) throws {
        try Value(modelValue: &reader).encode(to: &writer)
    }

    private static func copyCodable<Value: Codable>(
        _ type: Value.Type,
        from reader: inout ModelReader,
        to writer: inout ModelWriter
    ) throws {
        try writer.writeCodable(reader.readCodable(type))
    }
}
