/// What one reader of a single row leaves for the next one.
///
/// The state of a reader is an object with a part for each feature. To allocate, fill and free it was
/// a twentieth of a fetch by key.
@usableFromInline
package final class SpareReaderState {
    /// A clean state that no reader has.
    @exclusivity(unchecked) private var state: ReaderState?

    @usableFromInline
    package init() {}

    /// The state, which is the caller's from now on.
    @usableFromInline
    func take() -> ReaderState? {
        defer { state = nil }
        return state
    }

    /// Keeps the state of a reader that has come to its end without an error.
    @usableFromInline
    func giveBack(_ state: ReaderState) {
        guard state.isClean else { return }
        state.start = ReaderState.noBytes
        self.state = state
    }
}

extension ModelReader {
    /// Reads the row at which a cursor is.
    ///
    /// - Parameter spare: Has a state for the reader, and gets it back. A model that reads another one
    ///   meanwhile finds none there, and an error keeps the state.
    /// - Throws: ``ModelDecodingError`` whose path starts with the column.
    @inlinable
    package static func readRow<Value: Model>(
        of type: Value.Type,
        from row: any RowSource,
        fields: consuming RowFields,
        _ spare: SpareReaderState
    ) throws -> Value {
        var reader = ModelReader(row: row, fields: fields, state: spare.take())
        reader.enterRow()
        let value = try Value(modelValue: &reader)
        spare.giveBack(reader.state)
        return value
    }
}
