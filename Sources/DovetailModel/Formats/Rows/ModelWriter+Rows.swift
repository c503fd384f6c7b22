// How rows are written: values go to the sink's columns. An object or an array inside of a row goes
// to a document of JSON that becomes a column.
//
// The writer's `column` is -1 before the first attribute of a row, and each field moves it by one.
// While a column's document is written the destination is JSON and the buffer is the document's;
// closing it hands the buffer to the sink and turns the destination back to the row.

extension ModelWriter {
    /// Writes rows one after the other with one writer.
    ///
    /// ```swift
    /// try ModelWriter.writeRows(owners, to: statement) { _ in try statement.finishRow() }
    /// // In SQLite: sqlite3_bind_* for each column, then sqlite3_step, for each row of
    /// // INSERT INTO "Owner" ("id", "name", "pets") VALUES (?1, ?2, ?3)
    /// ```
    ///
    /// - Parameters:
    ///   - values: The models, one for each row.
    ///   - sink: Takes the columns. It is asked for the same columns in each row.
    ///   - attributes: `Value.modelAttributes`, from a caller that has them: a model makes them at each
    ///     call, which takes longer than a row.
    ///   - finish: Called when all columns of a row are set.
    /// - Complexity: linear in the size of the values; one buffer is used for all rows.
    /// - Throws: ``ModelEncodingError``, also for a model that writes more or fewer columns than it
    ///   has attributes, and what `sink` and `finish` throw. Rows before the error were finished;
    ///   the transaction around the call removes them.
    @inlinable
    public static func writeRows<Value: Model>(
        _ values: some Sequence<Value>,
        to sink: any RowSink,
        attributes: [ModelAttribute]? = nil,
        finish: (Value) throws -> Void
    ) throws {
        var writer = ModelWriter(row: sink)
        let attributes = attributes ?? Value.modelAttributes
        writer.roundsDates = roundsDates(attributes)
        let columns = written(attributes)
        for value in values {
            writer.column = -1
            do {
                try value.encode(to: &writer)
            } catch let error as ModelEncodingError {
                throw writer.inColumn(error, of: Value.self)
            }
            if writer.column != columns &- 1 { throw writer.wrongColumns(of: Value.self) }
            try finish(value)
        }
    }

    /// Whether columns keep whole microseconds of dates, which all do or none.
    @inlinable
    static func roundsDates(_ attributes: [ModelAttribute]) -> Bool {
        attributes.first?.roundsDates == true
    }

    /// How many columns a model writes itself: all but that of the date of a deletion, which is the last.
    @inlinable
    static func written(_ attributes: [ModelAttribute]) -> Int {
        let last = attributes.count &- 1
        return last >= 0 && attributes[last].isDeletionMark ? last : attributes.count
    }

    /// Writes the row of one value whose number of columns is known.
    ///
    /// - Parameters:
    ///   - attributes: Those of the row, of which the first ones are the model's.
    ///   - wanted: Which of the first 64 columns count. Of the others values need not be encoded, and most are
    ///     left out.
    /// - Throws: as ``writeRows(_:to:attributes:finish:)``.
    package static func writeRow<Value: Model>(
        _ value: Value,
        to sink: any RowSink,
        attributes: [ModelAttribute],
        columns: Int,
        wanted: UInt64 = .max
    ) throws {
        var writer = ModelWriter(row: sink)
        writer.roundsDates = roundsDates(attributes)
        writer.wanted = wanted
        do {
            try value.encode(to: &writer)
        } catch let error as ModelEncodingError {
            throw writer.inColumn(error, of: Value.self)
        }
        if writer.column != columns &- 1 { throw writer.wrongColumns(of: Value.self) }
    }

    /// The error that a model wrote another number of columns than it has attributes. A statement
    /// would have the value of the row before in a column that is left out.
    @usableFromInline
    func wrongColumns(of type: any Model.Type) -> ModelEncodingError {
        ModelEncodingError(
            kind: .rejected,
            explanation: "\(type) writes \(column + 1) columns and has "
                + "\(type.modelAttributes.count) attributes"
        )
    }

    /// Writes one value as the only column of a row, number 0: a parameter of a predicate.
    ///
    /// - Throws: ``ModelEncodingError``, and what `sink` throws.
    public static func writeColumn(_ value: some ModelValue, to sink: any RowSink) throws {
        var writer = ModelWriter(row: sink)
        writer.column = 0
        try value.encode(to: &writer)
    }

    /// Writes one plain `Codable` value as the only column of a row, number 0.
    ///
    /// - Throws: ``ModelEncodingError``, and what `sink` throws.
    package static func writeCodableColumn(_ value: some Encodable, to sink: any RowSink) throws {
        var writer = ModelWriter(row: sink)
        writer.column = 0
        try writer.writeCodable(value)
    }

    /// Sets the current column to a string.
    @inline(__always)
    func setRow(_ value: String) throws {
        let isDone: Void? = try value.utf8.withContiguousStorageIfAvailable {
            try row?.set(column, text: $0)
        }
        if isDone == nil {
            var value = value
            try value.withUTF8 { try row?.set(column, text: $0) }
        }
    }

    /// Puts the column's path before that of an error about its value, or about a model in its
    /// document.
    @usableFromInline
    mutating func inColumn(
        _ error: ModelEncodingError,
        of type: any Model.Type
    ) -> ModelEncodingError {
        let attributes = type.modelAttributes
        var error = error
        if attributes.indices.contains(column) { error = error.inside(attributes[column].path) }
        error.table = type.modelTable
        return error
    }

    /// Turns to JSON for the object or array that becomes the current column. The buffer is empty
    /// in a row, so the document starts at its first byte.
    @usableFromInline
    mutating func enterColumnDocument() {
        destination = .json
        count = 0
    }

    /// Hands the finished document to the row. The sink sees the writer's own buffer, which the
    /// next document overwrites.
    @usableFromInline
    mutating func leaveColumnDocument() throws {
        destination = .row
        try row?.set(
            column,
            document: UnsafeBufferPointer(start: buffer, count: count)
        )
    }
}
