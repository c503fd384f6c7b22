/// Which of the servers of an address answers questions outside of a transaction that writes.
///
/// ```swift
/// var configuration = PostgresConfiguration("postgresql://app@db1,db2,db3/shop?target_session_attrs=read-write")
/// configuration.reads = .replica(maximumLag: .seconds(5))
/// ```
public enum PostgresReads: Hashable, Sendable {
    /// The one that the address leads to, which is the one that is written to.
    case primary
    /// A hot standby (https://www.postgresql.org/docs/current/hot-standby.html) among the hosts of the address,
    /// for `container.read`, and for fetches outside of a transaction, as long as it has replayed everything
    /// that was saved through this container, and everything that the primary had `maximumLag` ago. Where none
    /// has, or none can be reached, the primary answers.
    ///
    /// So whoever has saved reads what it has saved, in every context of the container; what others have
    /// saved is seen after `maximumLag` at the latest. It costs a round trip to the primary after each save
    /// that is followed by a read, and otherwise one in `maximumLag`.
    case replica(maximumLag: Duration)
}
