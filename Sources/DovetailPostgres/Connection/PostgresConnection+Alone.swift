import CPostgres

extension PostgresConnection {
    /// Runs a statement outside of a transaction where no session is kept: with the settings before it, as one
    /// transaction and in one round trip
    /// (https://www.postgresql.org/docs/current/libpq-pipeline-mode.html).
    ///
    /// - Returns: What the server has answered to the statement, or the error of the settings.
    /// - Throws: ``StoreError`` where there is no answer.
    func answerAlone(
        _ statement: PostgresStatement,
        _ fields: PostgresFields
    ) throws -> PostgresResult {
        guard PQenterPipelineMode(handle) == 1 else { throw lost() }
        let isSent =
            PQsendQueryParams(handle, options.localSettings, 0, nil, nil, nil, nil, 1) == 1
            && send(statement, fields) == 1 && PQpipelineSync(handle) == 1
        guard isSent else { throw lost() }
        var results: [PostgresResult] = []
        // A result and nil for each statement, then the mark of the end.
        var ends = 0
        while results.last?.status != PGRES_PIPELINE_SYNC {
            if let result = try nextResult() {
                results.append(result)
            } else {
                ends += 1
                if ends > 3 { throw lost() }
            }
        }
        guard PQexitPipelineMode(handle) == 1, results.count == 3 else { throw lost() }
        return results[0].isSuccess ? results[1] : results[0]
    }
}
