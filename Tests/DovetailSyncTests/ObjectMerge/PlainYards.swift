import Dovetail
import DovetailTesting

/// Yards and haulers as plain values. The haulers are always there.
struct PlainYards: Equatable {
    struct One: Equatable {
        var title = "A"
        var keeper: String?
    }

    struct Part: Equatable {
        var load = 0
        var yard: String?
        var host: String?
    }

    static let codes = ["a", "b", "c"]
    static let keepers = ["ann", "bob", "acme", "bolt"]
    static let firms: Set = ["acme", "bolt"]
    static let haulers = ["t1", "t2", "t3", "m1", "m2", "m3"]

    var yards: [String: One] = [:]
    var parts: [String: Part] = [:]

    init() {
        for code in Self.codes { yards[code] = One() }
        for name in Self.haulers { parts[name] = Part(yard: "a") }
    }

    init(_ context: ModelContext) throws {
        for yard in try context.fetch(FetchDescriptor<Yard>()) {
            yards[yard.code] = One(title: yard.title, keeper: yard.keeper?.name)
            for guest in yard.guests { parts[guest.name, default: Part()].host = yard.code }
        }
        for name in Self.haulers {
            let hauler = try context.hauler(name)
            parts[name, default: Part()].load = hauler.load
            parts[name]?.yard = hauler.yard?.code
        }
    }

    /// The names of what is another one.
    func differences(from base: PlainYards) -> Set<String> {
        let codes = yards.keys.filter { yards[$0] != base.yards[$0] }
        return Set(codes).union(parts.keys.filter { parts[$0] != base.parts[$0] })
    }

    /// A change. The load of a hauler is told with its yard.
    ///
    /// - Parameter leaves: Whether haulers may be in no yard.
    mutating func change(_ random: inout SeededRandom, leaves: Bool = true) {
        let (code, name) = (random.pick(Self.codes), random.pick(Self.haulers))
        switch random.below(5) {
        case 0: yards[code]?.title = random.pick(["A", "B", "C"])
        case 1: yards[code]?.keeper = random.isOne(in: 4) ? nil : random.pick(Self.keepers)
        case 2: if parts[name]?.yard != nil { parts[name]?.load = random.below(3) }
        case 3: parts[name]?.yard = leaves && random.isOne(in: 4) ? nil : code
        default: parts[name]?.host = random.isOne(in: 3) ? nil : code
        }
    }

    func document(_ random: inout SeededRandom) -> String {
        let members = yards.keys.sorted().shuffled(using: &random).map { code in
            let yard = yards[code] ?? One()
            func list(_ members: (Part) -> String?, _ text: (String, Part) -> String) -> String {
                parts.filter { members($0.value) == code }.keys.sorted().shuffled(using: &random)
                    .map { "{\(Self.type(of: $0)),\(text($0, parts[$0] ?? Part()))}" }
                    .joined(separator: ",")
            }
            let keeper = yard.keeper.map {
                #","keeper":{"$type":"\#(Self.firms.contains($0) ? "Firm" : "Watchman")","name":"\#($0)"}"#
            }
            let haulers = list {
                $0.yard
            } _: {
                #""name":"\#($0)","load":\#($1.load)"#
            }
            let guests = list {
                $0.host
            } _: { name, _ in
                #""name":"\#(name)""#
            }
            return #"{"code":"\#(code)","title":"\#(yard.title)"\#(keeper ?? ""),"#
                + #""haulers":[\#(haulers)],"guests":[\#(guests)]}"#
        }
        return "[" + members.joined(separator: ",") + "]"
    }

    private static func type(of hauler: String) -> String {
        #""$type":"\#(hauler.hasPrefix("t") ? "Truck" : "Mule")""#
    }

    /// Does what a client tells of its yards.
    mutating func take(_ changes: [LocalObjectChange<Yard>]) throws {
        for change in changes {
            guard case .text(let code) = change.name, case .updated(_, let patch) = change.kind
            else { continue }
            if let title = patch.document["title"]?.stringValue { yards[code]?.title = title }
            if let keeper = patch.document["keeper"] {
                yards[code]?.keeper = keeper[key: "name"]?.stringValue
            }
        }
    }

    /// Does what it tells of its haulers.
    mutating func take<Object: YardHauler & PersistentModel>(
        _ changes: [LocalObjectChange<Object>]
    ) throws {
        for change in changes {
            guard case .text(let name) = change.name, case .updated(_, let patch) = change.kind
            else { continue }
            let document = patch.document
            if let load = document["load"]?.intValue { parts[name]?.load = load }
            if let yard = document["yard"] { parts[name]?.yard = yard.stringValue }
            if let host = document[key: "Yard$guests"] { parts[name]?.host = host.stringValue }
        }
    }
}

/// What a document makes of plain yards.
struct PlainYardMerge {
    private(set) var result: PlainYards
    /// What the other side has, as far as it is known here.
    private(set) var base: PlainYards
    private let listWins: Bool
    private(set) var conflicts = 0

    init(_ old: PlainYards, _ mine: PlainYards, _ theirs: PlainYards, listWins: Bool) {
        (result, base) = (mine, theirs)
        self.listWins = listWins
        for (code, there) in theirs.yards {
            guard let before = old.yards[code], let here = mine.yards[code] else { continue }
            let title = merged(before.title, here.title, there.title)
            let keeper = merged(before.keeper, here.keeper, there.keeper)
            result.yards[code] = PlainYards.One(title: title, keeper: keeper)
        }
        for (name, there) in theirs.parts {
            guard let before = old.parts[name], let here = mine.parts[name] else { continue }
            // Nothing is said of one that is in no yard.
            let load = there.yard == nil ? before.load : there.load
            base.parts[name]?.load = load
            let part = PlainYards.Part(
                load: merged(before.load, here.load, load),
                yard: merged(before.yard, here.yard, there.yard),
                host: merged(before.host, here.host, there.host)
            )
            result.parts[name] = part
        }
    }

    private mutating func merged<Value: Equatable>(
        _ base: Value,
        _ mine: Value,
        _ theirs: Value
    ) -> Value {
        if mine == base || mine == theirs { return theirs }
        if theirs == base { return mine }
        conflicts += 1
        return listWins ? theirs : mine
    }
}
