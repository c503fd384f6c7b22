import Dovetail
import DovetailTesting

/// Gigs as plain values.
struct PlainGigs: Equatable {
    struct One: Equatable {
        var title = "A"
        var marks: Set<String> = []
        var players: Set<String> = []
        var friends: Set<String> = []
    }

    static let codes = ["a", "b", "c", "d"]
    static let marks = ["x", "y", "z"]
    static let players = ["ada", "ben"]

    var gigs: [String: One] = [:]

    init() {}

    init(_ context: ModelContext) throws {
        for gig in try context.fetch(FetchDescriptor<Gig>()) {
            gigs[gig.code] = One(
                title: gig.title,
                marks: Set(gig.marks.map(\.name)),
                players: Set(gig.players.map(\.name)),
                friends: Set(gig.friends.map(\.code))
            )
        }
    }

    mutating func remove(_ code: String) {
        gigs[code] = nil
        gigs = gigs.mapValues { gig in
            var gig = gig
            gig.friends.remove(code)
            return gig
        }
    }

    mutating func setFriends(_ code: String, _ other: String, _ areFriends: Bool) {
        guard gigs[code] != nil, gigs[other] != nil else { return }
        for (one, second) in [(code, other), (other, code)] {
            if areFriends {
                gigs[one]?.friends.insert(second)
            } else {
                gigs[one]?.friends.remove(second)
            }
        }
    }

    /// Makes one change. What it inserts anew is noted.
    mutating func change(_ random: inout SeededRandom, _ new: inout Set<String>) {
        let code = random.pick(Self.codes)
        guard gigs[code] != nil else {
            gigs[code] = One(title: random.pick(["A", "B"]))
            new.insert(code)
            return
        }
        switch random.below(8) {
        case 0: remove(code)
        case 1: gigs[code]?.title = random.pick(["A", "B", "C"])
        case 2, 3: gigs[code]?.marks.formSymmetricDifference([random.pick(Self.marks)])
        case 4: gigs[code]?.players.formSymmetricDifference([random.pick(Self.players)])
        default:
            let other = random.pick(Self.codes)
            if other == code { return }
            setFriends(code, other, gigs[code]?.friends.contains(other) != true)
        }
    }

    /// The codes of those that are others, or have other lists.
    func differences(from base: PlainGigs) -> Set<String> {
        Set(gigs.keys).union(base.gigs.keys).filter { gigs[$0] != base.gigs[$0] }
    }

    func document(_ random: inout SeededRandom) -> String {
        let members = gigs.keys.sorted().shuffled(using: &random).map { code in
            let gig = gigs[code] ?? One()
            func list(_ names: Set<String>, _ text: (String) -> String) -> String {
                names.sorted().shuffled(using: &random).map(text).joined(separator: ",")
            }
            let marks = list(gig.marks) { "\"\($0)\"" }
            let friends = list(gig.friends) { "\"\($0)\"" }
            let players = list(gig.players) {
                #"{"$type":"\#($0 == "ada" ? "Pianist" : "Drummer")","name":"\#($0)"}"#
            }
            return #"{"code":"\#(code)","title":"\#(gig.title)","marks":[\#(marks)],"#
                + #""players":[\#(players)],"friends":[\#(friends)]}"#
        }
        return "[" + members.joined(separator: ",") + "]"
    }

    /// Makes the objects of a context be these.
    func write(over before: PlainGigs, to context: ModelContext) throws {
        for code in Self.codes where gigs[code] != before.gigs[code] {
            guard let gig = gigs[code] else {
                context.delete(try context.gig(code))
                continue
            }
            if before.gigs[code] == nil { context.insert(Gig(code, gig.title)) }
            let object = try context.gig(code)
            object.title = gig.title
            func set<Member>(
                _ names: Set<String>,
                _ list: [Member],
                _ name: (Member) -> String,
                _ member: (String) throws -> Member
            ) rethrows -> [Member] {
                let held = list.filter { names.contains(name($0)) }
                return try held + names.subtracting(held.map(name)).sorted().map(member)
            }
            object.marks = try set(gig.marks, object.marks) {
                $0.name
            } _: {
                try context.mark($0)
            }
            object.players = try set(gig.players, object.players) {
                $0.name
            } _: {
                try context.player($0)
            }
        }
        for code in Self.codes where gigs[code] != before.gigs[code] {
            guard let gig = gigs[code] else { continue }
            let object = try context.gig(code)
            let friends = object.friends.map(\.code)
            for other in gig.friends.subtracting(friends).sorted() {
                object.friends.append(try context.gig(other))
            }
            object.friends.removeAll { !gig.friends.contains($0.code) }
        }
        try context.save()
    }

    /// Does what a client tells.
    mutating func take(_ changes: [LocalObjectChange<Gig>]) throws {
        for change in changes {
            guard case .text(let code) = change.name, case .deleted = change.kind else { continue }
            remove(code)
        }
        var friends: [(String, String, Bool)] = []
        for change in changes {
            guard case .text(let code) = change.name else { continue }
            switch change.kind {
            case .deleted: continue
            case .inserted(let gig):
                gigs[code] = One(
                    title: gig.title,
                    marks: Set(gig.marks.map(\.name)),
                    players: Set(gig.players.map(\.name))
                )
                friends += gig.friends.map { (code, $0.code, true) }
            case .updated(_, let patch):
                if let title = patch.document["title"]?.stringValue { gigs[code]?.title = title }
                for list in change.lists {
                    let added = list.added.compactMap {
                        $0.stringValue ?? $0[key: "name"]?.stringValue
                    }
                    let removed = list.removed.compactMap {
                        $0.stringValue ?? $0[key: "name"]?.stringValue
                    }
                    switch list.name {
                    case "marks":
                        gigs[code]?.marks.formUnion(added)
                        gigs[code]?.marks.subtract(removed)
                    case "players":
                        gigs[code]?.players.formUnion(added)
                        gigs[code]?.players.subtract(removed)
                    default:
                        friends +=
                            added.map { (code, $0, true) } + removed.map { (code, $0, false) }
                    }
                }
            }
        }
        for (code, other, areFriends) in friends { setFriends(code, other, areFriends) }
    }
}

/// What a document makes of plain gigs, where the store wins.
struct PlainGigMerge {
    private(set) var result: PlainGigs
    /// What the other side has, as far as it is known here.
    private(set) var base: PlainGigs

    /// - Parameter reborn: What was inserted here, and has no row that was there before.
    init(_ old: PlainGigs, _ mine: PlainGigs, _ theirs: PlainGigs, reborn: Set<String>) {
        var before = old
        for code in reborn where mine.gigs[code] != nil { before.remove(code) }
        (result, base) = (mine, theirs)
        // Those that the other side does not have: changed ones stay, as new ones.
        var orphans: Set<String> = []
        for (code, gig) in mine.gigs where theirs.gigs[code] == nil {
            if let known = before.gigs[code], known.title == gig.title {
                result.remove(code)
            } else {
                orphans.insert(code)
            }
        }
        for (code, there) in theirs.gigs {
            let known = before.gigs[code]
            guard let here = mine.gigs[code] else {
                // One that was deleted here stays so.
                if known == nil { result.gigs[code] = PlainGigs.One(title: there.title) }
                continue
            }
            if here.title == known?.title { result.gigs[code]?.title = there.title }
        }
        func merged(
            _ known: Set<String>?,
            _ here: Set<String>?,
            _ there: Set<String>
        ) -> Set<String> {
            let (known, here) = (known ?? [], here ?? [])
            return here.intersection(there).union(here.subtracting(known))
                .union(there.subtracting(known))
        }
        let present = Set(result.gigs.keys)
        for (code, there) in theirs.gigs where present.contains(code) {
            let (known, here) = (before.gigs[code], mine.gigs[code])
            result.gigs[code]?.marks = merged(known?.marks, here?.marks, there.marks)
            result.gigs[code]?.players = merged(known?.players, here?.players, there.players)
            let friends = merged(known?.friends, here?.friends, there.friends)
            result.gigs[code]?.friends = friends.union(here?.friends.intersection(orphans) ?? [])
                .intersection(present)
        }
    }
}
