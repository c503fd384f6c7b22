import DovetailModel
import Foundation

/// What takes the values of columns as SQLite has them: numbers, texts and bytes. What SQLite has no type for
/// is one of these.
protocol SQLiteSink: RowSink {}

extension SQLiteSink {
    func set(_ column: Int, bool: Bool) throws {
        try set(column, integer: bool ? 1 : 0)
    }

    /// The digits, because a column of numbers would round them.
    func set(_ column: Int, decimal: Decimal) throws {
        var text = decimal.description
        try text.withUTF8 { try set(column, text: $0) }
    }

    /// Text that SQLite's date functions read, with as many digits as bring back the equal date.
    ///
    /// - Throws: ``ModelEncodingError`` outside of the years 0 to 9999, and ``StoreError``.
    func set(_ column: Int, date: Date) throws {
        try DateText.withText(of: date, .sortable) { try set(column, text: $0) }
    }

    /// JSON is text, which SQLite's JSON functions read (https://sqlite.org/json1.html).
    func set(_ column: Int, document: UnsafeBufferPointer<UInt8>) throws {
        try set(column, text: document)
    }
}
