/// A proxy between a program and a server, of those that lend a session of the server for less than a
/// connection lasts.
///
/// ```swift
/// var configuration = PostgresConfiguration("postgresql://app@pooler:6432/shop")
/// configuration.proxy = .transactionPooling
/// ```
public enum PostgresProxy: Hashable, Sendable {
    /// The session is lent for a transaction, as with `pool_mode = transaction` of PgBouncer
    /// (https://www.pgbouncer.org/features.html).
    ///
    /// Nothing is kept between two transactions then: a statement is not prepared, and all settings are those
    /// of a transaction. A question outside of one brings them along, in the same round trip. Lists that are
    /// larger than memory wait in memory, since a temporary table would be gone.
    case transactionPooling
}
