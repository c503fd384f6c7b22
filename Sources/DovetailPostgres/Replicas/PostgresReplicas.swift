import DovetailStore
import Synchronization

/// The connections of a store to replicas, and what a replica has to have replayed so that it may answer.
///
/// A position in the write-ahead log of the primary is a number of bytes
/// (https://www.postgresql.org/docs/current/datatype-pg-lsn.html). A replica that has replayed a position has
/// every transaction that was committed before the primary was asked for it. So neither the clocks of the
/// servers nor what a replica believes about its lag is asked for.
final class PostgresReplicas: Sendable {
    typealias Lease = ConnectionPool<PostgresConnection>.Lease

    /// What the primary has answered.
    private struct Sample {
        let position: Int64
        /// How many writers had ended before it was asked.
        let writers: Int
        /// When it was asked.
        let time: ContinuousClock.Instant
    }

    private struct State {
        var writers = 0
        var sample: Sample?
        /// No replica is looked for before this.
        var awayUntil: ContinuousClock.Instant?
    }

    private let pool: ConnectionPool<PostgresConnection>
    private let maximumLag: Duration
    private let state = Mutex(State())

    /// How long nobody looks for a replica after none was found.
    private static let pause = Duration.seconds(1)
    /// How long a reader waits for a connection to a replica before it asks the primary.
    private static let patience = Duration.milliseconds(500)

    init(
        _ settings: PoolSettings,
        maximumLag: Duration,
        location: String,
        open: @escaping @Sendable () throws -> sending PostgresConnection
    ) {
        var settings = settings
        settings.waitsFor = min(settings.waitsFor, Self.patience)
        pool = ConnectionPool(settings, location: location, open: open)
        self.maximumLag = maximumLag
    }

    /// Ends all connections.
    func close() { pool.close() }

    /// Somebody may have committed: what is read from now on has to have it.
    func noteWriter() { state.withLock { $0.writers += 1 } }

    /// Takes a connection to a replica that may answer now, which has to be given back; nil where the primary
    /// has to.
    ///
    /// - Parameter primary: Asks the primary for its position.
    /// - Throws: what `primary` throws; ``StoreError`` of kind `cancelled` or `deadlineExceeded`.
    func take(_ primary: () throws -> Int64) throws -> Lease? {
        let isAway = state.withLock { state in state.awayUntil.map { .now < $0 } ?? false }
        if isAway { return nil }
        let needed = try position(primary)
        do {
            let lease = try pool.take()
            var mayAnswer = false
            defer { if !mayAnswer { pool.giveBack(lease) } }
            mayAnswer = try lease.connection.hasReplayed(needed)
            return mayAnswer ? lease : nil
        } catch let error as StoreError
            where error.kind == .cancelled || error.kind == .deadlineExceeded
        {
            throw error
        } catch {
            state.withLock { $0.awayUntil = .now + Self.pause }
            return nil
        }
    }

    /// Gives back what was taken.
    func giveBack(_ lease: Lease) { pool.giveBack(lease) }

    /// The position that a replica has to have replayed.
    private func position(_ primary: () throws -> Int64) throws -> Int64 {
        let (known, writers) = state.withLock { ($0.sample, $0.writers) }
        let time = ContinuousClock.now
        if let known, known.writers == writers, time - known.time <= maximumLag {
            return known.position
        }
        let sample = Sample(position: try primary(), writers: writers, time: time)
        state.withLock { state in
            // Another thread may have asked later.
            if state.sample.map({ $0.time < time }) ?? true { state.sample = sample }
        }
        return sample.position
    }
}

extension PostgresConnection {
    /// The position up to which a primary has written its log, or a replica has replayed it.
    ///
    /// - Throws: ``StoreError``.
    func logPosition() throws -> Int64 {
        let result = try run(
            """
            SELECT pg_catalog.pg_wal_lsn_diff(
                CASE WHEN pg_catalog.pg_is_in_recovery()
                    THEN coalesce(pg_catalog.pg_last_wal_replay_lsn(), '0/0')
                    ELSE pg_catalog.pg_current_wal_insert_lsn() END,
                '0/0'
            )::text
            """
        )
        return result.text(0, 0).flatMap { Int64($0) } ?? 0
    }

    /// Whether the server has replayed a position. One that it had once it has for good.
    ///
    /// - Throws: ``StoreError``.
    fileprivate func hasReplayed(_ position: Int64) throws -> Bool {
        if replayed < position { replayed = try serving { try logPosition() } }
        return replayed >= position
    }
}
