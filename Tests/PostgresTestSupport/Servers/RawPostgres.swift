import CPostgres

/// A connection by hand, as another program would open it. Values are text.
package final class RawPostgres {
    /// What the server or libpq said.
    package struct Failure: Error, CustomStringConvertible {
        package let message: String
        /// The five characters of SQLSTATE; nil where the server said nothing.
        package let state: String?
        package var description: String { message }
    }

    private let handle: OpaquePointer

    /// Connects.
    ///
    /// - Parameter connectionString: As libpq understands it: a URL, or `key=value` in a row.
    package init(_ connectionString: String) throws {
        guard let handle = PQconnectdb(connectionString) else {
            throw Failure(message: "no memory for a connection", state: nil)
        }
        self.handle = handle
        guard PQstatus(handle) == CONNECTION_OK else {
            // The handle is closed by deinit, which runs since all members are there.
            throw Failure(message: String(cString: PQerrorMessage(handle)), state: nil)
        }
        PQsetNoticeProcessor(handle, { _, _ in }, nil)
    }

    deinit {
        PQfinish(handle)
    }

    /// The process of the server that serves this connection.
    package var backend: Int32 { PQbackendPID(handle) }

    /// Runs statements, of which the last one may give rows; NULL is nil.
    @discardableResult
    package func rows(_ sql: String) throws -> [[String?]] {
        let result = PQexec(handle, sql)
        defer { PQclear(result) }
        let status = PQresultStatus(result)
        guard [PGRES_TUPLES_OK, PGRES_COMMAND_OK, PGRES_EMPTY_QUERY].contains(status) else {
            // 'C' is PG_DIAG_SQLSTATE, a macro that Swift does not see.
            let state = PQresultErrorField(result, Int32(UInt8(ascii: "C")))
            throw Failure(
                message: String(cString: PQerrorMessage(handle)),
                state: state.map { String(cString: $0) }
            )
        }
        return (0..<PQntuples(result)).map { row in
            (0..<PQnfields(result)).map { column in
                guard PQgetisnull(result, row, column) == 0 else { return nil }
                return String(cString: PQgetvalue(result, row, column))
            }
        }
    }

    /// The first column of the first row.
    package func value(_ sql: String) throws -> String? {
        try rows(sql).first?.first ?? nil
    }

    /// A name in double quotes.
    package static func quoted(_ name: String) -> String {
        "\"\(name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\""))\""
    }
}
