import CSQLite
import DovetailModel
import DovetailSQL
import DovetailStore

extension SQLForeignTable {
    /// Looks at a table; nil when there is none. See
    /// https://sqlite.org/pragma.html#pragma_table_xinfo, which tells generated columns, too.
    ///
    /// Names are compared without regard to case, as SQLite does. Dates may be written in any way, and decimals
    /// are numbers where the column makes them so.
    ///
    /// - Throws: ``StoreError``.
    init?(sqlite table: String, on connection: SQLiteConnection) throws {
        let statement = try connection.statement(
            """
            SELECT p.name, p.type, p."notnull", p.dflt_value IS NOT NULL, p.pk > 0,
                (SELECT s.type = 'view' FROM sqlite_schema s WHERE lower(s.name) = lower(?1)
                    AND s.type IN ('table', 'view'))
            FROM pragma_table_xinfo(?1) p
            WHERE p.hidden <> 1
            """
        )
        try statement.bind([.text(table)])
        defer { statement.reset() }
        var columns: [Column] = []
        var isView = false
        while try statement.step() {
            columns.append(
                Column(
                    name: statement.text(0),
                    type: statement.text(1).uppercased(),
                    isNotNull: statement.integer(2) == 1,
                    hasDefault: statement.integer(3) == 1,
                    isPrimaryKey: statement.integer(4) == 1,
                    comparesBytes: connection.comparesBytes(table, statement.text(0))
                )
            )
            isView = statement.integer(5) == 1
        }
        guard !columns.isEmpty else { return nil }
        let isReadOnly = connection.isReadOnly
        self.init(
            columns,
            isView: isView,
            location: connection.location,
            folded: { $0.lowercased() },
            // The columns of a view have whatever types its rows have.
            keeps: { [isView] kind, column in
                isView || Self.keeps(kind, in: column.type, isReadOnly: isReadOnly)
            },
            form: { kind, column in
                switch kind {
                case .date: .date
                case .decimal: .decimal
                case .text, .document: column.comparesBytes ? nil : .collated
                case .boolean, .integer, .double, .data: nil
                }
            }
        )
    }

    /// Whether a column of a declared type gives back what was written, by the rules of
    /// https://sqlite.org/datatype3.html#determination_of_column_affinity.
    private static func keeps(
        _ kind: ColumnType,
        in type: String,
        isReadOnly: Bool
    ) -> Bool {
        let isInteger = type.contains("INT")
        let isText = ["CHAR", "CLOB", "TEXT"].contains { type.contains($0) } && !isInteger
        if isText { return [.text, .decimal, .date, .document].contains(kind) }
        if type.isEmpty || type.contains("BLOB") || type == "ANY" { return true }
        switch kind {
        case .boolean, .integer, .double: return true
        case .data: return !isInteger
        // Numeric columns turn text that looks like a number into one. Dates and UUIDs do not.
        case .text: return ["UUID", "GUID", "DATE", "TIME"].contains { type.contains($0) }
        case .date: return !isInteger
        // A number that is read is a decimal; not every decimal is a number of SQLite's.
        case .decimal: return isReadOnly
        case .document: return type.contains("JSON")
        }
    }
}

extension SQLiteConnection {
    /// Whether a column was declared with the collation BINARY, or with none. Nobody can tell for
    /// that of a view (https://sqlite.org/c3ref/table_column_metadata.html).
    fileprivate func comparesBytes(_ table: String, _ column: String) -> Bool {
        var collation: UnsafePointer<CChar>?
        let code = sqlite3_table_column_metadata(
            handle,
            "main",
            table,
            column,
            nil,
            &collation,
            nil,
            nil,
            nil
        )
        guard code == SQLITE_OK, let collation else { return false }
        return String(cString: collation).lowercased() == "binary"
    }
}
