import Dovetail
import DovetailTesting
import Testing

/// Random work with the objects of a context, beside plain values that say what they shall be.
protocol ObjectWorld {
    associatedtype Plain: Equatable

    var container: ModelContainer { get }
    var context: ModelContext { get }
    var random: SeededRandom { get set }
    /// What the objects shall be.
    var now: Plain { get set }
    /// What they were when they were saved.
    var saved: Plain { get set }
    /// The last number that was given.
    var next: Int { get set }
    /// In how many transactions it works, each inside of the one before.
    var depth: Int { get set }

    /// Does something at random, and the same to the plain values. A text that begins with `save` says
    /// that nothing waits after it.
    mutating func step() throws -> String

    /// What objects say, those of this context or of a fresh one.
    func plain(_ context: ModelContext) throws -> Plain
}

extension ObjectWorld {
    mutating func number() -> Int {
        next += 1
        return next
    }

    mutating func pick(_ numbers: some Sequence<Int>) -> Int? {
        numbers.sorted().randomElement(using: &random)
    }

    /// One of some numbers, or none.
    mutating func pickOrNil(_ numbers: some Sequence<Int>) -> Int? {
        Int.random(in: 0..<4, using: &random) == 0 ? nil : pick(numbers)
    }

    /// Another list of what there is: with something added, removed or moved.
    mutating func changed(_ list: [Int], _ all: some Sequence<Int>) -> [Int] {
        var list = list
        switch Int.random(in: 0..<6, using: &random) {
        case 0: list.reverse()
        case 1: list = Array(list.dropFirst())
        case 2: list.shuffle(using: &random)
        case 3: list = all.sorted().filter { _ in Bool.random(using: &random) }
        default:
            guard let new = pick(all) else { break }
            let place = Int.random(in: 0...list.count, using: &random)
            // What is there already stays where it is.
            if !list.contains(new) { list.insert(new, at: place) }
        }
        return list
    }

    mutating func save() throws -> String {
        try context.save()
        saved = now
        return "save"
    }

    mutating func rollback() -> String {
        context.rollback()
        now = saved
        return "rollback"
    }

    /// A transaction that throws after some steps: everything is what it was at its start.
    mutating func refuse() -> String {
        // An inner one saves what waits before it begins.
        if depth > 0 { saved = now }
        let start = (now, saved)
        var steps: [String] = []
        depth += 1
        #expect(throws: CancellationError.self) {
            try context.transaction {
                for _ in 0..<Int.random(in: 1...5, using: &random) {
                    steps.append(try step())
                    if Bool.random(using: &random) {
                        let found = try plain(context)
                        #expect(found == now, "inside, after \(steps)")
                    }
                }
                throw CancellationError()
            }
        }
        depth -= 1
        (now, saved) = start
        return "transaction of \(steps)"
    }

    /// Takes steps until the objects are not what they shall be, which is recorded with the seed.
    ///
    /// - Parameters:
    ///   - pause: After each so manieth step nobody looks: what is not read is to be in step, too.
    ///   - check: What else is wrong after the step of a number; nil for nothing.
    mutating func run(
        _ count: Int,
        seed: UInt64,
        pause: Int? = nil,
        at location: SourceLocation = #_sourceLocation,
        check: (inout Self, Int) throws -> String? = { _, _ in nil }
    ) throws {
        var steps: [String] = []
        func record(_ text: String) {
            let steps = steps.suffix(12)
            Issue.record("seed \(seed): \(text) after \(steps)", sourceLocation: location)
        }
        for step in 0..<count {
            do {
                steps.append(try self.step())
            } catch {
                return record("\(error)")
            }
            if let pause, step.isMultiple(of: pause) { continue }
            let found = try plain(context)
            guard found == now else { return record("\(found) is not \(now)") }
            if let wrong = try check(&self, step) { return record(wrong) }
            guard steps.last?.hasPrefix("save") == true else { continue }
            let stored = try plain(ModelContext(container))
            guard stored == now else { return record("stored \(stored), not \(now)") }
        }
    }
}

/// One that another context can take part in.
protocol SharedObjectWorld: ObjectWorld {
    init(_ container: ModelContainer, _ random: SeededRandom)

    /// Takes over what is stored, as it is in plain values.
    mutating func load(_ plain: Plain) throws

    /// Changes something that is there.
    mutating func change() -> String
}

extension SharedObjectWorld {
    /// Somebody else changes what this context knows, in which nothing waits.
    mutating func changeElsewhere() throws -> String {
        if now != saved || context.hasChanges || depth > 0 { return "nothing" }
        var world = Self(container, random)
        try world.load(now)
        let text = world.change() + ", " + world.change()
        try world.context.save()
        (now, saved, random) = (world.now, world.now, world.random)
        // What was fetched before is as it was then, until it is fetched again.
        _ = try plain(context)
        return "other: " + text
    }
}
