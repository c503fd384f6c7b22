import CPostgres
import DovetailStore
import Foundation

/// What all connections of a store have in common.
struct PostgresOptions: Sendable {
    let address: String
    /// Where the server is, without a role or a password.
    let location: String
    let pool: PoolSettings
    let connectTimeout: Duration
    let saveAttempts: Int
    let trace: StoreTrace?
    let history: StoreHistory?
    /// What is said at the beginning of each connection.
    let settings: String

    /// Reads the address.
    ///
    /// - Throws: ``StoreError`` of kind `cannotOpen` for what is none.
    init(_ configuration: PostgresConfiguration) throws {
        address = configuration.address
        location = try Self.location(of: configuration.address)
        pool = configuration.pool
        connectTimeout = configuration.connectTimeout
        saveAttempts = max(1, configuration.saveAttempts)
        trace = configuration.trace
        history = configuration.history
        var settings = ["SET TIME ZONE 'UTC'"]
        let timeouts = [
            ("statement_timeout", configuration.statementTimeout),
            ("lock_timeout", configuration.lockTimeout),
            ("idle_in_transaction_session_timeout", configuration.idleInTransactionTimeout),
        ]
        for case (let name, let duration?) in timeouts {
            // Zero would mean that there is none.
            let (seconds, attoseconds) = duration.components
            let milliseconds = max(1, seconds * 1000 + attoseconds / 1_000_000_000_000_000)
            settings.append("SET \(name) = \(min(milliseconds, Int64(Int32.max)))")
        }
        if let path = configuration.searchPath {
            let names = path.map { "\"" + $0.replacing("\"", with: "\"\"") + "\"" }
            settings.append(
                "SET search_path TO \(names.isEmpty ? "''" : names.joined(separator: ", "))"
            )
        }
        self.settings = settings.joined(separator: "; ")
    }

    /// Host, port and database of an address, as an address.
    private static func location(of address: String) throws -> String {
        var words: UnsafeMutablePointer<CChar>?
        guard !address.utf8.contains(0), let options = PQconninfoParse(address, &words) else {
            defer { PQfreemem(words) }
            throw StoreError(
                .cannotOpen,
                explanation: "the address of the server is none that libpq understands",
                detail: words.map { String(cString: $0) }
            )
        }
        defer { PQconninfoFree(options) }
        var values: [String: String] = [:]
        var option = options
        while let keyword = option.pointee.keyword {
            if let value = option.pointee.val {
                values[String(cString: keyword)] = String(cString: value)
            }
            option += 1
        }
        let host = values["host"] ?? values["hostaddr"] ?? "localhost"
        let port = values["port"].map { ":" + $0 } ?? ""
        return "postgresql://\(host)\(port)/\(values["dbname"] ?? "")"
    }
}
