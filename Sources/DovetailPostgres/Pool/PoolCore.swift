import Dispatch
import DovetailStore
import Foundation
import Synchronization

/// What a pool's threads share: the rules, the connections, and those who wait.
///
/// It lives as long as one of its threads, and is over when `shutDown` was told.
final class PoolCore<Connection: PooledConnection>: Sendable {
    /// Invariant of the unchecked `Sendable`: only the thread that was told to open, check or close the
    /// slot, or that was lent it, uses the connection. `PoolState` tells one of them at a time.
    struct Member: @unchecked Sendable {
        let connection: Connection
    }

    /// What a request gets.
    enum Answer: Sendable {
        case lent(PoolState.Slot, PoolState.Request, Member)
        /// With the error of the last attempt to open a connection, where there was one.
        case refused(PoolState.Refusal, (any Error)?)
    }

    /// A thread that waits.
    private struct Ticket: Sendable {
        let signal = DispatchSemaphore(value: 0)
        var answer: Answer?
    }

    private struct Shared {
        var rules: PoolState
        var members: [PoolState.Slot: Member] = [:]
        var tickets: [PoolState.Request: Ticket] = [:]
        var lastRequest = 0
        var lastError: (any Error)?
        /// The answer to a request that was just made, whose thread still has the lock.
        var immediate: Answer?
        /// When something is due, and whether a thread waits for that.
        var alarm: PoolState.Instant?
        var hasTimer = false
    }

    /// What is done after the lock is open again.
    private enum Work {
        case open(PoolState.Slot)
        case check(PoolState.Slot, Member)
        case close(PoolState.Slot, Member)
        case startTimer
    }

    let settings: PoolSettings
    /// The rules count time from here.
    private let start = ContinuousClock.now
    private let open: @Sendable () throws -> sending Connection
    private let shared: Mutex<Shared>
    /// Wakes the timer's thread.
    private let bell = DispatchSemaphore(value: 0)

    init(_ settings: PoolSettings, open: @escaping @Sendable () throws -> sending Connection) {
        self.settings = settings
        self.open = open
        shared = Mutex(Shared(rules: PoolState(settings)))
    }

    /// The time as the rules count it.
    var now: PoolState.Instant { time(.now) }

    /// A time as the rules count it.
    func time(_ instant: ContinuousClock.Instant) -> PoolState.Instant {
        start.duration(to: instant)
    }

    var count: Int { shared.withLock { $0.rules.count } }
    var waiting: Int { shared.withLock { $0.rules.waiting } }

    /// Says what has happened, and does what follows.
    func tell(_ event: PoolState.Event) {
        run(shared.withLock { handle(event, &$0) })
    }

    /// A connection that nobody uses, where nobody waits.
    func takeIdle() -> (PoolState.Slot, Member)? {
        let now = now
        return shared.withLock { shared in
            guard let slot = shared.rules.takeIdle(at: now),
                let member = shared.members[slot]
            else { return nil }
            return (slot, member)
        }
    }

    /// Waits for a connection.
    ///
    /// - Throws: ``StoreError`` of kind `cancelled` or `deadlineExceeded`.
    func request(
        until: PoolState.Instant,
        _ interruption: StoreInterruption?
    ) throws -> Answer {
        try answer(interruption) { shared in
            shared.lastRequest += 1
            return (shared.lastRequest, .requested(shared.lastRequest, until: until))
        }
    }

    /// Waits for another connection in place of one that is broken.
    ///
    /// - Throws: ``StoreError`` of kind `cancelled` or `deadlineExceeded`.
    func replace(
        _ slot: PoolState.Slot,
        of request: PoolState.Request,
        until: PoolState.Instant,
        _ interruption: StoreInterruption?
    ) throws -> Answer {
        try answer(interruption) { _ in (request, .foundBroken(slot, request, until: until)) }
    }

    /// Makes a request, and waits only where it is not answered at once.
    private func answer(
        _ interruption: StoreInterruption?,
        to event: (inout Shared) -> (PoolState.Request, PoolState.Event)
    ) throws -> Answer {
        let (request, answer, work) = shared.withLock { shared in
            let (request, event) = event(&shared)
            let work = handle(event, &shared)
            let answer = shared.immediate.take()
            if answer == nil { shared.tickets[request] = Ticket() }
            return (request, answer, work)
        }
        run(work)
        return try answer ?? wait(request, interruption)
    }

    /// Waits for the answer to a request. An interruption has no bell, so it is looked at now and then.
    private func wait(
        _ request: PoolState.Request,
        _ interruption: StoreInterruption?
    ) throws -> Answer {
        while true {
            let (answer, signal) = shared.withLock { shared in
                let ticket = shared.tickets[request]
                if ticket?.answer != nil { shared.tickets[request] = nil }
                return (ticket?.answer, ticket?.signal)
            }
            if let answer { return answer }
            guard let signal else { return .refused(.isShutDown, nil) }
            guard let interruption else {
                signal.wait()
                continue
            }
            if signal.wait(timeout: .now() + .milliseconds(10)) == .success { continue }
            guard let reason = interruption.reason else { continue }
            if withdraw(request) { throw StoreInterruption.error(reason) }
        }
    }

    /// Takes a request back; false when it was answered just now.
    private func withdraw(_ request: PoolState.Request) -> Bool {
        let work: [Work]? = shared.withLock { shared in
            guard shared.tickets[request]?.answer == nil else { return nil }
            shared.tickets[request] = nil
            return handle(.withdrawn(request), &shared)
        }
        run(work ?? [])
        return work != nil
    }
}

extension PoolCore {
    /// Hands out answers; what takes time is left to ``run(_:)``. Called with the lock.
    private func handle(_ event: PoolState.Event, _ shared: inout Shared) -> [Work] {
        var work: [Work] = []
        for action in shared.rules.handle(event, at: now) {
            switch action {
            case .open(let slot): work.append(.open(slot))
            case .lend(let slot, let request):
                guard let member = shared.members[slot] else { continue }
                answer(request, .lent(slot, request, member), &shared)
            case .refuse(let request, let refusal):
                answer(request, .refused(refusal, shared.lastError), &shared)
            case .close(let slot):
                if let member = shared.members.removeValue(forKey: slot) {
                    work.append(.close(slot, member))
                }
            case .check(let slot):
                if let member = shared.members[slot] { work.append(.check(slot, member)) }
            }
        }
        if setAlarm(&shared) { work.append(.startTimer) }
        return work
    }

    private func answer(
        _ request: PoolState.Request,
        _ answer: Answer,
        _ shared: inout Shared
    ) {
        guard let ticket = shared.tickets[request] else {
            shared.immediate = answer
            return
        }
        shared.tickets[request]?.answer = answer
        ticket.signal.signal()
    }

    /// Does what takes time, without the lock.
    private func run(_ work: [Work]) {
        for item in work {
            switch item {
            case .open(let slot): Thread.detachNewThread { self.open(slot) }
            case .check(let slot, let member):
                Thread.detachNewThread {
                    self.tell(.checked(slot, isAlive: member.connection.isAlive()))
                }
            case .close(let slot, let member):
                member.connection.close()
                tell(.closed(slot))
            case .startTimer: Thread.detachNewThread { self.keepTime() }
            }
        }
    }

    private func open(_ slot: PoolState.Slot) {
        let work: [Work]
        do {
            let member = Member(connection: try open())
            work = shared.withLock { shared in
                shared.members[slot] = member
                shared.lastError = nil
                return handle(.opened(slot), &shared)
            }
        } catch {
            work = shared.withLock { shared in
                shared.lastError = error
                return handle(.openFailed(slot, mayPass: Connection.mayPass(error)), &shared)
            }
        }
        run(work)
    }

    /// Sees to it that somebody wakes up in time; true when that has to be a new thread.
    private func setAlarm(_ shared: inout Shared) -> Bool {
        if shared.rules.isShutDown, shared.hasTimer { bell.signal() }
        guard let time = shared.rules.wakeUp else { return false }
        if let alarm = shared.alarm, alarm <= time { return false }
        shared.alarm = time
        guard shared.hasTimer else {
            shared.hasTimer = true
            return true
        }
        bell.signal()
        return false
    }

    /// Tells that time has passed whenever something is due, and ends when nothing will be.
    private func keepTime() {
        while true {
            let (alarm, work) = shared.withLock { shared -> (PoolState.Instant?, [Work]) in
                guard let alarm = shared.alarm, !shared.rules.isShutDown else {
                    shared.hasTimer = false
                    return (nil, [])
                }
                guard alarm <= now else { return (alarm, []) }
                shared.alarm = nil
                return (alarm, handle(.timePassed, &shared))
            }
            guard let alarm else { return }
            run(work)
            let left = alarm - now
            if left > .zero { _ = bell.wait(timeout: .now() + left.dispatchInterval) }
        }
    }
}

extension Duration {
    /// Rounded up to a microsecond, so that whoever waits for it does not wake up too early, and at most
    /// a day.
    fileprivate var dispatchInterval: DispatchTimeInterval {
        let (seconds, attoseconds) = min(self, .seconds(86_400)).components
        return .microseconds(Int(seconds) * 1_000_000 + Int(attoseconds / 1_000_000_000_000) + 1)
    }
}
