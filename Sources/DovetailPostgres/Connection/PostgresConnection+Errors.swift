import CPostgres
import DovetailSQL
import DovetailStore

// What went wrong, what is traced, and how texts and names stand in SQL.

extension PostgresConnection {
    /// The error of what the server has answered.
    func error(_ result: PostgresResult, _ table: String?) -> StoreError {
        if ["57014", "55P03"].contains(result.errorField("C")), let reason = interruption?.reason {
            return StoreInterruption.error(reason, table: table)
        }
        let error = StoreError(postgres: result, catalog, table: table, location: location)
        if error.isAboutOthers { lostTo = error }
        return error
    }

    /// The error of a connection that is gone.
    func lost() -> StoreError {
        if let reason = interruption?.reason { return StoreInterruption.error(reason) }
        return StoreError(
            .storageFailure,
            location: location,
            explanation: "the connection to the server was lost; what was not saved was undone",
            detail: PQerrorMessage(handle).map { String(cString: $0) }
        )
    }

    /// Reports what runs, where that is asked for.
    ///
    /// - Parameter body: gives the number of rows.
    func trace(
        _ sql: String,
        _ values: () -> String = { "" },
        _ body: () throws -> Int
    ) rethrows {
        guard let trace = options.trace else {
            _ = try body()
            return
        }
        let start = ContinuousClock.now
        var rows = 0
        defer {
            let words = trace.showsValues ? values() : ""
            trace.report(
                StoreTrace.Statement(
                    sql: words.isEmpty ? sql : sql + " " + words,
                    duration: .now - start,
                    rows: rows
                )
            )
        }
        rows = try body()
    }

    /// A text as a constant of SQL.
    ///
    /// - Throws: ``StoreError`` of kind `unsupported` for one with U+0000.
    func literal(_ text: String) throws -> String {
        let escaped = text.utf8.contains(0) ? nil : PQescapeLiteral(handle, text, text.utf8.count)
        guard let escaped else {
            throw StoreError(
                .unsupported,
                location: location,
                explanation: "PostgreSQL keeps no text with U+0000 in it"
            )
        }
        defer { PQfreemem(escaped) }
        return String(cString: escaped)
    }

    /// A name as SQL has it.
    func quoted(_ name: String) -> String { renderer.dialect.quoted(name) }
}
