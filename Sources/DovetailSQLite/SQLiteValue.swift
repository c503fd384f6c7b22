import CSQLite
import DovetailModel
import Foundation

/// A value of SQLite's, of a column or an argument: the stored type decides what it is, not SQLite's
/// conversion. Without a handle it is NULL.
///
/// Invariant of the handle: SQLite keeps the value as long as this one is used, which is until its
/// cursor moves or the call of its function returns.
struct SQLiteValue {
    let handle: OpaquePointer?

    private var type: Int32 { handle.map { sqlite3_value_type($0) } ?? SQLITE_NULL }

    var isNull: Bool { type == SQLITE_NULL }

    var integer: Int64? { type == SQLITE_INTEGER ? sqlite3_value_int64(handle) : nil }

    /// Integers are numbers, too: somebody else may have written 5 for 5.0.
    var double: Double? {
        switch type {
        case SQLITE_FLOAT, SQLITE_INTEGER: sqlite3_value_double(handle)
        default: nil
        }
    }

    /// The bytes of a text. The text comes before the count, which counts the bytes of the UTF-8 that
    /// the former made (https://sqlite.org/c3ref/column_blob.html).
    var text: UnsafeBufferPointer<UInt8>? {
        guard type == SQLITE_TEXT, let start = sqlite3_value_text(handle) else { return nil }
        return UnsafeBufferPointer(start: start, count: Int(sqlite3_value_bytes(handle)))
    }

    /// The bytes of a BLOB. An empty one has no address, and its count is 0.
    var data: UnsafeBufferPointer<UInt8>? {
        guard type == SQLITE_BLOB else { return nil }
        let start = sqlite3_value_blob(handle)
        let count = Int(sqlite3_value_bytes(handle))
        return UnsafeBufferPointer(start: start?.assumingMemoryBound(to: UInt8.self), count: count)
    }

    /// The date that a text spells, as ``SQLiteStatement`` writes it or with an offset.
    var date: Date? { text.flatMap { DateText.date(sortable: $0) } }

    /// The number that a text spells, with all its digits. Others keep numbers as SQLite does: a
    /// floating point number is the decimal with the fewest digits that is read as the same.
    var decimal: Decimal? {
        switch type {
        case SQLITE_TEXT: text.flatMap { Decimal(exactText: String(decoding: $0, as: UTF8.self)) }
        case SQLITE_INTEGER: Decimal(sqlite3_value_int64(handle))
        case SQLITE_FLOAT: Decimal(exactText: sqlite3_value_double(handle).description)
        default: nil
        }
    }

    /// The stored type in words, for messages. It never shows the content.
    var kind: String {
        switch type {
        case SQLITE_NULL: "NULL"
        case SQLITE_INTEGER: "an integer"
        case SQLITE_FLOAT: "a number"
        case SQLITE_TEXT: "text"
        default: "bytes"
        }
    }
}
