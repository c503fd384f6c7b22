// Columns of `T??`, in which NULL is an absent field and anything else a document.

extension ModelReader {
    /// Whether the value under the cursor is a column that holds NULL. Any other column is entered
    /// as a document, which may be null itself.
    @usableFromInline
    mutating func isAbsentColumn() throws -> Bool {
        guard isRow else { return false }
        if try rowIsNull() { return true }
        try enterColumnDocument()
        return false
    }

    /// Reads the next column of a row as `T??` of a plain `Codable` type: NULL is nil, and a document
    /// may be null. Called by generated code.
    ///
    /// - Throws: ``ModelDecodingError`` for what the column's value is not.
    @_disfavoredOverload
    public mutating func readColumn<Value: Decodable>(_ slot: inout Value???) throws {
        column &+= 1
        let isAbsent = try isAbsentColumn()
        slot = .some(isAbsent ? nil : .some(try readCodable(Value?.self)))
        if !isRow { try leaveColumnDocument() }
    }
}
