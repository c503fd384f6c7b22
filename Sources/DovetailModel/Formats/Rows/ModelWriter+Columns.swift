// How some attributes of models are written, by their key paths.

extension ModelAttribute {
    /// Writes the attribute of a value as the column at which a writer is; false when it is of a type
    /// that has no column form at run time.
    fileprivate typealias Write<Value> = (Value, inout ModelWriter) throws -> Bool

    /// How the attribute of values is written. What is the same for all of them is found out here,
    /// once: done for each value, it was a quarter of the time that deleting by key takes.
    fileprivate func write<Value>(of type: Value.Type) -> Write<Value> {
        guard let keyPath = keyPath as? PartialKeyPath<Value> else { return { _, _ in false } }
        if let transform {
            return { value, writer in try transform.write(value[keyPath: keyPath], to: &writer) }
        }
        if let field = Swift.type(of: keyPath).valueType as? any ModelValue.Type,
            let write = Self.write(keyPath, field)
        {
            return write
        }
        return { value, writer in
            guard let value = value[keyPath: keyPath] as? any ModelValue else { return false }
            try value.encode(to: &writer)
            return true
        }
    }

    /// The same for a type that is known to have a column form.
    private static func write<Value, Field: ModelValue>(
        _ keyPath: PartialKeyPath<Value>,
        _ type: Field.Type
    ) -> Write<Value>? {
        guard let keyPath = keyPath as? KeyPath<Value, Field> else { return nil }
        guard let offset = MemoryLayout<Value>.offset(of: keyPath) else {
            return { value, writer in
                try value[keyPath: keyPath].encode(to: &writer)
                return true
            }
        }
        return { value, writer in
            // Invariant of the address: `offset(of:)` is where a value stores the field.
            try withUnsafePointer(to: value) { value in
                try (UnsafeRawPointer(value) + offset).assumingMemoryBound(to: Field.self).pointee
                    .encode(to: &writer)
            }
            return true
        }
    }
}

extension ModelWriter {
    /// Writes some columns of rows and leaves the others out: the keys of rows that are deleted.
    /// What is in the other attributes does not matter, also when it has no form in a column.
    ///
    /// - Parameters:
    ///   - values: The models, one for each row.
    ///   - columns: The positions of the attributes. One that has no column form at run time makes
    ///     the whole value be written.
    ///   - sink: Takes the columns.
    ///   - attributes: As in ``writeRows(_:to:attributes:finish:)``.
    ///   - finish: Called when the columns of a row are set.
    /// - Complexity: linear in the number of values.
    /// - Throws: ``ModelEncodingError``, and what `sink` and `finish` throw.
    @inlinable
    public static func writeColumns<Value: Model>(
        _ columns: [Int],
        of values: some Sequence<Value>,
        to sink: any RowSink,
        attributes: [ModelAttribute]? = nil,
        finish: (Value) throws -> Void
    ) throws {
        let attributes = attributes ?? Value.modelAttributes
        let writes = columnWrites(columns, of: Value.self, attributes)
        var writer = ModelWriter(row: sink)
        writer.roundsDates = roundsDates(attributes)
        for value in values {
            var isDone = true
            for (column, write) in writes where isDone {
                writer.column = column
                isDone = try write(value, &writer)
            }
            if isDone {
                try finish(value)
            } else {
                try writeRows(
                    CollectionOfOne(value),
                    to: sink,
                    attributes: attributes,
                    finish: finish
                )
            }
        }
    }
    /// How the attributes of values are written, by their columns.
    @usableFromInline
    static func columnWrites<Value: Model>(
        _ columns: [Int],
        of type: Value.Type,
        _ attributes: [ModelAttribute]
    ) -> [(column: Int, write: (Value, inout ModelWriter) throws -> Bool)] {
        columns.map { ($0, attributes[$0].write(of: Value.self)) }
    }
}
