import CSQLite
package import Foundation

/// A second connection to a database file, as another program would open it.
package final class RawDatabase {
    /// What SQLite said.
    package struct Failure: Error {
        package let message: String
    }

    private let handle: OpaquePointer

    package init(_ url: URL) throws {
        var handle: OpaquePointer?
        guard sqlite3_open(url.path, &handle) == SQLITE_OK, let handle else {
            throw Failure(message: "cannot open \(url.path)")
        }
        self.handle = handle
    }

    deinit {
        sqlite3_close_v2(handle)
    }

    package func execute(_ sql: String) throws {
        guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else { throw failure }
    }

    /// Makes a table of Dovetail's take values of any type, as one that others have made does.
    package func loosen(_ table: String) throws {
        let version = Int(try value("PRAGMA schema_version") ?? "") ?? 0
        try execute(
            """
            PRAGMA writable_schema = ON;
            UPDATE sqlite_schema SET sql = replace(sql, ') STRICT', ')') WHERE name = '\(table)';
            PRAGMA schema_version = \(version + 1);
            PRAGMA writable_schema = RESET;
            """
        )
    }

    /// The columns of all rows as text; NULL is nil.
    package func rows(_ sql: String) throws -> [[String?]] {
        var statement: OpaquePointer?
        guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK else {
            throw failure
        }
        defer { sqlite3_finalize(statement) }
        var rows: [[String?]] = []
        while sqlite3_step(statement) == SQLITE_ROW {
            rows.append(
                (0..<sqlite3_column_count(statement)).map { column in
                    sqlite3_column_text(statement, column).map { String(cString: $0) }
                }
            )
        }
        return rows
    }

    /// The first column of the first row.
    package func value(_ sql: String) throws -> String? {
        try rows(sql).first?.first ?? nil
    }

    private var failure: Failure {
        Failure(message: String(cString: sqlite3_errmsg(handle)))
    }
}
