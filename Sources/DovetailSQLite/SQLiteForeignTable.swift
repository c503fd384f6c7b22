import CSQLite
import DovetailModel
import DovetailSQL
import DovetailStore

/// A table or view that somebody else has made, compared with a model and never changed.
///
/// Names are compared without regard to case, as SQLite does. There may be further columns, as long
/// as a row can do without them. Indexes and constraints are not looked at.
struct SQLiteForeignTable {
    /// What is compared of a column.
    private struct Column {
        let name: String
        /// The declared type, in upper case.
        let type: String
        /// Whether it refuses NULL.
        let isNotNull: Bool
        let hasDefault: Bool
        let isPrimaryKey: Bool
        /// Whether text in it is known to be compared by its bytes.
        let comparesBytes: Bool
    }

    private let columns: [String: Column]
    private let isView: Bool
    private let isReadOnly: Bool
    private let location: String

    /// Looks at a table; nil when there is none. See
    /// https://sqlite.org/pragma.html#pragma_table_info.
    init?(_ table: String, on connection: SQLiteConnection) throws {
        let statement = try connection.statement(
            """
            SELECT p.name, p.type, p."notnull", p.dflt_value IS NOT NULL, p.pk > 0,
                (SELECT s.type = 'view' FROM sqlite_schema s WHERE lower(s.name) = lower(?1)
                    AND s.type IN ('table', 'view'))
            FROM pragma_table_info(?1) p
            """
        )
        try statement.bind([.text(table)])
        defer { statement.reset() }
        var columns: [String: Column] = [:]
        var isView = false
        while try statement.step() {
            let column = Column(
                name: statement.text(0),
                type: statement.text(1).uppercased(),
                isNotNull: statement.integer(2) == 1,
                hasDefault: statement.integer(3) == 1,
                isPrimaryKey: statement.integer(4) == 1,
                comparesBytes: connection.comparesBytes(table, statement.text(0))
            )
            columns[column.name.lowercased()] = column
            isView = statement.integer(5) == 1
        }
        guard !columns.isEmpty else { return nil }
        self.columns = columns
        self.isView = isView
        isReadOnly = connection.isReadOnly
        location = connection.location
    }

    /// Compares the table with what a model needs.
    ///
    /// - Throws: ``StoreError`` of kind `invalidSchema` when a column is missing, of a type that
    ///   would change its values, or part of another key; when the table requires a value where the
    ///   model's may be nil, or in a column that the model does not have.
    func compare(with entity: EntityDescription) throws {
        var unknown = columns
        for (index, attribute) in entity.columns.enumerated() {
            func mismatch(_ explanation: String) -> StoreError {
                self.mismatch(entity, attribute.name, explanation)
            }
            guard let column = unknown.removeValue(forKey: attribute.name.lowercased()) else {
                throw mismatch("the table that exists lacks this column")
            }
            if isView { continue }
            guard column.isPrimaryKey == entity.key.contains(index) else {
                throw mismatch("the table that exists has another key")
            }
            // A default does not help: nil is written as NULL. A key that is NULL is generated.
            guard !attribute.isOptional || !column.isNotNull || attribute.isGenerated else {
                throw mismatch(
                    "the table that exists requires a value, and the model's may be nil"
                )
            }
            guard keeps(attribute.type, in: column.type) else {
                throw mismatch(
                    "a column of type \(column.type) does not keep values of kind \(attribute.type)"
                )
            }
        }
        if isView { return }
        for column in unknown.values.sorted(by: { $0.name < $1.name })
        where column.isNotNull && !column.hasDefault && !column.isPrimaryKey {
            throw mismatch(entity, column.name, "the table that exists requires this column")
        }
        if let key = unknown.values.first(where: \.isPrimaryKey) {
            throw mismatch(entity, key.name, "the table that exists has another key")
        }
    }

    /// The columns that a query has to take in another form, so that it compares them as it compares
    /// those of our own tables.
    ///
    /// Dates may be written in any way, and decimals are numbers where the column makes them so.
    func forms(of entity: EntityDescription) -> [Int: SQLColumnForm] {
        var forms: [Int: SQLColumnForm] = [:]
        for (index, attribute) in entity.columns.enumerated() {
            switch attribute.type {
            case .date: forms[index] = .date
            case .decimal: forms[index] = .decimal
            case .text, .document:
                let column = columns[attribute.name.lowercased()]
                if column?.comparesBytes != true { forms[index] = .collated }
            case .boolean, .integer, .double, .data: break
            }
        }
        return forms
    }

    /// Whether a column of a declared type gives back what was written, by the rules of
    /// https://sqlite.org/datatype3.html#determination_of_column_affinity.
    private func keeps(_ kind: ColumnType, in type: String) -> Bool {
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

    private func mismatch(
        _ entity: EntityDescription,
        _ column: String,
        _ explanation: String
    ) -> StoreError {
        StoreError(
            .invalidSchema,
            table: entity.table,
            column: column,
            location: location,
            explanation: explanation
        )
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
