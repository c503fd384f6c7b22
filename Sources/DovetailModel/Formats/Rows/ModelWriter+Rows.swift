// How rows are written: values go to the sink's columns, and objects and arrays inside of a row to a
// document of JSON that becomes a column.

extension ModelWriter {
    /// Writes rows one after the other with one writer.
    ///
    /// - Parameter finish: called when all columns of a row are set.
    /// - Throws: ``ModelEncodingError``, and what `sink` and `finish` throw.
    @inlinable
    public static func writeRows<Value: Model>(
        _ values: some Sequence<Value>,
        to sink: any RowSink,
        finish: (Value) throws -> Void
    ) throws {
        var writer = ModelWriter(row: sink)
        for value in values {
            writer.column = -1
            do {
                try value.encode(to: &writer)
            } catch let error as ModelEncodingError {
                throw writer.inColumn(error, of: Value.self)
            }
            try finish(value)
        }
    }

    /// Writes one value as the only column of a row.
    ///
    /// - Throws: ``ModelEncodingError``, and what `sink` throws.
    public static func writeColumn(_ value: some ModelValue, to sink: any RowSink) throws {
        var writer = ModelWriter(row: sink)
        writer.column = 0
        try value.encode(to: &writer)
    }

    /// Puts the column's path before that of an error about a model in its document.
    @usableFromInline
    mutating func inColumn(
        _ error: ModelEncodingError,
        of type: any Model.Type
    ) -> ModelEncodingError {
        let attributes = type.modelAttributes
        guard error.reason == .rejected, attributes.indices.contains(column) else { return error }
        return error.inside(attributes[column].path)
    }

    @usableFromInline
    mutating func enterColumnDocument() {
        destination = .json
        count = 0
    }

    /// Hands the finished document to the row.
    @usableFromInline
    mutating func leaveColumnDocument() throws {
        destination = .row
        try row?.set(
            column,
            document: UnsafeBufferPointer(start: buffer, count: count)
        )
    }
}
