import CSQLite

extension SQLiteConnection {
    /// Lets SQLite keep 16 MB of pages in memory, which are taken page by page when they are needed, and not
    /// 2 MB as it does by itself (https://sqlite.org/pragma.html#pragma_cache_size).
    ///
    /// A save that changes more writes pages to the log and reads them again: 400,000 rows with a unique text
    /// took twice as long. Sums over a table of 13 MB that is read again and again took a fifth longer.
    ///
    /// A trace does not tell it: readers are opened when somebody asks for rows, who has not asked for this.
    ///
    /// - Throws: ``StoreError``.
    func keepPages() throws {
        sqlite3_trace_v2(handle, 0, nil, nil)
        defer { tracer?.listen(to: handle) }
        try execute("PRAGMA cache_size = -16384")
    }

    /// Frees the pages that are kept.
    func releasePages() {
        sqlite3_db_release_memory(handle)
    }
}
