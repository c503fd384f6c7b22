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
    /// The settings of a session, each with its value as a literal.
    private let settings: [(name: String, value: String)]
    /// Which servers may answer questions.
    let reads: PostgresReads
    /// When plans are too old.
    let planAges = PlanAges()
    /// Whether a session lasts as long as a connection, with what was prepared and set in it.
    let keepsSession: Bool

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
        reads = configuration.reads
        keepsSession = configuration.proxy == nil
        var settings = [("timezone", "'UTC'")]
        let timeouts = [
            ("statement_timeout", configuration.statementTimeout),
            ("lock_timeout", configuration.lockTimeout),
            ("idle_in_transaction_session_timeout", configuration.idleInTransactionTimeout),
        ]
        for case (let name, let duration?) in timeouts {
            // Zero would mean that there is none.
            let (seconds, attoseconds) = duration.components
            let milliseconds = max(1, seconds * 1000 + attoseconds / 1_000_000_000_000_000)
            settings.append((name, "'\(min(milliseconds, Int64(Int32.max)))'"))
        }
        if let path = configuration.searchPath {
            let names = path.map { "\"" + $0.replacing("\"", with: "\"\"") + "\"" }
            let list = names.joined(separator: ", ").replacing("'", with: "''")
            settings.append(("search_path", "'\(list)'"))
        }
        self.settings = settings
    }

    /// What is said at the beginning of each connection; nil where its session may be another one's next.
    var sessionSettings: String? {
        keepsSession ? "SELECT " + calls(areLocal: false) : nil
    }

    /// A statement that sets them for a transaction.
    var localSettings: String { "SELECT " + calls(areLocal: true) }

    /// What begins a transaction, with the settings where they are those of a transaction.
    func begin(_ mode: String) -> [String] {
        ["BEGIN \(mode)"] + (keepsSession ? [] : [localSettings])
    }

    /// Calls of a function, since `SET` takes a list of schemas that is no text.
    private func calls(areLocal: Bool) -> String {
        settings.map { "pg_catalog.set_config('\($0.name)', \($0.value), \(areLocal))" }
            .joined(separator: ", ")
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
