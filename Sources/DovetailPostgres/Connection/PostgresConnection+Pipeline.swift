import CPostgres

extension PostgresConnection {
    /// Sends statements one after the other, without waiting in between, and reads all answers
    /// (https://www.postgresql.org/docs/current/libpq-pipeline-mode.html). What comes after a statement that
    /// fails is not run, and outside of a transaction all are one.
    ///
    /// - Parameters:
    ///   - count: How many statements there are.
    ///   - send: Sends one of them, and says as libpq whether it could: 0 for a failure.
    /// - Returns: An answer to each.
    /// - Throws: ``StoreError`` where there is none.
    func answers(to count: Int, _ send: (Int) -> Int32) throws -> [PostgresResult] {
        guard PQenterPipelineMode(handle) == 1, (0..<count).allSatisfy({ send($0) == 1 }),
            PQpipelineSync(handle) == 1
        else { throw lost() }
        var results: [PostgresResult] = []
        // A result and nil for each statement, then the mark of the end.
        var ends = 0
        while results.last?.status != PGRES_PIPELINE_SYNC {
            if let result = try nextResult() {
                results.append(result)
            } else {
                ends += 1
                if ends > count + 1 { throw lost() }
            }
        }
        guard PQexitPipelineMode(handle) == 1, results.count == count + 1 else { throw lost() }
        return results.dropLast()
    }

    /// Sends a text without parameters, which answers in the binary form.
    func send(_ sql: String) -> Int32 { PQsendQueryParams(handle, sql, 0, nil, nil, nil, nil, 1) }

    /// Runs a statement outside of a transaction where no session is kept: with the settings before it, as one
    /// transaction and in one round trip.
    ///
    /// - Returns: What the server has answered to the statement, or the error of the settings.
    /// - Throws: ``StoreError`` where there is no answer.
    func answerAlone(
        _ statement: PostgresStatement,
        _ fields: PostgresFields
    ) throws -> PostgresResult {
        let results = try answers(to: 2) { place in
            place == 0 ? send(options.localSettings) : send(statement, fields)
        }
        return results[0].isSuccess ? results[1] : results[0]
    }
}
