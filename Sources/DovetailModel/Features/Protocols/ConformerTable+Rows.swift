// Rows of stores, whose table says the conformer.

extension ConformerTable {
    /// How to read a value of a model; nil for one that is no conformer.
    ///
    /// - Complexity: O(1).
    package func decoder(of model: any Model.Type) -> Decode? {
        guard let conformer = try? names.conformer(of: model) else { return nil }
        // Invariant: as in `decode(_:_:)`.
        return conformer._withUnsafeGuaranteedRef {
            unsafeDowncast($0, to: ConformerDecoder<Value>.self).decode
        }
    }
}

extension ModelReader {
    /// Reads rows of several models, in any order, as values of one protocol, with one reader for
    /// each model.
    ///
    /// - Parameters:
    ///   - decoders: How a row of each cursor is read.
    ///   - rows: The cursors, as many.
    ///   - fields: The columns of each, as many.
    ///   - values: Takes the values. Those before an error stay in it.
    ///   - next: Moves one of the cursors, and gives its position; nil after the last row.
    /// - Complexity: linear in the number of rows and in the size of the columns that are read.
    /// - Throws: ``ModelDecodingError`` whose path starts with the column; what `next` throws.
    @inlinable
    package static func readRows<Value>(
        by decoders: [ConformerTable<Value>.Decode],
        from rows: [any RowSource],
        fields: [RowFields],
        into values: inout [Value],
        next: () throws -> Int?
    ) throws {
        // A reader cannot be copied, so no array can hold one. Invariant: there are as many readers as
        // decoders, all of them initialized, and the array of decoders traps on another place first.
        let readers = UnsafeMutableBufferPointer<ModelReader>.allocate(capacity: rows.count)
        for place in rows.indices {
            readers.initializeElement(
                at: place,
                to: ModelReader(row: rows[place], fields: fields[place])
            )
        }
        defer {
            readers.deinitialize()
            readers.deallocate()
        }
        while let place = try next() {
            let decode = decoders[place]
            readers[place].column = -1
            values.append(try decode(&readers[place]))
        }
    }
}
