/// The rules of a pool of connections: what happens goes in, and what is to be done comes out.
///
/// It knows no sockets, threads or clocks. ``ConnectionPool`` tells it what happens and does what it
/// says. What always holds:
///
/// - At most `size` slots are in use. A slot is a connection, from the order to open it to its end.
/// - Each request is answered once, by a slot or by a refusal, and those that are lent something are so
///   in the order in which they came.
/// - A slot is lent to one request at a time.
/// - While a request waits, every slot is lent, being opened, checked or closed, or there is a time at which
///   the next attempt to open one is due.
struct PoolState {
    /// Names a request. A number is not used again.
    typealias Request = Int
    /// Names a connection. A number is not used again.
    typealias Slot = Int
    /// The time since some instant, the same one for all events of a pool.
    typealias Instant = Duration

    /// What happens.
    enum Event: Hashable {
        /// Somebody wants a connection, and waits until an instant.
        case requested(Request, until: Instant)
        /// Somebody who waits does not want one any more.
        case withdrawn(Request)
        /// A connection is open.
        case opened(Slot)
        /// A connection could not be opened. One that may work later is tried again.
        case openFailed(Slot, mayPass: Bool)
        /// Whoever had a connection is done with it.
        case givenBack(Slot, isWhole: Bool)
        /// Whoever was lent a connection saw at once that it is broken, and wants another one. The request
        /// keeps its place.
        case foundBroken(Slot, Request, until: Instant)
        /// The server has answered on a connection, or has not.
        case checked(Slot, isAlive: Bool)
        /// A connection is closed.
        case closed(Slot)
        /// Nothing else but time.
        case timePassed
        /// No connection is wanted any more.
        case shutDown
    }

    /// What is to be done, in this order.
    enum Action: Hashable {
        /// To end in `opened` or `openFailed`.
        case open(Slot)
        /// To end in `givenBack` or `foundBroken`.
        case lend(Slot, to: Request)
        case refuse(Request, Refusal)
        /// To end in `closed`.
        case close(Slot)
        /// To ask the server on a connection, which ends in `checked`.
        case check(Slot)
    }

    /// Why a request gets nothing.
    enum Refusal: Hashable {
        /// All connections were lent for as long as it waited.
        case isFull
        /// The server could not be reached for as long as it waited.
        case isAway
        /// The server does not take us, which does not pass.
        case isRefused
        case isShutDown
    }

    private enum Stage: Hashable {
        case opening
        case checking
        case lent
        case closing
        case idle(since: Instant)
    }

    private struct Waiter {
        let request: Request
        let until: Instant
    }

    let settings: PoolSettings
    private var stages: [Slot: Stage] = [:]
    /// The slots that nobody uses; the last one was given back last.
    private var idle: [Slot] = []
    /// In the order of arrival.
    private var waiters: [Waiter] = []
    private var lastSlot = 0
    /// Attempts to open that have failed since the last one that did not.
    private var failures = 0
    /// No attempt before this.
    private var nextAttempt: Instant?
    private var hasBeenOpen = false
    private(set) var isShutDown = false

    init(_ settings: PoolSettings) {
        self.settings = settings
    }

    /// Takes in what happened. An event that cannot be, as of a slot that is closed, changes nothing.
    ///
    /// - Complexity: O(1) for lending and giving back, as long as nobody waits; otherwise linear in the
    ///   number of those that wait.
    mutating func handle(_ event: Event, at now: Instant) -> [Action] {
        var actions: [Action] = []
        switch event {
        case .requested(let request, let until):
            if isShutDown { return [.refuse(request, .isShutDown)] }
            waiters.append(Waiter(request: request, until: until))
        case .withdrawn(let request):
            waiters.removeAll { $0.request == request }
        case .opened(let slot):
            guard stages[slot] == .opening else { return [] }
            failures = 0
            nextAttempt = nil
            hasBeenOpen = true
            keep(slot, now, &actions)
        case .openFailed(let slot, let mayPass):
            guard stages[slot] == .opening else { return [] }
            stages[slot] = nil
            fail(mayPass, now, &actions)
        case .givenBack(let slot, let isWhole):
            guard stages[slot] == .lent else { return [] }
            if isWhole { keep(slot, now, &actions) } else { close(slot, &actions) }
        case .foundBroken(let slot, let request, let until):
            guard stages[slot] == .lent else { return [] }
            close(slot, &actions)
            if isShutDown {
                actions.append(.refuse(request, .isShutDown))
            } else {
                waiters.insert(Waiter(request: request, until: until), at: 0)
            }
        case .checked(let slot, let isAlive):
            guard stages[slot] == .checking else { return [] }
            if isAlive { keep(slot, now, &actions) } else { close(slot, &actions) }
        case .closed(let slot):
            guard stages[slot] == .closing else { return [] }
            stages[slot] = nil
        case .timePassed: break
        case .shutDown:
            isShutDown = true
            for waiter in waiters { actions.append(.refuse(waiter.request, .isShutDown)) }
            waiters = []
            for slot in idle { close(slot, &actions) }
            idle = []
        }
        serve(now, &actions)
        closeOld(now, &actions)
        return actions
    }

    /// Lends a slot that nobody uses where nobody waits, as `requested` would, to whoever has no need of a
    /// number; nil where that takes more. Most requests of a program are of this kind, and
    /// the queue, its numbers and lists of actions cost a twentieth of a fetch by key.
    ///
    /// - Complexity: O(1).
    mutating func takeIdle(at now: Instant) -> Slot? {
        guard !isShutDown, waiters.isEmpty, let slot = popUsed(now) else { return nil }
        stages[slot] = .lent
        return slot
    }

    /// When something is due although nothing happens: `timePassed` is to be told then. Nil while there
    /// is no such time. It is never a time that has been told.
    ///
    /// - Complexity: linear in the number of those that wait.
    var wakeUp: Instant? {
        var first: Instant?
        func consider(_ time: Instant) { first = first.map { min($0, time) } ?? time }
        for waiter in waiters { consider(waiter.until) }
        // An attempt that is being made ends in an event.
        if let nextAttempt, !isOpening, wanted > 0, count < size { consider(nextAttempt) }
        if let oldest = idle.first, case .idle(let since)? = stages[oldest] {
            consider(since + settings.idleTime)
        }
        return first
    }
}

extension PoolState {
    /// The connections that are open, being opened or being closed.
    var count: Int { stages.count }

    /// The requests that wait.
    var waiting: Int { waiters.count }

    private var size: Int { max(1, settings.size) }

    private var isOpening: Bool { stages.values.contains(.opening) }

    /// How many more connections would be lent if they were there.
    private var wanted: Int {
        waiters.count - stages.values.count { $0 == .opening || $0 == .checking }
    }

    private mutating func close(_ slot: Slot, _ actions: inout [Action]) {
        stages[slot] = .closing
        actions.append(.close(slot))
    }

    private mutating func lend(_ slot: Slot, _ actions: inout [Action]) {
        stages[slot] = .lent
        actions.append(.lend(slot, to: waiters.removeFirst().request))
    }

    /// Lends a slot to whoever waits, or makes it idle, unless it is of no use any more.
    private mutating func keep(_ slot: Slot, _ now: Instant, _ actions: inout [Action]) {
        if isShutDown { return close(slot, &actions) }
        if !waiters.isEmpty { return lend(slot, &actions) }
        stages[slot] = .idle(since: now)
        idle.append(slot)
    }

    /// A failure that does not pass is told to everybody who waits. So is one that may, before the first
    /// success: a wrong address is noticed at once. Later on they wait for the server to come back.
    private mutating func fail(_ mayPass: Bool, _ now: Instant, _ actions: inout [Action]) {
        // Attempts that were made at the same time fail together, and count as one.
        if nextAttempt.map({ $0 <= now }) ?? true {
            failures += 1
            // 50 milliseconds, and twice as many after each failure, up to 1.6 seconds.
            nextAttempt = now + .milliseconds(50 << min(failures - 1, 5))
        }
        guard !mayPass || !hasBeenOpen else { return }
        for waiter in waiters {
            actions.append(.refuse(waiter.request, mayPass ? .isAway : .isRefused))
        }
        waiters = []
    }

    /// Those that nobody has used for long, which are the first.
    private mutating func closeOld(_ now: Instant, _ actions: inout [Action]) {
        while let slot = idle.first, idleTime(of: slot, now) >= settings.idleTime {
            idle.removeFirst()
            close(slot, &actions)
        }
    }

    private func idleTime(of slot: Slot, _ now: Instant) -> Duration {
        guard case .idle(let since)? = stages[slot] else { return .zero }
        return now - since
    }

    /// Takes out the slot that was used last, unless nobody has used it for so long that it is to be checked.
    private mutating func popUsed(_ now: Instant) -> Slot? {
        guard let slot = idle.last, idleTime(of: slot, now) < settings.checksAfter else {
            return nil
        }
        idle.removeLast()
        return slot
    }

    /// Lends what there is, refuses those that have waited long enough, and has opened what is missing.
    private mutating func serve(_ now: Instant, _ actions: inout [Action]) {
        while !waiters.isEmpty, let slot = popUsed(now) { lend(slot, &actions) }
        guard !waiters.isEmpty else { return }
        for waiter in waiters where waiter.until <= now {
            actions.append(.refuse(waiter.request, failures > 0 ? .isAway : .isFull))
        }
        waiters.removeAll { $0.until <= now }
        // All that is idle now has been so for long.
        while waiters.count > stages.values.count(where: { $0 == .checking }),
            let slot = idle.popLast()
        {
            stages[slot] = .checking
            actions.append(.check(slot))
        }
        // While the server is away one attempt at a time is enough.
        let isAway = failures > 0
        while wanted > 0, count < size, nextAttempt.map({ $0 <= now }) ?? true,
            !isAway || !isOpening
        {
            lastSlot += 1
            stages[lastSlot] = .opening
            actions.append(.open(lastSlot))
        }
    }
}
