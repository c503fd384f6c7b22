import CSQLite
import DovetailStore
import Foundation

extension StoreError {
    /// The error of a result code of SQLite (https://sqlite.org/rescode.html).
    ///
    /// SQLite's message goes into `debugDescription` only, because it may quote stored data. A
    /// violated constraint is about a row and a table, so it does not name the file.
    ///
    /// - Parameters:
    ///   - code: The extended result code.
    ///   - handle: The connection that returned it, nil when none could be made.
    ///   - location: Where the database is.
    ///   - table: The table that the statement was about.
    init(sqlite code: Int32, _ handle: OpaquePointer?, location: String, table: String?) {
        let message = handle.flatMap { sqlite3_errmsg($0) }.map { String(cString: $0) } ?? ""
        if code == SQLITE_ERROR, let column = Self.missingColumn(in: message) {
            self.init(
                .invalidSchema,
                table: table,
                column: column,
                location: location,
                explanation: "the table has no such column; another program has changed it",
                code: Int(code),
                detail: message
            )
            return
        }
        // SQLite has no code of its own for it.
        if code == SQLITE_ERROR, message == Self.sumOverflow {
            self.init(
                .outOfRange,
                table: table,
                explanation: "a sum has no value of its type",
                code: Int(code)
            )
            return
        }
        // It cannot be made more than SQLite was compiled with (https://sqlite.org/limits.html#max_trigger_depth).
        if code == SQLITE_ERROR, message == "too many levels of trigger recursion" {
            self.init(
                .unsupported,
                table: table,
                explanation:
                    "SQLite deletes rows with others (deleteRule: .cascade) in at most 1,000 steps; "
                    + "delete inner rows first",
                code: Int(code)
            )
            return
        }
        // Neither can this (https://sqlite.org/limits.html#max_expr_depth).
        if code == SQLITE_ERROR,
            message == "parser stack overflow" || message.hasPrefix("Expression tree is too large")
        {
            self.init(
                .unsupported,
                table: table,
                explanation: "the condition is nested deeper than SQLite can read",
                code: Int(code)
            )
            return
        }
        var (kind, explanation) = Self.meaning(of: code)
        if code == SQLITE_ERROR, message.hasPrefix("no such table: ") {
            (kind, explanation) = (.invalidSchema, "the statement names a table that is not there")
        } else if code == SQLITE_ERROR, message.contains("generated column") {
            (kind, explanation) = (
                .readOnly, "the database alone gives a column of the table its values"
            )
        } else if code == SQLITE_ERROR {
            explanation = Self.refusal(handle) ?? explanation
        }
        let isConstraint = code & 0xFF == SQLITE_CONSTRAINT
        self.init(
            kind,
            table: table,
            column: [.uniqueViolation, .notNullViolation].contains(kind)
                ? Self.column(in: message, of: table) : nil,
            location: isConstraint ? nil : location,
            explanation: explanation,
            code: Int(code),
            detail: message
        )
    }

    /// What SQLite says of a sum of whole numbers that is too large, and `SQLiteFunctions` of others.
    static let sumOverflow = "integer overflow"

    /// The kind and the explanation of a code. Constraints are told apart by their extended codes,
    /// others by the lower byte, which is the primary one.
    private static func meaning(of code: Int32) -> (Kind, String) {
        switch code {
        case constraint(6), constraint(10):
            return (.uniqueViolation, "a row with this key exists already")
        case constraint(8):
            return (.uniqueViolation, "another row has this value already")
        case constraint(3):
            return (.foreignKeyViolation, "a row refers to one that does not exist")
        case constraint(12):
            return (.constraintViolation, "a value is of another type than its column")
        case constraint(5):
            return (.notNullViolation, "a required column has no value")
        default: break
        }
        switch code & 0xFF {
        case SQLITE_CONSTRAINT:
            return (.constraintViolation, "a constraint of the table is violated")
        case SQLITE_NOTADB: return (.notADatabase, "the file is not a SQLite database")
        case SQLITE_CORRUPT: return (.corrupt, "the database file is damaged")
        // It was deleted or moved while it was open, without WAL mode (SQLITE_READONLY_DBMOVED).
        case SQLITE_READONLY where code >> 8 == 4:
            return (.storageFailure, SQLiteConnection.fileIsGone)
        case SQLITE_READONLY: return (.readOnly, "the database cannot be written to")
        // The last one: many connections open a write-ahead log at once.
        case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL:
            return (.locked, "another connection holds the database; try again, or wait longer")
        case SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_AUTH:
            return (.cannotOpen, "the database file cannot be opened or created")
        case SQLITE_INTERRUPT: return (.cancelled, "the statement was interrupted")
        case SQLITE_FULL: return (.storageFailure, "the disk is full")
        case SQLITE_IOERR: return (.storageFailure, "the disk failed")
        default: return (.other, "SQLite reports an error")
        }
    }

    /// What is wrong with the text of a statement, without what it quotes; nil where SQLite does not say.
    private static func refusal(_ handle: OpaquePointer?) -> String? {
        let offset = handle.map { sqlite3_error_offset($0) } ?? -1
        return offset < 0 ? nil : "SQLite does not take the statement from its byte \(offset) on"
    }

    /// The extended code of a kind of constraint: SQLITE_CONSTRAINT_FOREIGNKEY is 3,
    /// _NOTNULL 5, _PRIMARYKEY 6, _UNIQUE 8, _ROWID 10 and _DATATYPE 12. The header defines them by an expression that Swift does not
    /// import.
    private static func constraint(_ number: Int32) -> Int32 {
        SQLITE_CONSTRAINT | number << 8
    }

    /// The column in "no such column: age" or "table User has no column named age", which name no data;
    /// nil for any other message. SQLite has no code of its own for it.
    private static func missingColumn(in message: String) -> String? {
        for words in ["no such column: ", " has no column named "] {
            if let range = message.range(of: words) { return String(message[range.upperBound...]) }
        }
        return nil
    }

    /// The columns in a message like "UNIQUE constraint failed: User.id", which names no data; nil
    /// for any other message.
    private static func column(in message: String, of table: String?) -> String? {
        guard let start = message.range(of: "constraint failed: ")?.upperBound else { return nil }
        let names = message[start...]
        // A name may hold any separator. SQLite repeats the table before each column, unquoted.
        let prefix = table.map { $0 + "." } ?? ""
        guard !prefix.isEmpty, names.hasPrefix(prefix) else {
            return names.split(separator: ".").last.map { String($0) }
        }
        return String(names.dropFirst(prefix.count).replacing(", " + prefix, with: ", "))
    }
}
