import Dovetail
import DovetailTesting

/// Studios and discs as plain values.
struct PlainStudios: Equatable {
    struct One: Equatable {
        var title = "A"
        var partner: String?
    }

    struct Part: Equatable {
        var title: String
        var studio: String
    }

    /// The names of some.
    struct Names {
        var studios: Set<String> = []
        var discs: Set<Int> = []
    }

    var studios: [String: One] = [:]
    var discs: [Int: Part] = [:]

    init() {}

    init(_ context: ModelContext) throws {
        for studio in try context.fetch(FetchDescriptor<Studio>()) {
            studios[studio.code] = One(title: studio.title, partner: studio.partner?.code)
        }
        for disc in try context.fetch(FetchDescriptor<Disc>()) {
            discs[disc.number] = Part(title: disc.title, studio: disc.studio.code)
        }
    }

    mutating func remove(studio code: String) {
        studios[code] = nil
        discs = discs.filter { $0.value.studio != code }
        for (other, one) in studios where one.partner == code { studios[other]?.partner = nil }
    }

    /// The names of what is another one.
    func differences(from base: PlainStudios) -> Set<String> {
        let codes = Set(studios.keys).union(base.studios.keys).filter {
            studios[$0] != base.studios[$0]
        }
        let numbers = Set(discs.keys).union(base.discs.keys).filter { discs[$0] != base.discs[$0] }
        return codes.union(numbers.map { "\($0)" })
    }

    /// Does what a client tells.
    mutating func take(
        _ changes: [LocalObjectChange<Studio>],
        _ parts: [LocalObjectChange<Disc>]
    ) throws {
        for part in parts {
            guard case .integer(let key) = part.name else { continue }
            let number = Int(key)
            switch part.kind {
            case .deleted: discs[number] = nil
            case .inserted(let disc):
                discs[number] = Part(title: disc.title, studio: disc.studio.code)
            case .updated(_, let patch):
                if let title = patch.document["title"]?.stringValue { discs[number]?.title = title }
                if let code = patch.document["studio"]?.stringValue { discs[number]?.studio = code }
            }
        }
        for change in changes {
            guard case .text(let code) = change.name else { continue }
            switch change.kind {
            case .deleted: studios[code] = nil
            case .inserted(let studio):
                studios[code] = One(title: studio.title, partner: studio.partner?.code)
            case .updated(_, let patch):
                if let title = patch.document["title"]?.stringValue { studios[code]?.title = title }
                if let partner = patch.document["partner_code"] {
                    studios[code]?.partner = partner.stringValue
                }
            }
        }
        discs = discs.filter { studios[$0.value.studio] != nil }
        for (code, one) in studios where one.partner.map({ studios[$0] == nil }) == true {
            studios[code]?.partner = nil
        }
    }

    func document(_ random: inout SeededRandom) -> String {
        let members = studios.keys.sorted().shuffled(using: &random).map { code in
            let studio = studios[code] ?? One()
            let discs = discs.filter { $0.value.studio == code }.keys.sorted()
                .shuffled(using: &random)
                .map { #"{"number":\#($0),"title":"\#(self.discs[$0]?.title ?? "")"}"# }
            let partner = studio.partner.map { #","partner_code":"\#($0)""# } ?? ""
            return #"{"code":"\#(code)","title":"\#(studio.title)"\#(partner),"#
                + #""discs":[\#(discs.joined(separator: ","))]}"#
        }
        return "[" + members.joined(separator: ",") + "]"
    }
}

/// What a document makes of plain values where the store wins.
struct PlainMerge {
    private(set) var result: PlainStudios
    /// What the other side has, as far as it is known here.
    private(set) var base: PlainStudios

    /// - Parameter reborn: What was inserted here, and has no row that was there before.
    init(
        _ old: PlainStudios,
        _ mine: PlainStudios,
        _ theirs: PlainStudios,
        reborn: PlainStudios.Names
    ) {
        var before = old
        for code in reborn.studios where mine.studios[code] != nil { before.studios[code] = nil }
        for number in reborn.discs where mine.discs[number] != nil { before.discs[number] = nil }
        result = mine
        base = theirs
        let skipped = Set(
            theirs.studios.keys.filter { before.studios[$0] != nil && mine.studios[$0] == nil }
        )
        // Those that come from the other side.
        for (code, given) in theirs.studios where !skipped.contains(code) {
            guard let one = mine.studios[code] else {
                result.studios[code] = given
                continue
            }
            let known = before.studios[code]
            if one.title == known?.title { result.studios[code]?.title = given.title }
            if known != nil, one.partner == known?.partner {
                result.studios[code]?.partner = given.partner
            }
        }
        for (number, given) in theirs.discs {
            guard let one = mine.discs[number] else {
                if before.discs[number] != nil { continue }
                if !skipped.contains(given.studio) { result.discs[number] = given }
                continue
            }
            let known = before.discs[number]
            if one.title == known?.title { result.discs[number]?.title = given.title }
            if one.studio == known?.studio, !skipped.contains(given.studio) {
                result.discs[number]?.studio = given.studio
            }
        }
        for code in skipped {
            for (other, one) in result.studios where one.partner == code {
                result.studios[other]?.partner = mine.studios[other]?.partner
            }
        }
        // What the other side does not have, and nobody has changed here, goes.
        for (number, one) in mine.discs
        where theirs.discs[number] == nil && before.discs[number] == one
            && theirs.studios[one.studio] != nil
        {
            result.discs[number] = nil
        }
        for (code, one) in mine.studios where theirs.studios[code] == nil {
            guard let known = before.studios[code] else { continue }
            let isChanged =
                one != known
                || mine.discs.contains { number, disc in
                    disc.studio == code && theirs.discs[number] == nil
                        && before.discs[number] != disc
                }
                || result.discs.contains { $1.studio == code && theirs.discs[$0] != nil }
            if !isChanged { result.remove(studio: code) }
        }
    }
}
