public import DovetailModel

/// Moves over the rows of a query, one at a time.
///
/// It is positioned before the first row. The columns of a row can be read after ``next()`` gave
/// true, and bytes that were handed out are valid until the cursor moves or is closed.
public protocol RowCursor: RowSource {
    /// Moves to the next row; false after the last one.
    ///
    /// - Throws: ``StoreError``. There are no more rows then.
    func next() throws -> Bool
    /// Ends the query early. Further calls do nothing, and ``next()`` gives false.
    func close()
}
