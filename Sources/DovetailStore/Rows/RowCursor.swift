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
    /// Goes over all rows, instead of ``next()``: before the first call of that. By default it calls it.
    ///
    /// A store does it in its own way where that is faster.
    ///
    /// ```swift
    /// try cursor.forEachRow { names.append(cursor.text(1)) }
    /// ```
    ///
    /// - Parameter body: Is called at each row, which it can read. It must not move or close the cursor.
    /// - Throws: ``StoreError``, and what `body` throws, which ends the query.
    func forEachRow(_ body: () throws -> Void) throws
    /// Ends the query early. Further calls do nothing, and ``next()`` gives false.
    func close()
}

extension RowCursor {
    /// Moves to one row after the other.
    public func forEachRow(_ body: () throws -> Void) throws {
        while try next() { try body() }
    }
}
