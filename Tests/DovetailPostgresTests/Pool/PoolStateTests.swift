import Testing

@testable import DovetailPostgres

@Suite struct PoolStateTests {
    private typealias Event = PoolState.Event
    private typealias Action = PoolState.Action

    private let start = Duration.seconds(1)

    /// A story: what happens, after how many milliseconds since the start, and what follows.
    private func check(
        size: Int = 2,
        _ story: [(Int, Event, [Action])],
        location: SourceLocation = #_sourceLocation
    ) {
        var settings = PoolSettings()
        settings.size = size
        settings.idleTime = .seconds(300)
        settings.checksAfter = .seconds(30)
        var state = PoolState(settings)
        for (number, (time, event, actions)) in story.enumerated() {
            let found = state.handle(event, at: start + .milliseconds(time))
            #expect(found == actions, "step \(number)", sourceLocation: location)
        }
    }

    private func request(_ number: Int, _ until: Int = 30_000) -> Event {
        .requested(number, until: start + .milliseconds(until))
    }

    @Test func `a pool has eight connections unless it is told`() {
        #expect(PoolSettings().size == 8)
    }

    @Test func `the first request opens a connection, and the next one has it`() {
        check([
            (0, request(1), [.open(1)]),
            (1, .opened(1), [.lend(1, to: 1)]),
            (2, .givenBack(1, isWhole: true), []),
            (3, request(2), [.lend(1, to: 2)]),
        ])
    }

    @Test func `no more are open than the size says, and those who wait are served in their order`()
    {
        check([
            (0, request(1), [.open(1)]),
            (0, request(2), [.open(2)]),
            (0, request(3), []),
            (0, request(4), []),
            (1, .opened(2), [.lend(2, to: 1)]),
            (1, .opened(1), [.lend(1, to: 2)]),
            (2, .givenBack(1, isWhole: true), [.lend(1, to: 3)]),
            (3, .givenBack(1, isWhole: false), [.close(1)]),
            (3, .closed(1), [.open(3)]),
            (4, .opened(3), [.lend(3, to: 4)]),
        ])
    }

    @Test func `a size of nothing means one`() {
        check(size: 0, [(0, request(1), [.open(1)]), (0, request(2), [])])
    }

    @Test func `who has waited for long enough is refused, the others wait on`() {
        check(
            size: 1,
            [
                (0, request(1), [.open(1)]),
                (1, .opened(1), [.lend(1, to: 1)]),
                (2, request(2, 100), []),
                (2, request(3, 200), []),
                (99, .timePassed, []),
                (100, .timePassed, [.refuse(2, .isFull)]),
                (150, .givenBack(1, isWhole: true), [.lend(1, to: 3)]),
            ]
        )
    }

    @Test func `who does not want one any more is passed over`() {
        check(
            size: 1,
            [
                (0, request(1), [.open(1)]),
                (0, request(2), []),
                (1, .withdrawn(1), []),
                (2, .opened(1), [.lend(1, to: 2)]),
                (3, .withdrawn(9), []),
            ]
        )
    }

    @Test func `a connection that nobody waits for any more is kept`() {
        check([
            (0, request(1), [.open(1)]),
            (1, .withdrawn(1), []),
            (2, .opened(1), []),
            (3, request(2), [.lend(1, to: 2)]),
        ])
    }

    @Test func `one that was used last is lent first, and the others are closed when they are old`()
    {
        check([
            (0, request(1), [.open(1)]),
            (0, request(2), [.open(2)]),
            (0, .opened(1), [.lend(1, to: 1)]),
            (0, .opened(2), [.lend(2, to: 2)]),
            (1_000, .givenBack(1, isWhole: true), []),
            (2_000, .givenBack(2, isWhole: true), []),
            (3_000, request(3), [.lend(2, to: 3)]),
            (300_999, .givenBack(2, isWhole: true), []),
            (301_000, .timePassed, [.close(1)]),
            (600_999, .timePassed, [.close(2)]),
        ])
    }

    @Test func `one that was unused for long is asked first`() {
        check([
            (0, request(1), [.open(1)]),
            (0, .opened(1), [.lend(1, to: 1)]),
            (0, .givenBack(1, isWhole: true), []),
            (29_999, request(2, 99_999), [.lend(1, to: 2)]),
            (30_000, .givenBack(1, isWhole: true), []),
            (60_000, request(3, 99_999), [.check(1)]),
            (60_001, .checked(1, isAlive: true), [.lend(1, to: 3)]),
            (60_002, .givenBack(1, isWhole: true), []),
            (99_000, request(4, 120_000), [.check(1)]),
            (99_001, .checked(1, isAlive: false), [.close(1), .open(2)]),
            (99_002, .opened(2), [.lend(2, to: 4)]),
        ])
    }

    @Test func `who finds a broken one gets the next one before all others`() {
        let until = start + .seconds(30)
        check(
            size: 1,
            [
                (0, request(1), [.open(1)]),
                (0, .opened(1), [.lend(1, to: 1)]),
                (0, request(2), []),
                (1, .foundBroken(1, 1, until: until), [.close(1)]),
                (1, .closed(1), [.open(2)]),
                (2, .opened(2), [.lend(2, to: 1)]),
                (3, .givenBack(2, isWhole: true), [.lend(2, to: 2)]),
            ]
        )
    }

    @Test func `a server that cannot be reached at first is told at once`() {
        check([
            (0, request(1), [.open(1)]),
            (0, request(2), [.open(2)]),
            (5, .openFailed(1, mayPass: true), [.refuse(1, .isAway), .refuse(2, .isAway)]),
            (5, .openFailed(2, mayPass: true), []),
            (6, request(3), []),
            (55, .timePassed, [.open(3)]),
            (56, .opened(3), [.lend(3, to: 3)]),
        ])
    }

    @Test func `a server that went away is waited for, with longer and longer pauses`() {
        check([
            (0, request(1), [.open(1)]),
            (0, .opened(1), [.lend(1, to: 1)]),
            (10, .givenBack(1, isWhole: false), [.close(1)]),
            (10, .closed(1), []),
            (10, request(2), [.open(2)]),
            (10, request(3, 300), [.open(3)]),
            (20, .openFailed(2, mayPass: true), []),
            (20, .openFailed(3, mayPass: true), []),
            (69, .timePassed, []),
            (70, .timePassed, [.open(4)]),
            (71, .openFailed(4, mayPass: true), []),
            (170, .timePassed, []),
            (171, .timePassed, [.open(5)]),
            (300, .timePassed, [.refuse(3, .isAway)]),
            (301, .openFailed(5, mayPass: true), []),
            (501, .timePassed, [.open(6)]),
            (502, .opened(6), [.lend(6, to: 2)]),
            // It is there again, so the next failure is a first one.
            (503, request(4), [.open(7)]),
            (504, .openFailed(7, mayPass: true), []),
            (554, .timePassed, [.open(8)]),
        ])
    }

    @Test func `a server that refuses us is told at once, also later`() {
        check([
            (0, request(1), [.open(1)]),
            (0, .opened(1), [.lend(1, to: 1)]),
            (1, request(2), [.open(2)]),
            (2, .openFailed(2, mayPass: false), [.refuse(2, .isRefused)]),
        ])
    }

    @Test func `the end refuses all who wait, and closes what is given back`() {
        check([
            (0, request(1), [.open(1)]),
            (0, request(2), [.open(2)]),
            (0, request(3), []),
            (1, .opened(1), [.lend(1, to: 1)]),
            (2, .shutDown, [.refuse(2, .isShutDown), .refuse(3, .isShutDown)]),
            (3, request(4), [.refuse(4, .isShutDown)]),
            (4, .givenBack(1, isWhole: true), [.close(1)]),
            (5, .opened(2), [.close(2)]),
            (6, .timePassed, []),
        ])
    }

    @Test func `the end closes what is idle`() {
        check([
            (0, request(1), [.open(1)]),
            (0, .opened(1), [.lend(1, to: 1)]),
            (1, .givenBack(1, isWhole: true), []),
            (2, .shutDown, [.close(1)]),
        ])
    }

    @Test func `what cannot have happened changes nothing`() {
        check([
            (0, .opened(1), []),
            (0, .givenBack(1, isWhole: true), []),
            (0, .checked(1, isAlive: false), []),
            (0, .openFailed(1, mayPass: false), []),
            (0, .closed(1), []),
            (0, .foundBroken(1, 1, until: start), []),
            (0, request(1), [.open(1)]),
            (1, .givenBack(1, isWhole: true), []),
            (1, .opened(1), [.lend(1, to: 1)]),
            (2, .givenBack(1, isWhole: true), []),
            (2, .givenBack(1, isWhole: true), []),
            (3, request(2), [.lend(1, to: 2)]),
            (3, request(3), [.open(2)]),
        ])
    }

    @Test func `times of nothing neither close what is wanted nor ask forever`() {
        var settings = PoolSettings()
        settings.idleTime = .zero
        settings.checksAfter = .zero
        var state = PoolState(settings)
        let until = start + .seconds(1)
        #expect(state.handle(.requested(1, until: until), at: start) == [.open(1)])
        #expect(state.handle(.opened(1), at: start) == [.lend(1, to: 1)])
        #expect(state.handle(.givenBack(1, isWhole: true), at: start) == [.close(1)])
        #expect(state.count == 1)
        #expect(state.handle(.closed(1), at: start) == [])
        #expect(state.count == 0)
        #expect(state.wakeUp == nil)
    }
}
