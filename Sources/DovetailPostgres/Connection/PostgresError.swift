import CPostgres
import DovetailStore

extension StoreError {
    /// The error that the server has answered with, by its SQLSTATE
    /// (https://www.postgresql.org/docs/current/errcodes-appendix.html).
    ///
    /// The server's words go into `debugDescription` only, because they may quote stored data.
    ///
    /// - Parameters:
    ///   - result: What the server has answered.
    ///   - catalog: Knows the columns of constraints.
    ///   - table: The table that the statement was about.
    init(
        postgres result: PostgresResult,
        _ catalog: PostgresCatalog,
        table: String?,
        location: String
    ) {
        let state = result.errorField("C") ?? ""
        let constraint = result.errorField("n").flatMap { catalog.constraints[$0] }
        let (kind, meaning) = Self.meaning(of: state)
        let isConstraint = state.hasPrefix("23")
        var explanation = meaning
        if state == "23505", constraint?.isPrimary == true {
            explanation = "a row with this key exists already"
        }
        self.init(
            kind,
            table: isConstraint ? constraint?.table ?? result.errorField("t") ?? table : table,
            column: constraint?.columns ?? result.errorField("c"),
            location: isConstraint ? nil : location,
            explanation: explanation + (state.isEmpty ? "" : " (SQLSTATE \(state))"),
            detail: PQresultErrorMessage(result.handle).map { String(cString: $0) }
        )
    }

    /// The kind and the explanation of a state.
    private static func meaning(of state: String) -> (Kind, String) {
        switch state {
        case "23505": return (.uniqueViolation, "another row has this value already")
        case "23502": return (.notNullViolation, "a required column would be NULL")
        case "23503": return (.foreignKeyViolation, "a row refers to one that does not exist")
        case "40001":
            return (
                .serializationFailure,
                "another transaction has changed what this one has read; begin it again"
            )
        case "40P01": return (.deadlock, "two transactions wait for each other; begin it again")
        case "55P03":
            return (.locked, "another transaction holds a lock; try again, or wait longer")
        case "57014": return (.deadlineExceeded, "the statement took longer than the server allows")
        case "25006", "42501": return (.readOnly, "the role, or the server, allows no change here")
        case "55000", "42809":
            return (.readOnly, "the relation is no table whose rows can be changed")
        case "42P01", "3F000":
            return (.invalidSchema, "the statement names a table or schema that is not there")
        case "42703":
            return (.invalidSchema, "the table has no such column; another program has changed it")
        case "428C9":
            return (.readOnly, "the database alone gives a column of the table its values")
        case "22001":
            return (.constraintViolation, "a text is longer than its column allows")
        case "P0001":
            return (.constraintViolation, "a trigger or a function of the database refuses it")
        case "22003": return (.outOfRange, "a number has no value of its type")
        case "22021", "22P05": return (.unsupported, "PostgreSQL keeps no text with U+0000 in it")
        case "25P03":
            return (
                .storageFailure,
                "the transaction did nothing for longer than the server allows, and was undone"
            )
        case "25P02":
            return (
                .storageFailure,
                "an error before this one has undone the whole transaction; begin it again"
            )
        default: break
        }
        switch state.prefix(2) {
        case "08", "57": return (.storageFailure, "the connection to the server was lost")
        case "23": return (.constraintViolation, "a constraint of the table refuses the row")
        case "28": return (.cannotOpen, "the server refuses the role or its password")
        case "3D": return (.cannotOpen, "the database does not exist")
        case "53", "58":
            return (.storageFailure, "the server has no disk, memory or connections left")
        case "XX": return (.corrupt, "the server reports damage, or an error of its own")
        default: return (.other, "PostgreSQL reports an error")
        }
    }
}
