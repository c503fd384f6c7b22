import CSQLite
import DovetailModel
import DovetailStore

/// A list that is bound to one parameter, as a table of one column: `"id" IN dovetail_list(?1)`
/// (https://sqlite.org/vtab.html#tabfunc2).
///
/// The table exists in no schema, and has no rows without the pointer that only a statement of ours
/// is bound to.
enum SQLiteList {
    /// What is bound.
    final class Values {
        let values: [QueryValue]

        init(_ values: [QueryValue]) {
            self.values = values
        }
    }

    /// A cursor over one list. SQLite knows its first part alone.
    ///
    /// Invariant: `open` makes it and `close` frees it; SQLite calls the other functions in between.
    private struct Cursor {
        var base = sqlite3_vtab_cursor()
        var values: Values?
        var index = 0
    }

    /// The functions of the table, at an address that SQLite keeps as long as the process has
    /// connections.
    ///
    /// Invariant of the unsafe `nonisolated`: made once, under the lock of Swift's globals, and never
    /// changed or freed; threads only read it.
    private nonisolated(unsafe) static let module = {
        let module = UnsafeMutablePointer<sqlite3_module>.allocate(capacity: 1)
        var functions = sqlite3_module()
        functions.xConnect = { connection, _, _, _, table, _ in
            SQLiteList.connect(connection, table)
        }
        functions.xBestIndex = { _, plan in SQLiteList.plan(plan) }
        functions.xDisconnect = { table in
            table?.deallocate()
            return SQLITE_OK
        }
        functions.xOpen = { _, cursor in
            let new = UnsafeMutablePointer<Cursor>.allocate(capacity: 1)
            new.initialize(to: Cursor())
            cursor?.pointee = UnsafeMutableRawPointer(new)
                .assumingMemoryBound(to: sqlite3_vtab_cursor.self)
            return SQLITE_OK
        }
        functions.xClose = { cursor in
            let old = SQLiteList.cursor(cursor)
            old?.deinitialize(count: 1)
            old?.deallocate()
            return SQLITE_OK
        }
        functions.xFilter = { cursor, _, _, count, values in
            let cursor = SQLiteList.cursor(cursor)
            cursor?.pointee.index = 0
            cursor?.pointee.values =
                count > 0 ? values.flatMap { SQLiteFunctions.object($0[0]) as? Values } : nil
            return SQLITE_OK
        }
        functions.xNext = { cursor in
            SQLiteList.cursor(cursor)?.pointee.index += 1
            return SQLITE_OK
        }
        functions.xEof = { cursor in
            guard let cursor = SQLiteList.cursor(cursor)?.pointee else { return 1 }
            return cursor.index < cursor.values?.values.count ?? 0 ? 0 : 1
        }
        functions.xColumn = { cursor, context, column in
            guard column == 0, let cursor = SQLiteList.cursor(cursor)?.pointee,
                let values = cursor.values?.values, cursor.index < values.count
            else { return SQLITE_OK }
            // `SQLiteStatement.bind` has refused the dates that no column can hold.
            try? SQLiteFunctions.give(values[cursor.index], context)
            return SQLITE_OK
        }
        functions.xRowid = { cursor, row in
            row?.pointee = Int64(SQLiteList.cursor(cursor)?.pointee.index ?? 0)
            return SQLITE_OK
        }
        module.initialize(to: functions)
        return module
    }()

    private static func cursor(
        _ cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>?
    ) -> UnsafeMutablePointer<Cursor>? {
        cursor.map { UnsafeMutableRawPointer($0).assumingMemoryBound(to: Cursor.self) }
    }

    /// Adds the table to a connection that was just opened.
    static func register(on connection: SQLiteConnection) {
        sqlite3_create_module_v2(connection.handle, "dovetail_list", module, nil, nil)
    }

    private static func connect(
        _ connection: OpaquePointer?,
        _ table: UnsafeMutablePointer<UnsafeMutablePointer<sqlite3_vtab>?>?
    ) -> Int32 {
        let code = sqlite3_declare_vtab(connection, "CREATE TABLE list(value, source HIDDEN)")
        guard code == SQLITE_OK else { return code }
        let new = UnsafeMutablePointer<sqlite3_vtab>.allocate(capacity: 1)
        new.initialize(to: sqlite3_vtab())
        table?.pointee = new
        return SQLITE_OK
    }

    /// Takes the parameter as the one argument of `xFilter`.
    private static func plan(_ plan: UnsafeMutablePointer<sqlite3_index_info>?) -> Int32 {
        guard let plan else { return SQLITE_OK }
        plan.pointee.estimatedCost = 1
        plan.pointee.estimatedRows = 100
        for index in 0..<Int(plan.pointee.nConstraint) {
            let constraint = plan.pointee.aConstraint[index]
            guard constraint.iColumn == 1, constraint.usable != 0,
                constraint.op == UInt8(SQLITE_INDEX_CONSTRAINT_EQ)
            else { continue }
            plan.pointee.aConstraintUsage[index].argvIndex = 1
            plan.pointee.aConstraintUsage[index].omit = 1
            return SQLITE_OK
        }
        return SQLITE_CONSTRAINT
    }
}
