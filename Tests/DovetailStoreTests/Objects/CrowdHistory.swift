import Dovetail
import DovetailTesting

/// Random work of many contexts of one container, compared with plain values after each save.
struct CrowdHistory {
    typealias Kind = CrowdRow.Kind

    /// One context, its objects, and what waits in it.
    struct Member {
        let context: ModelContext
        let policy: CrowdPolicy
        var objects: [Int: any CrowdObject] = [:]
        var pending = CrowdPending()
    }

    /// Something is not as the plain values say.
    struct Problem: Error, CustomStringConvertible {
        let description: String
    }

    private struct Refused: Error {}

    let container: ModelContainer
    private(set) var members: [Member]
    private var stored = CrowdState()
    private var random: SeededRandom
    private var last = 0
    private var steps: [String] = []
    /// How many operations there were, how many saves, and how many of these met a conflict.
    private(set) var count = 0
    private(set) var saves = 0
    private(set) var refused = 0

    /// How many objects of each class there are before more are deleted than inserted.
    private static let most = 12

    init(_ container: ModelContainer, contexts: Int, seed: UInt64) {
        self.container = container
        random = SeededRandom(seed: seed)
        members = (0..<contexts).map { number in
            let policy = CrowdPolicy.allCases[number % CrowdPolicy.allCases.count]
            let context = ModelContext(container)
            context.conflictPolicy =
                switch policy {
                case .error: .error
                case .storeWins: .storeWins
                case .contextWins: .contextWins
                case .mixed:
                    .custom { conflict in
                        conflict.attributes.contains("second")
                            ? .storeWins : .contextWinsOnly(in: ["first", "team", "person"])
                    }
                }
            return Member(context: context, policy: policy)
        }
    }

    /// Runs so many operations.
    ///
    /// - Throws: ``Problem`` with what came before it.
    mutating func run(_ total: Int) throws {
        do {
            while count < total {
                count += 1
                try step(random.below(members.count))
            }
            for index in members.indices {
                members[index].context.rollback()
                members[index].pending = CrowdPending()
                members[index].context.processPendingChanges()
                try check(index)
            }
        } catch {
            throw Problem(
                description: "seed \(random.seed), operation \(count): \(error)\n"
                    + steps.suffix(150).joined(separator: "\n")
            )
        }
    }

    // MARK: Operations

    private mutating func step(_ index: Int) throws {
        // What others have saved comes sooner or later: a change may be one of an old value.
        if !random.isOne(in: 3) { try synchronize(index) }
        switch random.below(20) {
        case 0, 1, 2: insert(index)
        case 3, 4, 5, 6, 7: setNumber(index)
        case 8, 9, 10: try setLink(index)
        case 11: try reorder(index)
        case 12, 13: try setPair(index)
        case 14: try delete(index)
        case 15:
            steps.append("\(index): rollback")
            members[index].context.rollback()
            members[index].pending = CrowdPending()
        case 16: try refuse(index)
        case 17:
            steps.append("\(index): compare")
            try synchronize(index)
            try compare(members[index], members[index].pending.view(of: stored), "compare")
        default: try save(index)
        }
    }

    /// Takes over what others have saved, and knows all objects then.
    private mutating func synchronize(_ index: Int) throws {
        let context = members[index].context
        context.processPendingChanges()
        members[index].pending.synchronize(with: stored)
        var objects: [Int: any CrowdObject] = [:]
        func add<Object: CrowdObject>(_ type: Object.Type) throws {
            for object in try context.fetch(FetchDescriptor<Object>()) {
                if objects.updateValue(object, forKey: object.number) != nil {
                    throw Problem(description: "two objects \(object.number)")
                }
            }
        }
        try add(CrowdTeam.self)
        try add(CrowdPerson.self)
        try add(CrowdBadge.self)
        try add(CrowdSkill.self)
        members[index].objects = objects
        // Of an object whose row others have deleted, a reference that it has never read leads to who is inserted
        // again with the key; one that it has read leads nowhere.
        for number in members[index].pending.lost(from: stored) {
            let link = row(number, index).link
            if stored.rows[link] != nil { members[index].pending.rows[number]?.link = link }
        }
    }

    /// The objects of a kind that a context has.
    private func numbers(_ kind: Kind, _ index: Int) -> [Int] {
        members[index].objects.filter { _, object in
            object.modelContext != nil && !object.isDeleted && kind == self.kind(of: object)
        }
        .keys.sorted()
    }

    private func kind(of object: any CrowdObject) -> Kind {
        switch object {
        case is CrowdTeam: .team
        case is CrowdPerson: .person
        case is CrowdBadge: .badge
        default: .skill
        }
    }

    private mutating func pick(_ kind: Kind, _ index: Int) -> Int? {
        numbers(kind, index).randomElement(using: &random)
    }

    /// What an object says of itself.
    private func row(_ number: Int, _ index: Int) -> CrowdRow {
        guard let object = members[index].objects[number] else { return CrowdRow(kind: .team) }
        let link =
            switch object {
            case let person as CrowdPerson: person.team?.number
            case let badge as CrowdBadge: badge.person?.number
            default: nil as Int?
            }
        return CrowdRow(
            kind: kind(of: object),
            first: object.first,
            second: object.second,
            link: link ?? 0
        )
    }

    private mutating func insert(_ index: Int) {
        let kind = random.pick(Kind.allCases)
        guard numbers(kind, index).count < Self.most else { return }
        last += 1
        let object: any CrowdObject =
            switch kind {
            case .team: CrowdTeam(number: last)
            case .person: CrowdPerson(number: last)
            case .badge: CrowdBadge(number: last)
            case .skill: CrowdSkill(number: last)
            }
        steps.append("\(index): insert \(kind) \(last)")
        members[index].context.insert(object)
        members[index].objects[last] = object
        members[index].pending.inserted[last] = CrowdRow(kind: kind)
    }

    private mutating func setNumber(_ index: Int) {
        guard let number = pick(random.pick(Kind.allCases), index),
            let object = members[index].objects[number]
        else { return }
        let field = random.pick([CrowdRow.Field.first, .second])
        let value = random.below(6)
        steps.append("\(index): \(number).\(field) = \(value)")
        let row = row(number, index)
        members[index].pending.set(field, of: number, from: row, to: value)
        if field == .first { object.first = value } else { object.second = value }
    }

    /// Puts a person into a team, or a badge to a person, from either side.
    private mutating func setLink(_ index: Int) throws {
        try synchronize(index)
        if random.isOne(in: 2) {
            guard let number = pick(.person, index),
                let person = members[index].objects[number] as? CrowdPerson
            else { return }
            let target = random.isOne(in: 4) ? nil : pick(.team, index)
            let row = row(number, index)
            members[index].pending.set(.link, of: number, from: row, to: target ?? 0)
            let team = target.flatMap { members[index].objects[$0] as? CrowdTeam }
            steps.append("\(index): person \(number) to team \(target ?? 0)")
            if let team, random.isOne(in: 2) {
                if !team.members.contains(where: { $0 === person }) {
                    let place = random.below(team.members.count + 1)
                    team.members.insert(person, at: place)
                }
            } else if target == nil, random.isOne(in: 2) {
                person.team?.members.removeAll { $0 === person }
            } else {
                person.team = team
            }
            return
        }
        guard let number = pick(.badge, index),
            let badge = members[index].objects[number] as? CrowdBadge
        else { return }
        let target = random.isOne(in: 4) ? nil : pick(.person, index)
        steps.append("\(index): badge \(number) to person \(target ?? 0)")
        let person = target.flatMap { members[index].objects[$0] as? CrowdPerson }
        let view = members[index].pending.view(of: stored)
        let isByPerson = person != nil && random.isOne(in: 2)
        // To set what is there is no change.
        let isThere =
            isByPerson
            ? members[index].pending.badge(of: target ?? 0, in: view) == number
            : view.rows[number]?.link == target
        if let target, !isThere {
            for other in view.badges(of: target) where other != number {
                members[index].pending.set(.link, of: other, from: row(other, index), to: 0)
            }
        }
        members[index].pending.set(.link, of: number, from: row(number, index), to: target ?? 0)
        if isByPerson { person?.badge = badge } else { badge.person = person }
    }

    /// Moves the members of a team.
    private mutating func reorder(_ index: Int) throws {
        try synchronize(index)
        guard let number = pick(.team, index),
            let team = members[index].objects[number] as? CrowdTeam
        else { return }
        steps.append("\(index): reorder team \(number)")
        team.members.shuffle(using: &random)
    }

    /// Gives a person a skill, or takes it, from either side.
    private mutating func setPair(_ index: Int) throws {
        try synchronize(index)
        guard let one = pick(.person, index), let two = pick(.skill, index),
            let person = members[index].objects[one] as? CrowdPerson,
            let skill = members[index].objects[two] as? CrowdSkill
        else { return }
        let pair = CrowdPair(person: one, skill: two)
        let isThere = members[index].pending.view(of: stored).pairs.contains(pair)
        steps.append("\(index): \(isThere ? "take" : "give") \(one) skill \(two)")
        if isThere {
            if random.isOne(in: 2) {
                person.skills.removeAll { $0 === skill }
            } else {
                skill.people.removeAll { $0 === person }
            }
            members[index].pending.added.remove(pair)
            if stored.pairs.contains(pair) { members[index].pending.removed.insert(pair) }
        } else {
            if random.isOne(in: 2) {
                person.skills.append(skill)
            } else {
                skill.people.append(person)
            }
            members[index].pending.removed.remove(pair)
            if !stored.pairs.contains(pair) { members[index].pending.added.insert(pair) }
        }
    }

    private mutating func delete(_ index: Int) throws {
        try synchronize(index)
        let view = members[index].pending.view(of: stored)
        guard let number = pick(random.pick(Kind.allCases), index),
            let object = members[index].objects[number]
        else { return }
        steps.append("\(index): delete \(number)")
        for (other, row) in view.rows where row.link == number {
            if row.kind == .badge {
                members[index].pending.delete(other, row)
                members[index].pending.parts.insert(other)
            } else {
                members[index].pending.set(.link, of: other, from: row, to: 0)
                members[index].pending.released[other] = number
            }
        }
        members[index].pending.delete(number, row(number, index))
        members[index].context.delete(object)
    }

    /// Changes something in a transaction that throws.
    private mutating func refuse(_ index: Int) throws {
        try synchronize(index)
        let before = members[index]
        let context = before.context
        let word = "\(index): refused transaction"
        steps.append(word)
        do {
            try context.transaction {
                for _ in 0..<3 { setNumber(index) }
                try setLink(index)
                try setPair(index)
                if random.isOne(in: 2) { try context.save() }
                try delete(index)
                throw Refused()
            }
        } catch is Refused {
        } catch is ConflictError {
        }
        members[index].pending = before.pending
        try check(index)
    }

    // MARK: Saving

    private mutating func save(_ index: Int) throws {
        try synchronize(index)
        let (pending, policy) = (members[index].pending, members[index].policy)
        let wanted = pending.saved(over: stored, policy)
        steps.append("\(index): save, \(policy)\(wanted == nil ? ", refused" : "")")
        do {
            try members[index].context.save()
            saves += 1
            guard let wanted else { throw Problem(description: "a conflict was not noticed") }
            if !wanted.pairsAreKnown { return try adopt(index, wanted.state) }
            stored = wanted.state
            members[index].pending = CrowdPending()
        } catch let error as ConflictError {
            refused += 1
            guard wanted == nil else {
                throw Problem(description: "no conflict was expected: \(error.debugDescription)")
            }
            if random.isOne(in: 2) {
                members[index].context.rollback()
                members[index].pending = CrowdPending()
            }
        }
        try check(index)
    }

    /// Takes the pairs that are stored, where plain values do not say them.
    private mutating func adopt(_ index: Int, _ wanted: CrowdState) throws {
        members[index].pending = CrowdPending()
        stored = wanted
        stored.pairs = try state(ModelContext(container)).state.pairs
        try check(index)
    }

    /// Compares a context, and what is stored, with the plain values.
    private mutating func check(_ index: Int) throws {
        try compare(
            Member(context: ModelContext(container), policy: .error),
            stored,
            "what is stored"
        )
        try synchronize(index)
        try compare(members[index], members[index].pending.view(of: stored), "the context")
        // An order that waits is nowhere else.
        if !members[index].pending.isEmpty || members[index].context.hasChanges { return }
        guard members[index].pending.view(of: stored) == stored else { return }
        let (mine, fresh) = (
            try state(members[index].context).lists, try state(ModelContext(container)).lists
        )
        if mine != fresh { throw Problem(description: "lists \(mine), stored \(fresh)") }
    }

    private func compare(_ member: Member, _ wanted: CrowdState, _ place: String) throws {
        let has = try state(member.context)
        var found = has.state
        // Objects of which only the place in a list was changed stay until the save.
        for (number, _) in found.rows where wanted.rows[number] == nil {
            let isOrdered = member.context.changedModelsArray.contains {
                ($0 as? any CrowdObject)?.number == number
            }
            if isOrdered { found.rows[number] = nil }
        }
        found.settle()
        guard found != wanted else {
            for (person, badge) in has.badges {
                let holder = member.pending.badge(of: person, in: wanted) ?? 0
                if badge == holder { continue }
                throw Problem(description: "\(place): \(person) has \(badge), not \(holder)")
            }
            return
        }
        var text = ""
        for number in Set(found.rows.keys).union(wanted.rows.keys).sorted()
        where found.rows[number] != wanted.rows[number] {
            let (has, wants) = (found.rows[number], wanted.rows[number])
            text += "\n\(number): is \(has.map { "\($0)" } ?? "-"), "
            text += "not \(wants.map { "\($0)" } ?? "-")"
        }
        text += "\npairs \(found.pairs.symmetricDifference(wanted.pairs))"
        throw Problem(description: "\(place): \(text)")
    }

    /// What the objects of a context say, after both sides of each relationship were compared.
    private func state(
        _ context: ModelContext
    ) throws -> (state: CrowdState, lists: [Int: [Int]], badges: [Int: Int]) {
        var state = CrowdState()
        var lists: [Int: [Int]] = [:]
        var badges: [Int: Int] = [:]
        func require(_ isTrue: Bool, _ text: @autoclosure () -> String) throws {
            if !isTrue { throw Problem(description: text()) }
        }
        func one<Object: CrowdObject>(_ object: Object) throws {
            try require(!object.isDeleted, "\(object.number) is deleted")
            try require(object.modelContext === context, "\(object.number) is in no context")
            let known: Object? = context.registeredModel(for: object.persistentModelID)
            try require(known === object, "\(object.number) is not the one of its row")
        }
        for team in try context.fetch(FetchDescriptor<CrowdTeam>()) {
            try one(team)
            state.rows[team.number] = CrowdRow(
                kind: .team,
                first: team.first,
                second: team.second
            )
            lists[team.number] = team.members.map(\.number)
            for person in team.members {
                try one(person)
                try require(person.team === team, "\(person.number) is not in \(team.number)")
            }
        }
        for person in try context.fetch(FetchDescriptor<CrowdPerson>()) {
            try one(person)
            state.rows[person.number] = CrowdRow(
                kind: .person,
                first: person.first,
                second: person.second,
                link: person.team?.number ?? 0
            )
            if let team = person.team {
                try one(team)
                let count = team.members.count { $0 === person }
                try require(count == 1, "\(team.number) has \(person.number) \(count) times")
            }
            if let badge = person.badge {
                try one(badge)
                try require(badge.person === person, "\(badge.number) is not \(person.number)'s")
            }
            badges[person.number] = person.badge?.number ?? 0
            for skill in person.skills {
                try one(skill)
                state.pairs.insert(CrowdPair(person: person.number, skill: skill.number))
                let isThere = skill.people.contains { $0 === person }
                try require(isThere, "\(skill.number) has no \(person.number)")
            }
            lists[person.number] = person.skills.map(\.number)
        }
        for badge in try context.fetch(FetchDescriptor<CrowdBadge>()) {
            try one(badge)
            state.rows[badge.number] = CrowdRow(
                kind: .badge,
                first: badge.first,
                second: badge.second,
                link: badge.person?.number ?? 0
            )
            if let person = badge.person { try one(person) }
        }
        for skill in try context.fetch(FetchDescriptor<CrowdSkill>()) {
            try one(skill)
            state.rows[skill.number] = CrowdRow(
                kind: .skill,
                first: skill.first,
                second: skill.second
            )
            lists[skill.number] = skill.people.map(\.number)
            for person in skill.people {
                try one(person)
                let isThere = person.skills.contains { $0 === skill }
                try require(isThere, "\(person.number) has no \(skill.number)")
            }
        }
        return (state, lists, badges)
    }
}
