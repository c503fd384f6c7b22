// Rows of stores, whose table says the conformer.

/// How rows of one conformer are read. It is valid as long as the table that gave it.
@usableFromInline
package struct ConformerRowReader<Value> {
    /// Counting references to it costs as much as finding it.
    @usableFromInline let conformer: Unmanaged<Conformer>

    init(_ conformer: Unmanaged<Conformer>) {
        self.conformer = conformer
    }
}

extension ConformerTable {
    /// How to read the rows of a model; nil for one that is no conformer.
    ///
    /// - Complexity: O(1).
    package func rowReader(of model: any Model.Type) -> ConformerRowReader<Value>? {
        guard let conformer = try? names.conformer(of: model) else { return nil }
        return ConformerRowReader(conformer)
    }
}

extension ModelReader {
    /// Reads rows of several models, in any order, as values of one protocol, with one reader for
    /// each model.
    ///
    /// - Parameters:
    ///   - table: The conformers of the protocol, which gave `readers`.
    ///   - readers: How a row of each cursor is read.
    ///   - rows: The cursors, as many.
    ///   - fields: The columns of each, as many.
    ///   - values: Takes the values. Those before an error stay in it.
    ///   - next: Moves one of the cursors, and gives its position; nil after the last row.
    /// - Complexity: linear in the number of rows and in the size of the columns that are read.
    /// - Throws: ``ModelDecodingError`` whose path starts with the column; what `next` throws.
    @inlinable
    package static func readRows<Value>(
        of table: ConformerTable<Value>,
        by readers: [ConformerRowReader<Value>],
        from rows: [any RowSource],
        fields: [RowFields],
        into values: inout [Value],
        next: () throws -> Int?
    ) throws {
        // A reader cannot be copied, so no array can hold one. Invariant: there are as many as there
        // are `readers`, all of them initialized, and that array traps on another place first.
        let states = UnsafeMutableBufferPointer<ModelReader>.allocate(capacity: rows.count)
        for place in rows.indices {
            states.initializeElement(
                at: place,
                to: ModelReader(row: rows[place], fields: fields[place])
            )
        }
        defer {
            states.deinitialize()
            states.deallocate()
        }
        while let place = try next() {
            let conformer = readers[place].conformer
            states[place].enterRow()
            values.append(try table.decode(conformer, &states[place]))
        }
    }
}
