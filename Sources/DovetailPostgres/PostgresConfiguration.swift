public import DovetailStore
import Foundation

/// A store on a PostgreSQL server, 14 or later.
///
/// ```swift
/// import Dovetail
/// import DovetailPostgres
///
/// let container = try ModelContainer(
///     for: User.self,
///     configurations: PostgresConfiguration("postgresql://app@db1,db2/shop?target_session_attrs=read-write")
/// )
/// ```
///
/// The address is one of libpq's: a URI, or names and values
/// (https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNSTRING). What it does not say comes
/// from libpq's environment variables and files, such as `PGPASSWORD`, `~/.pgpass` and a service file. Several
/// hosts, TLS and its certificates are libpq's, too.
///
/// Making the value opens nothing.
public struct PostgresConfiguration: DataStoreConfiguration {
    /// The address. It may hold a password, so no message shows it.
    public var address: String
    /// The schemas in which tables are looked for; new ones are made in the first. Nil for those of the
    /// role, which is `public` unless somebody has said otherwise. They have to exist.
    public var searchPath: [String]?
    /// How many connections there are, and how long they are waited for.
    public var pool = PoolSettings()
    /// Which server answers questions outside of transactions that write.
    public var reads = PostgresReads.primary
    /// What stands between the program and the server and keeps no session for a connection; nil where nothing
    /// does, or a proxy that keeps one.
    public var proxy: PostgresProxy?
    /// How long to wait for a server to answer a new connection, in whole seconds of at least two.
    public var connectTimeout: Duration = .seconds(10)
    /// How long a statement may run; nil for as long as the server allows. After it there is a
    /// ``StoreError`` of kind `deadlineExceeded`.
    public var statementTimeout: Duration?
    /// How long a statement waits for what another transaction has locked; after it there is a
    /// ``StoreError`` of kind `locked`.
    public var lockTimeout: Duration? = .seconds(5)
    /// How long a transaction may do nothing before the server ends it and its connection; nil for as long
    /// as the server allows.
    public var idleInTransactionTimeout: Duration? = .seconds(60)
    /// How often a save is tried in all when other transactions are in its way, with a pause that becomes
    /// longer. After that it throws ``StoreError`` of kind `serializationFailure` or `deadlock`, and
    /// everything still waits.
    public var saveAttempts = 10
    /// Whether the database keeps what is changed, for `ModelContext.history(since:limit:)` and merges. Nil
    /// leaves it as it is. Transactions that change something wait for each other at their end then.
    public var history: StoreHistory?
    /// Reports each statement.
    public var trace: StoreTrace?

    /// A store at an address.
    public init(_ address: String) {
        self.address = address
    }

    /// Connects, and creates the tables that the database lacks.
    ///
    /// - Complexity: some queries of the database's own tables; it does not grow with the rows.
    /// - Throws: ``StoreError``: `cannotOpen` when the server cannot be reached or refuses the role,
    ///   `invalidSchema` when a table does not fit its model, `newerFormat`, and `readOnly` where a table
    ///   is missing and may not be made.
    public func makeStore(for schema: Schema) throws -> any DataStore {
        try PostgresStore(PostgresOptions(self), schema)
    }
}
