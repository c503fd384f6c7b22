import Dovetail
import Observation
import StoreTestSupport
import Testing

@Model private final class Ticker {
    var text: String
    var seen = 0
    @Relationship(inverse: \TickerLine.ticker) var lines: [TickerLine] = []
    init(_ text: String) { self.text = text }
}

@Model private final class TickerLine {
    var ticker: Ticker?
    init() {}
}

/// What the closure of an observer uses. Invariant: it is called on the thread of the test.
private final class Held: @unchecked Sendable {
    let context: ModelContext
    let ticker: Ticker
    var count = 0
    init(_ context: ModelContext, _ ticker: Ticker) {
        (self.context, self.ticker) = (context, ticker)
    }
}

/// What observers do when they are told that objects change: the context is in order then, and forgets nothing.
@Suite struct ToldWhenDoneTests {
    private struct Undone: Error {}

    private func saved(_ kind: StoreKind) throws -> Held {
        let context = ModelContext(try kind.container(Ticker.self, TickerLine.self))
        let ticker = Ticker("old")
        context.insert(ticker)
        try context.save()
        return Held(context, ticker)
    }

    private func stored(_ held: Held) throws -> [String] {
        let context = ModelContext(held.context.container)
        return try context.fetch(FetchDescriptor<Ticker>()).map {
            "\($0.text) \($0.seen) \($0.lines.count)"
        }
    }

    private func saveElsewhere(_ held: Held, _ change: (Ticker) -> Void) throws {
        let other = ModelContext(held.context.container)
        change(try #require(other.model(for: held.ticker.persistentModelID) as? Ticker))
        try other.save()
    }

    @Test(arguments: StoreKind.allCases, 0..<5)
    func `a change stays one, whatever an observer does first`(_ kind: StoreKind, _ act: Int) throws
    {
        let held = try saved(kind)
        withObservationTracking {
            _ = held.ticker.text
        } onChange: {
            switch act {
            case 0: try? held.context.save()
            case 1: try? held.context.transaction {}
            case 2: held.context.rollback()
            case 3: _ = try? held.context.fetch(FetchDescriptor<Ticker>())
            default: held.context.processPendingChanges()
            }
        }
        held.ticker.seen = 1
        held.ticker.text = "new"
        #expect(held.context.hasChanges && held.ticker.text == "new")
        try held.context.save()
        #expect(try stored(held) == [act == 2 ? "new 0 0" : "new 1 0"])
        held.ticker.text = "newer"
        try held.context.save()
        #expect(try stored(held)[0].hasPrefix("newer"))
    }

    @Test(arguments: StoreKind.allCases)
    func `a list that is loaded again in the observer is loaded once for a commit`(
        _ kind: StoreKind
    ) throws {
        let held = try saved(kind)
        @Sendable func load() {
            held.count += 1
            guard held.count < 10,
                let tickers = try? held.context.fetch(FetchDescriptor<Ticker>())
            else { return }
            withObservationTracking {
                _ = tickers.map { $0.text + "\($0.lines.count)" }
            } onChange: {
                load()
            }
        }
        load()
        try saveElsewhere(held) {
            $0.text = "theirs"
            $0.lines.append(TickerLine())
        }
        _ = try held.context.fetch(FetchDescriptor<Ticker>())
        #expect(held.count == 2 || held.count == 3)
        #expect(held.ticker.text == "theirs" && held.ticker.lines.count == 1)
    }

    @Test(arguments: StoreKind.allCases)
    func `what an observer sets while a commit is taken over is saved`(_ kind: StoreKind) throws {
        let held = try saved(kind)
        try saveElsewhere(held) { $0.text = "theirs" }
        withObservationTracking {
            _ = held.ticker.text
        } onChange: {
            held.ticker.seen += 1
        }
        held.context.processPendingChanges()
        #expect(held.ticker.seen == 1 && held.context.hasChanges)
        try held.context.save()
        #expect(try stored(held) == ["theirs 1 0"])
    }

    @Test(arguments: StoreKind.allCases)
    func `what an observer sets when a conflict is resolved is saved`(_ kind: StoreKind) throws {
        let held = try saved(kind)
        held.context.conflictPolicy = .storeWins
        held.ticker.text = "mine"
        try saveElsewhere(held) { $0.text = "theirs" }
        withObservationTracking {
            _ = held.ticker.text
        } onChange: {
            held.ticker.seen += 1
        }
        try held.context.save()
        #expect(held.ticker.seen == 1 && held.ticker.text == "theirs")
        try held.context.save()
        #expect(try stored(held) == ["theirs 1 0"])
    }

    @Test(arguments: StoreKind.allCases)
    func `an observer has a transaction when another one is taken back`(_ kind: StoreKind) throws {
        let held = try saved(kind)
        #expect(throws: Undone.self) {
            try held.context.transaction {
                held.ticker.text = "new"
                held.ticker.lines.append(TickerLine())
                try held.context.save()
                withObservationTracking {
                    _ = (held.ticker.text, held.ticker.lines.count)
                } onChange: {
                    try? held.context.transaction { held.ticker.seen += 1 }
                }
                throw Undone()
            }
        }
        #expect(held.ticker.text == "old" && held.ticker.lines.isEmpty)
        #expect(held.ticker.seen >= 1 && !held.context.hasChanges)
        #expect(try stored(held) == ["old \(held.ticker.seen) 0"])
    }
}
