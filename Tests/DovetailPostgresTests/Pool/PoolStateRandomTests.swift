import DovetailTesting
import StoreTestSupport
import Testing

@testable import DovetailPostgres

/// The rules of a pool under events at random, against what has to hold always.
@Suite struct PoolStateRandomTests {
    @Test(arguments: SeededRandom.seeds)
    func `whatever happens, the rules hold`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var answered = 0
        let rounds = Soak.count(300, soak: 30_000)
        for round in 0..<rounds {
            var world = PoolWorld(&random)
            for _ in 0..<200 { world.step(&random) }
            world.settle(&random)
            answered += world.answers.count
            guard world.broken.isEmpty else {
                Issue.record("seed \(seed), round \(round): \(world.broken)\n\(world.trace)")
                return
            }
        }
        #expect(answered > rounds * 20)
    }
}

/// A pool's surroundings: callers, a server that comes and goes, and a clock.
private struct PoolWorld {
    private(set) var answers: [PoolState.Request: PoolState.Action] = [:]
    /// What did not hold.
    private(set) var broken: [String] = []
    private var events: [String] = []
    var trace: String { events.suffix(60).joined(separator: "\n") }

    private var state: PoolState
    private let start = Duration.seconds(1)
    private var now = Duration.seconds(1)
    private var isAway = false
    private var requests = 0
    private var waiting: [PoolState.Request: Duration] = [:]
    private var order: [PoolState.Request] = []
    private var opening: Set<PoolState.Slot> = []
    private var checking: Set<PoolState.Slot> = []
    private var lent: [PoolState.Slot: PoolState.Request] = [:]
    private var idle: Set<PoolState.Slot> = []
    private var closing: Set<PoolState.Slot> = []
    private var closed: Set<PoolState.Slot> = []
    private let size: Int

    init(_ random: inout SeededRandom) {
        var settings = PoolSettings()
        settings.size = random.below(5) + 1
        settings.idleTime = .milliseconds(random.pick([0, 50, 1000]))
        settings.checksAfter = .milliseconds(random.pick([0, 20, 500]))
        size = settings.size
        state = PoolState(settings)
    }

    /// One event at random.
    mutating func step(_ random: inout SeededRandom) {
        now = now + .milliseconds(random.pick([0, 0, 1, 5, 40]))
        switch random.below(13) {
        case 12: takeIdle()
        case 0...2:
            requests += 1
            let until = now + .milliseconds(random.pick([0, 10, 200, 5000]))
            waiting[requests] = until
            order.append(requests)
            tell(.requested(requests, until: until))
        case 3:
            guard let request = waiting.keys.sorted().randomElement(using: &random) else { return }
            waiting[request] = nil
            order.removeAll { $0 == request }
            tell(.withdrawn(request))
        case 4: isAway.toggle()
        case 5: if random.isOne(in: 60) { tell(.shutDown) }
        case 6:
            now = state.wakeUp.map { max(now, $0) } ?? now
            tell(.timePassed)
        case 7:
            guard let slot = lent.keys.sorted().randomElement(using: &random) else { return }
            foundBroken(slot)
        default: finishOne(&random)
        }
    }

    /// Lets everything that is under way come to its end; after it nobody waits any more.
    mutating func settle(_ random: inout SeededRandom) {
        isAway = random.isOne(in: 2)
        var turns = 0
        while !waiting.isEmpty || isBusy {
            turns += 1
            if turns > 10_000 { return broken.append("somebody waits forever: \(waiting)") }
            if isBusy {
                finishOne(&random)
            } else if let wakeUp = state.wakeUp {
                now = max(now, wakeUp)
                tell(.timePassed)
            } else {
                return broken.append("nothing is due, and somebody waits: \(waiting)")
            }
        }
        tell(.shutDown)
        while isBusy { finishOne(&random) }
        let left = (state.count, idle)
        expect(left.0 == 0, "\(left.0) connections are left at the end")
        expect(left.1.isEmpty, "\(left.1) were not closed")
        expect(state.wakeUp == nil, "something is due after the end")
    }

    private var isBusy: Bool {
        !opening.isEmpty || !checking.isEmpty || !lent.isEmpty || !closing.isEmpty
    }

    /// One of the things that are under way ends.
    private mutating func finishOne(_ random: inout SeededRandom) {
        let all = opening.sorted() + checking.sorted() + closing.sorted() + lent.keys.sorted()
        guard let slot = all.randomElement(using: &random) else { return }
        if opening.remove(slot) != nil {
            if isAway {
                closed.insert(slot)
                tell(.openFailed(slot, mayPass: !random.isOne(in: 5)))
            } else {
                idle.insert(slot)
                tell(.opened(slot))
            }
        } else if closing.remove(slot) != nil {
            closed.insert(slot)
            tell(.closed(slot))
        } else if checking.remove(slot) != nil {
            idle.insert(slot)
            tell(.checked(slot, isAlive: !isAway))
        } else {
            lent[slot] = nil
            idle.insert(slot)
            tell(.givenBack(slot, isWhole: !isAway && !random.isOne(in: 8)))
        }
    }

    /// What is taken without a number is what a request would have been lent.
    private mutating func takeIdle() {
        requests += 1
        var other = state
        let actions = other.handle(.requested(requests, until: now + .seconds(1)), at: now)
        let expected = actions.compactMap { action in
            if case .lend(let slot, requests) = action { slot } else { nil }
        }
        let taken = state.takeIdle(at: now)
        events.append("\(now - start): taken without a number \(taken as Any)")
        expect(taken.map { [$0] } ?? [] == expected, "\(taken as Any) and not \(expected)")
        guard let slot = taken else { return }
        expect(idle.remove(slot) != nil, "\(slot) is lent twice, or is not open")
        lent[slot] = requests
    }

    private mutating func foundBroken(_ slot: PoolState.Slot) {
        guard let request = lent.removeValue(forKey: slot) else { return }
        idle.insert(slot)
        answers[request] = nil
        let until = now + .milliseconds(100)
        waiting[request] = until
        order.insert(request, at: 0)
        tell(.foundBroken(slot, request, until: until))
    }

    private mutating func tell(_ event: PoolState.Event) {
        let actions = state.handle(event, at: now)
        events.append("\(now - start): \(event) -> \(actions)")
        for action in actions { perform(action) }
        let (waiting, idle, size, count) = (waiting, idle, size, state.count)
        let used = opening.count + checking.count + lent.count + idle.count + closing.count
        expect(used <= size, "\(used) connections of \(size)")
        expect(used == count, "\(used) connections, and it counts \(count)")
        for (request, until) in waiting {
            expect(until > now, "\(request) waits although its time is over")
        }
        if let wakeUp = state.wakeUp { expect(wakeUp > now, "what is due now was not done") }
        let busy = opening.count + checking.count + lent.count + closing.count
        expect(
            idle.isEmpty || waiting.count <= checking.count,
            "\(idle) are idle while \(waiting.keys) wait"
        )
        expect(
            waiting.isEmpty || busy > 0 || state.wakeUp != nil,
            "\(waiting.keys) wait for nothing"
        )
        let isTrying = !opening.isEmpty || !checking.isEmpty || used == size
        let due = state.wakeUp.map { $0 - now } ?? .seconds(9)
        expect(
            waiting.isEmpty || isTrying || due <= .milliseconds(1600),
            "\(waiting.keys) wait, and nobody tries to open a connection"
        )
    }

    private mutating func perform(_ action: PoolState.Action) {
        switch action {
        case .open(let slot):
            expect(
                !closed.contains(slot) && !closing.contains(slot) && !idle.contains(slot),
                "\(slot) is used again"
            )
            opening.insert(slot)
        case .lend(let slot, let request):
            expect(idle.remove(slot) != nil, "\(slot) is lent twice, or is not open")
            lent[slot] = request
            let order = order
            expect(order.first == request, "\(request) is before \(order)")
            answer(request, action)
        case .refuse(let request, _): answer(request, action)
        case .close(let slot):
            expect(idle.remove(slot) != nil, "\(slot) is closed while somebody has it")
            closing.insert(slot)
        case .check(let slot):
            expect(idle.remove(slot) != nil, "\(slot) is checked while somebody has it")
            checking.insert(slot)
        }
    }

    private mutating func answer(_ request: PoolState.Request, _ action: PoolState.Action) {
        expect(waiting.removeValue(forKey: request) != nil, "\(request) is answered and waits not")
        expect(answers[request] == nil, "\(request) is answered twice")
        answers[request] = action
        order.removeAll { $0 == request }
    }

    private mutating func expect(_ holds: Bool, _ words: @autoclosure () -> String) {
        if !holds { broken.append(words()) }
    }
}
