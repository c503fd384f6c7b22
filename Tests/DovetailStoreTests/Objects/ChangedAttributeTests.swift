import Dovetail
import DovetailTesting
import Foundation
import StoreTestSupport
import Synchronization
import Testing

/// A value that counts how often it is encoded.
struct CountedSpan: Codable, Equatable {
    final class Counter: Sendable {
        let count = Mutex(0)
    }

    @TaskLocal static var counter = Counter()

    enum CodingKeys: CodingKey { case from, to }

    var from = 0
    var to = 0

    init() {}

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        from = try container.decode(Int.self, forKey: .from)
        to = try container.decode(Int.self, forKey: .to)
    }

    func encode(to encoder: any Encoder) throws {
        Self.counter.count.withLock { $0 += 1 }
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(from, forKey: .from)
        try container.encode(to, forKey: .to)
    }
}

/// What several objects may hold.
final class SharedShade: Codable {
    var name: String

    init(_ name: String) { self.name = name }
}

@Model final class ShadedLamp {
    var title: String
    var power = 0
    var span = CountedSpan()
    var shade: SharedShade
    var spare: [SharedShade] = []
    var room: LampRoom?

    init(_ title: String) {
        self.title = title
        shade = SharedShade(title)
    }
}

@Model final class LampRoom {
    var name: String
    @Relationship(inverse: \ShadedLamp.room) var lamps: [ShadedLamp] = []

    init(_ name: String) { self.name = name }
}

/// A hook derives one attribute from another one.
@Model final class HookedLamp {
    var title: String
    var shout = ""
    var power = 0

    init(_ title: String) { self.title = title }
}

extension HookedLamp: ModelLifecycle {
    func willEncode() throws { shout = title.uppercased() }
}

@Model(unknownFields: .preserve) final class LooseLamp {
    var title: String

    init(_ title: String) { self.title = title }
}

/// A save looks at the attributes that were set, and at no others.
struct ChangedAttributeTests {
    private func container(_ kind: StoreKind) throws -> ModelContainer {
        try kind.container(ShadedLamp.self, HookedLamp.self, LooseLamp.self)
    }

    private func lamp(in context: ModelContext) throws -> ShadedLamp {
        try #require(try context.fetch(FetchDescriptor<ShadedLamp>()).first)
    }

    @Test(arguments: StoreKind.allCases)
    func `an attribute that was not set is not encoded`(_ kind: StoreKind) throws {
        let context = ModelContext(try container(kind))
        context.insert(ShadedLamp("a"))
        try context.save()
        let counter = CountedSpan.Counter()
        try CountedSpan.$counter.withValue(counter) {
            let lamp = try lamp(in: context)
            lamp.title = "b"
            lamp.power = 2
            try context.save()
            #expect(counter.count.withLock { $0 } == 0)
            // What it was, and what it is.
            lamp.span.to = 3
            try context.save()
            #expect(counter.count.withLock { $0 } == 2)
            lamp.room = LampRoom("hall")
            try context.save()
            #expect(counter.count.withLock { $0 } == 2)
        }
        let fresh = ModelContext(context.container)
        let stored = try lamp(in: fresh)
        #expect(stored.title == "b" && stored.power == 2 && stored.span.to == 3)
        #expect(stored.room?.name == "hall")
    }

    @Test(arguments: StoreKind.allCases)
    func `what key paths and changes in place set is saved and given back`(
        _ kind: StoreKind
    ) throws {
        let context = ModelContext(try container(kind))
        let lamp = ShadedLamp("a")
        context.insert(lamp)
        try context.save()
        func change() {
            lamp[keyPath: \.power] = 5
            lamp.title += "+"
            lamp.span.from = 1
            lamp.setValue(forKey: \.span.to, to: 9)
            lamp.spare.append(SharedShade("red"))
            lamp.power += 1
        }
        change()
        context.rollback()
        #expect(lamp.title == "a" && lamp.power == 0 && lamp.span == CountedSpan())
        #expect(lamp.spare.isEmpty && !context.hasChanges)
        change()
        try context.save()
        let stored = try self.lamp(in: ModelContext(context.container))
        #expect(stored.title == "a+" && stored.power == 6)
        #expect(stored.span.from == 1 && stored.span.to == 9)
        #expect(stored.spare.map(\.name) == ["red"])
    }

    @Test(arguments: StoreKind.allCases)
    func `instances of classes that change themselves are saved with what else was set`(
        _ kind: StoreKind
    ) throws {
        let context = ModelContext(try container(kind))
        let new = ShadedLamp("a")
        new.spare = [SharedShade("x")]
        context.insert(new)
        try context.save()
        let lamp = try lamp(in: context)
        lamp.power = 1
        lamp.shade.name = "dark"
        lamp.spare[0].name = "y"
        try context.save()
        let stored = try self.lamp(in: ModelContext(context.container))
        #expect(stored.power == 1 && stored.shade.name == "dark" && stored.spare[0].name == "y")
        lamp.power = 2
        lamp.shade.name = "bright"
        context.rollback()
        #expect(lamp.power == 1 && lamp.shade.name == "dark")
    }

    @Test(arguments: StoreKind.allCases)
    func `what a hook changes before an object is written is saved`(_ kind: StoreKind) throws {
        let context = ModelContext(try container(kind))
        let lamp = HookedLamp("a")
        context.insert(lamp)
        try context.save()
        lamp.title = "b"
        try context.save()
        let stored = try ModelContext(context.container).fetch(FetchDescriptor<HookedLamp>())
        #expect(stored.map(\.title) == ["b"] && stored.map(\.shout) == ["B"])
        #expect(!context.hasChanges)
    }

    @Test(arguments: StoreKind.allCases)
    func `unknown fields that change are saved with what else was set`(_ kind: StoreKind) throws {
        let context = ModelContext(try container(kind))
        let lamp = LooseLamp("a")
        context.insert(lamp)
        try context.save()
        lamp.title = "b"
        lamp.unknownFields = try LooseLamp(
            decoding: Data(#"{"title":"c","more":1}"#.utf8),
            as: .json
        )
        .unknownFields
        try context.save()
        let stored = try ModelContext(context.container).fetch(FetchDescriptor<LooseLamp>())
        #expect(stored.map(\.title) == ["b"])
        #expect(stored.map(\.unknownFields) == [lamp.unknownFields])
        #expect(!lamp.unknownFields.isEmpty)
    }

    @Test(arguments: StoreKind.allCases)
    func `a transaction that throws gives back what its saves have set`(_ kind: StoreKind) throws {
        struct Refused: Error {}
        let context = ModelContext(try container(kind))
        let lamp = ShadedLamp("a")
        context.insert(lamp)
        try context.save()
        #expect(throws: Refused.self) {
            try context.transaction {
                lamp.title = "b"
                try context.save()
                lamp.power = 7
                lamp.span.to = 1
                try context.save()
                lamp.title = "c"
                throw Refused()
            }
        }
        #expect(lamp.title == "a" && lamp.power == 0 && lamp.span.to == 0)
        #expect(!context.hasChanges)
        lamp.power = 1
        try context.save()
        let stored = try self.lamp(in: ModelContext(context.container))
        #expect(stored.title == "a" && stored.power == 1)
    }

    @Test(arguments: StoreKind.allCases)
    func `a conflict about one attribute tells the values of all`(_ kind: StoreKind) throws {
        let first = ModelContext(try container(kind))
        first.insert(ShadedLamp("a"))
        try first.save()
        let other = ModelContext(first.container)
        let (mine, theirs) = try (lamp(in: first), lamp(in: other))
        theirs.title = "theirs"
        try other.save()
        mine.title = "mine"
        let error = try #require(throws: ConflictError.self) { try first.save() }
        let conflict = try #require(error.conflicts.first)
        #expect(conflict.attributes == ["title"])
        #expect(conflict.base["title"] == .text("a") && conflict.mine?["title"] == .text("mine"))
        #expect(conflict.theirs?["title"] == .text("theirs"))
        for values in [conflict.base, conflict.mine, conflict.theirs] {
            #expect(values?["power"] == .integer(0))
            #expect(values?["shade"] == .document(#"{"name":"a"}"#))
            #expect(values?["span"] == .document(#"{"from":0,"to":0}"#))
        }
        first.rollback()
        #expect(try lamp(in: first).title == "theirs")
    }

    @Test(arguments: StoreKind.allCases, SeededRandom.seeds)
    func `attributes that two contexts set at random are those that were set last`(
        _ kind: StoreKind,
        _ seed: UInt64
    ) throws {
        var random = SeededRandom(seed: seed)
        let container = try container(kind)
        let contexts = (0..<2).map { _ in ModelContext(container) }
        contexts[0].insert(ShadedLamp("0"))
        try contexts[0].save()
        let lamps = try contexts.map { try lamp(in: $0) }
        /// Title, power, start and end: as stored, and as each context sees them.
        var stored = [0, 0, 0, 0]
        var own: [[Int: Int]] = [[:], [:]]
        func values(_ lamp: ShadedLamp) -> [Int] {
            [Int(lamp.title) ?? -1, lamp.power, lamp.span.from, lamp.span.to]
        }
        var checks = 0
        for step in 1...300 {
            let who = Int.random(in: 0..<2, using: &random)
            let (lamp, context) = (lamps[who], contexts[who])
            // The two parts of the span are one attribute, which one of them sets.
            let field = Int.random(in: 0..<4, using: &random)
            switch Int.random(in: 0..<8, using: &random) {
            case 0:
                context.rollback()
                own[who] = [:]
            case 1:
                context.conflictPolicy = .contextWins
                try context.save()
                for (field, value) in own[who] { stored[field] = value }
                own[who] = [:]
            default:
                guard field < 2 || who == 0 else { continue }
                switch field {
                case 0: lamp.title = "\(step)"
                case 1: lamp.power = step
                case 2: lamp.span.from = step
                default: lamp.span.to = step
                }
                own[who][field] = step
                continue
            }
            _ = try context.fetch(FetchDescriptor<ShadedLamp>())
            try #require(values(lamp) == stored, "seed \(seed), step \(step), context \(who)")
            let fresh = values(try self.lamp(in: ModelContext(container)))
            try #require(fresh == stored, "seed \(seed), step \(step)")
            checks += 1
        }
        #expect(checks > 20, "seed \(seed)")
    }
}
