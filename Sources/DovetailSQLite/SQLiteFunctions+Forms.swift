import CSQLite
import DovetailModel
import DovetailStore
import Foundation

// The columns of tables of others (`SQLColumnForm`), as columns of ours have them.

extension SQLiteFunctions {
    /// Adds `dovetail_date` and `dovetail_number`, which give what is no date or no number as it is:
    /// reading the row says so.
    static func registerForms(on connection: SQLiteConnection) {
        let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY
        sqlite3_create_function_v2(
            connection.handle,
            "dovetail_date",
            1,
            flags,
            nil,
            { context, _, values in SQLiteFunctions.giveDate(context, values) },
            nil,
            nil,
            nil
        )
        sqlite3_create_function_v2(
            connection.handle,
            "dovetail_number",
            1,
            flags,
            nil,
            { context, _, values in SQLiteFunctions.giveNumber(context, values) },
            nil,
            nil,
            nil
        )
    }

    private static func giveDate(
        _ context: OpaquePointer?,
        _ values: UnsafeMutablePointer<OpaquePointer?>?
    ) {
        guard let values else { return sqlite3_result_null(context) }
        let value = RowCell(sqlite: values[0])
        // Most dates of others have this form already. (Only a leap second begins with a 6.)
        if let text = value.text, text.count == 19, text[10] == 0x20, text[17] < 0x36 {
            return sqlite3_result_value(context, values[0])
        }
        guard let date = value.date, let text = try? DateText.sortable(date) else {
            return sqlite3_result_value(context, values[0])
        }
        give(text, context)
    }

    private static func giveNumber(
        _ context: OpaquePointer?,
        _ values: UnsafeMutablePointer<OpaquePointer?>?
    ) {
        guard let values else { return sqlite3_result_null(context) }
        guard let number = RowCell(sqlite: values[0]).decimal else {
            return sqlite3_result_value(context, values[0])
        }
        give(number.description, context)
    }
}
