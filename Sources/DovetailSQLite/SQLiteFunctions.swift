import CSQLite
import DovetailModel
import DovetailStore
import Foundation

/// What Dovetail adds to SQLite on each connection: calls of programs, for what SQL has no form for,
/// the order of decimals, sums (``SQLiteSums``), and lists (``SQLiteList``). They stand in queries only
/// and never in a schema.
enum SQLiteFunctions {
    /// A program that is bound to a parameter. It is used by one statement, so by one thread at a
    /// time.
    final class Program {
        let program: QueryProgram
        private let row: SQLiteArguments
        /// The rows around it.
        private let others: [SQLiteArguments]
        /// Takes the error of the program. Invariant: the connection outlives its statements, which
        /// own what is bound to them.
        unowned let connection: SQLiteConnection

        init(_ program: QueryProgram, _ connection: SQLiteConnection) {
            self.program = program
            row = SQLiteArguments(program.columns, from: 0)
            var count = program.columns.count
            others = program.outerRows.map { row in
                defer { count += row.columns.count }
                return SQLiteArguments(row.columns, from: count)
            }
            self.connection = connection
        }

        /// The value for the arguments of a call, while SQLite keeps them.
        func value(of arguments: UnsafeMutableBufferPointer<OpaquePointer?>) throws -> QueryValue {
            row.values = arguments
            for row in others { row.values = arguments }
            defer {
                row.values = nil
                for row in others { row.values = nil }
            }
            return try program.value(of: row, outerRows: others)
        }
    }

    /// The name under which a pointer is bound. SQLite keeps the address and compares the text.
    static var pointerType: UnsafePointer<CChar> {
        UnsafeRawPointer(("dovetail" as StaticString).utf8Start).assumingMemoryBound(to: CChar.self)
    }

    /// Adds the functions to a connection that was just opened.
    static func register(on connection: SQLiteConnection) {
        // A schema that somebody has prepared cannot call it (SQLITE_DIRECTONLY,
        // https://sqlite.org/c3ref/c_deterministic.html).
        sqlite3_create_function_v2(
            connection.handle,
            "dovetail_evaluate",
            -1,
            SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY,
            nil,
            { context, count, values in SQLiteFunctions.evaluate(context, count, values) },
            nil,
            nil,
            nil
        )
        SQLiteSums.register(on: connection)
        registerForms(on: connection)
        SQLiteList.register(on: connection)
        sqlite3_create_collation_v2(
            connection.handle,
            "dovetail_decimal",
            SQLITE_UTF8,
            nil,
            { _, leftCount, left, rightCount, right in
                SQLiteFunctions.compareDecimals(
                    UnsafeRawBufferPointer(start: left, count: Int(leftCount)),
                    UnsafeRawBufferPointer(start: right, count: Int(rightCount))
                )
            },
            nil
        )
    }

    private static func evaluate(
        _ context: OpaquePointer?,
        _ count: Int32,
        _ values: UnsafeMutablePointer<OpaquePointer?>?
    ) {
        // Without our pointer somebody else has called the function: there is no answer then.
        guard let values, count > 0,
            let program = object(values[0]) as? Program
        else { return sqlite3_result_null(context) }
        let arguments = UnsafeMutableBufferPointer(start: values + 1, count: Int(count) - 1)
        do {
            try give(program.value(of: arguments), context)
        } catch {
            program.connection.programError = error
            sqlite3_result_error(context, "dovetail_evaluate", -1)
        }
    }

    /// The object that a pointer was bound to; nil for a value of another kind.
    static func object(_ value: OpaquePointer?) -> AnyObject? {
        sqlite3_value_pointer(value, pointerType).map {
            Unmanaged<AnyObject>.fromOpaque($0).takeUnretainedValue()
        }
    }

    /// Gives a value back in the form in which a column holds it.
    static func give(_ value: QueryValue, _ context: OpaquePointer?) throws {
        switch value {
        case .null: sqlite3_result_null(context)
        case .bool(let value): sqlite3_result_int(context, value ? 1 : 0)
        case .integer(let value): sqlite3_result_int64(context, value)
        case .double(let value): sqlite3_result_double(context, value)
        case .decimal(let value): give(value.description, context)
        case .text(let value), .document(let value): give(value, context)
        case .date(let value): give(try DateText.sortable(value), context)
        case .data(let value):
            value.withUnsafeBytes { bytes in
                // A null pointer would give NULL.
                guard let start = bytes.baseAddress, !bytes.isEmpty else {
                    return sqlite3_result_zeroblob(context, 0)
                }
                sqlite3_result_blob64(context, start, UInt64(bytes.count), SQLiteStatement.copied)
            }
        }
    }

    /// The same for text.
    static func give(_ text: String, _ context: OpaquePointer?) {
        var text = text
        text.withUTF8 { bytes in
            let start = bytes.baseAddress ?? ("" as StaticString).utf8Start
            UnsafeRawPointer(start).withMemoryRebound(to: CChar.self, capacity: bytes.count) {
                sqlite3_result_text64(
                    context,
                    $0,
                    UInt64(bytes.count),
                    SQLiteStatement.copied,
                    UInt8(SQLITE_UTF8)
                )
            }
        }
    }

    /// Orders texts that are decimal numbers by their values, and others by their bytes after them.
    private static func compareDecimals(
        _ left: UnsafeRawBufferPointer,
        _ right: UnsafeRawBufferPointer
    ) -> Int32 {
        if let first = DecimalText(left), let second = DecimalText(right) {
            return first.order(to: second)
        }
        let (first, second) = (decimal(left), decimal(right))
        switch (first, second) {
        case (let first?, let second?): return first < second ? -1 : first > second ? 1 : 0
        case (nil, _?): return 1
        case (_?, nil): return -1
        case (nil, nil):
            if left.elementsEqual(right) { return 0 }
            return left.lexicographicallyPrecedes(right) ? -1 : 1
        }
    }

    private static func decimal(_ text: UnsafeRawBufferPointer) -> Decimal? {
        Decimal(exactBytes: text.bindMemory(to: UInt8.self))
    }
}

/// The arguments of a call as the columns of a row. Their kinds are those of a cursor.
final class SQLiteArguments: RowSource {
    /// The place of each column among the arguments; -1 for those that are none.
    private let places: [Int]
    /// The arguments of the call that runs. Invariant: set and removed by
    /// `SQLiteFunctions.Program`, while SQLite keeps them.
    var values: UnsafeMutableBufferPointer<OpaquePointer?>?

    /// - Parameter first: The place of the first column.
    init(_ columns: [Int], from first: Int) {
        var places = Array(repeating: -1, count: (columns.max() ?? -1) + 1)
        for (place, column) in columns.enumerated() { places[column] = first + place }
        self.places = places
    }

    func cell(_ column: Int) -> RowCell {
        let place = places.indices.contains(column) ? places[column] : -1
        guard let values, values.indices.contains(place) else { return .null }
        return RowCell(sqlite: values[place])
    }
}
