import DovetailStore

/// Lends connections to threads that wait for them. The rules are ``PoolState``'s.
///
/// Opening a connection and asking whether one is alive happen on threads of their own, so that whoever
/// waits can stop doing so at any time.
final class ConnectionPool<Connection: PooledConnection>: Sendable {
    /// A connection that is lent.
    struct Lease {
        let connection: Connection
        fileprivate let slot: PoolState.Slot
    }

    private let core: PoolCore<Connection>
    private let location: String?

    /// Makes a pool, which opens nothing yet.
    ///
    /// - Parameters:
    ///   - location: Where the server is, for errors; without secrets.
    ///   - open: Opens a connection. It is called on threads of the pool, several at once, and has to
    ///     end by itself when the server does not answer.
    init(
        _ settings: PoolSettings,
        location: String? = nil,
        open: @escaping @Sendable () throws -> sending Connection
    ) {
        core = PoolCore(settings, open: open)
        self.location = location
    }

    deinit {
        core.tell(.shutDown)
    }

    /// Runs `body` with a connection that nobody else uses until `body` returns.
    ///
    /// Blocks the calling thread until one is free, in the order of arrival. A call inside of `body` takes
    /// another connection; as many of these as the pool has would wait for each other.
    ///
    /// - Parameter deadline: When the caller stops waiting, if that is earlier than
    ///   ``PoolSettings/waitsFor`` and what ``StoreInterruption/current`` says.
    /// - Throws: what `body` throws, and what ``take(deadline:)`` does.
    func withConnection<Result>(
        deadline: ContinuousClock.Instant? = nil,
        _ body: (Connection) throws -> Result
    ) throws -> Result {
        let lease = try take(deadline: deadline)
        defer { giveBack(lease) }
        return try body(lease.connection)
    }

    /// Takes a connection, which has to be given back once.
    ///
    /// - Throws: ``StoreError``: `cancelled` and `deadlineExceeded` where the caller was to wait no longer,
    ///   `locked` when all connections were in use for too long, `cannotOpen` when the server could not
    ///   be reached or the pool is closed; the error of opening one that does not pass.
    func take(deadline: ContinuousClock.Instant? = nil) throws -> Lease {
        let interruption = StoreInterruption.current
        try interruption?.check()
        if let (slot, member) = core.takeIdle() {
            if member.connection.isUsable {
                return Lease(connection: member.connection, slot: slot)
            }
            core.tell(.givenBack(slot, isWhole: false))
        }
        let latest = core.now + core.settings.waitsFor
        let until = deadline.map { min(core.time($0), latest) } ?? latest
        var answer = try core.request(until: until, interruption)
        while case .lent(let slot, let request, let member) = answer {
            if member.connection.isUsable {
                return Lease(connection: member.connection, slot: slot)
            }
            try interruption?.check(orGive: { core.tell(.givenBack(slot, isWhole: false)) })
            answer = try core.replace(slot, of: request, until: until, interruption)
        }
        throw error(of: answer, deadline)
    }

    /// Gives back what was taken.
    func giveBack(_ lease: Lease) {
        core.tell(.givenBack(lease.slot, isWhole: lease.connection.isFree))
    }

    /// Ends all connections: those that are lent when they are given back. Nobody is lent one any more.
    func close() { core.tell(.shutDown) }

    /// How many connections are open, being opened or being closed.
    var count: Int { core.count }

    /// How many callers wait.
    var waiting: Int { core.waiting }

    private func error(
        of answer: PoolCore<Connection>.Answer,
        _ deadline: ContinuousClock.Instant?
    ) -> any Error {
        guard case .refused(let refusal, let cause) = answer else {
            return StoreError(.other, location: location, explanation: "the pool gave no answer")
        }
        if refusal == .isFull || refusal == .isAway, let deadline, deadline <= .now {
            return StoreInterruption.error(.deadlineExceeded)
        }
        switch refusal {
        case .isFull:
            return StoreError(
                .locked,
                location: location,
                explanation:
                    "all connections of the pool (\(max(1, core.settings.size))) were in use "
                    + "for longer than a caller waits; see PoolSettings.size and waitsFor"
            )
        case .isShutDown:
            return StoreError(.cannotOpen, location: location, explanation: "the store was closed")
        case .isAway, .isRefused:
            return cause
                ?? StoreError(
                    .cannotOpen,
                    location: location,
                    explanation: "the server cannot be reached"
                )
        }
    }
}

extension StoreInterruption {
    /// Like ``check()``, and gives back something before it throws.
    fileprivate func check(orGive back: () -> Void) throws {
        guard let reason else { return }
        back()
        throw Self.error(reason)
    }
}
