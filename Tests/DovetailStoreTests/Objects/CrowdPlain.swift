/// One object as a plain value.
struct CrowdRow: Equatable {
    enum Kind: Int, CaseIterable { case team, person, badge, skill }
    enum Field: String, CaseIterable { case first, second, link }

    var kind: Kind
    var first = 0
    var second = 0
    /// The team of a person, or the person of a badge; 0 for none.
    var link = 0

    subscript(field: Field) -> Int {
        get {
            switch field {
            case .first: first
            case .second: second
            case .link: link
            }
        }
        set {
            switch field {
            case .first: first = newValue
            case .second: second = newValue
            case .link: link = newValue
            }
        }
    }

    /// What conflicts call a field.
    func name(of field: Field) -> String {
        field != .link ? field.rawValue : kind == .badge ? "person" : "team"
    }
}

/// A person and a skill.
struct CrowdPair: Hashable {
    let person: Int
    let skill: Int
}

/// Objects and what they have of each other, by their numbers.
struct CrowdState: Equatable {
    var rows: [Int: CrowdRow] = [:]
    var pairs: Set<CrowdPair> = []

    /// Drops what leads to nothing.
    mutating func settle() {
        for (number, row) in rows where row.link != 0 && rows[row.link] == nil {
            rows[number]?.link = 0
        }
        pairs = pairs.filter { rows[$0.person] != nil && rows[$0.skill] != nil }
    }
}

/// What a context does with conflicts.
enum CrowdPolicy: CaseIterable {
    case error, storeWins, contextWins
    /// The store wins where `second` is in conflict, and otherwise in all but `first` and the links.
    case mixed

    /// The fields that the context wins; nil for an error.
    func won(_ fields: [CrowdRow.Field]) -> [CrowdRow.Field]? {
        switch self {
        case .error: fields.isEmpty ? [] : nil
        case .storeWins: []
        case .contextWins: fields
        case .mixed: fields.contains(.second) ? [] : fields
        }
    }
}

extension CrowdState {
    /// The badges that say to be a person's. A save leaves at most one; until then others may have given
    /// the person one, and this context another one.
    func badges(of person: Int) -> [Int] {
        rows.filter { $0.value.kind == .badge && $0.value.link == person }.keys.sorted()
    }
}

/// What waits in one context, in plain values.
struct CrowdPending {
    /// What each changed field was when it was changed.
    var bases: [Int: [CrowdRow.Field: Int]] = [:]
    /// The changed rows as they shall be, as far as the context knows the rest of them.
    var rows: [Int: CrowdRow] = [:]
    var inserted: [Int: CrowdRow] = [:]
    /// The deleted rows as they were.
    var deleted: [Int: CrowdRow] = [:]
    /// The persons of deleted badges, by their numbers.
    private var owners: [Int: Int] = [:]
    /// Those of them that were deleted for that.
    var parts: Set<Int> = []
    /// The persons who have left a deleted team for that, with the team.
    var released: [Int: Int] = [:]
    var added: Set<CrowdPair> = []
    var removed: Set<CrowdPair> = []

    /// Whether nothing waits.
    var isEmpty: Bool {
        rows.isEmpty && inserted.isEmpty && deleted.isEmpty && added.isEmpty && removed.isEmpty
    }

    /// Sets a field.
    mutating func set(_ field: CrowdRow.Field, of number: Int, from row: CrowdRow, to value: Int) {
        if inserted[number] != nil {
            inserted[number]?[field] = value
            return
        }
        let base = bases[number]?[field] ?? row[field]
        if base == value {
            bases[number]?[field] = nil
            rows[number]?[field] = value
            if bases[number]?.isEmpty == true { forget(number) }
            return
        }
        bases[number, default: [:]][field] = base
        rows[number, default: row][field] = value
    }

    private mutating func forget(_ number: Int) {
        (bases[number], rows[number]) = (nil, nil)
    }

    /// Deletes a row, but not what its rules say.
    mutating func delete(_ number: Int, _ row: CrowdRow) {
        let pairs = { (pair: CrowdPair) in pair.person == number || pair.skill == number }
        added = added.filter { !pairs($0) }
        if inserted.removeValue(forKey: number) != nil { return }
        var base = row
        for (field, value) in bases[number] ?? [:] { base[field] = value }
        forget(number)
        deleted[number] = base
        if row.kind == .badge, row.link != 0 { owners[number] = row.link }
    }

    /// The changed rows that others have deleted, where this context has not said what they belong to.
    func lost(from stored: CrowdState) -> [Int] {
        rows.keys.filter { stored.rows[$0] == nil && bases[$0]?[.link] == nil }
    }

    /// Whether this context has put an object where it is.
    func hasPut(_ number: Int) -> Bool { inserted[number] != nil || bases[number]?[.link] != nil }

    /// The badge of a person: that which this context has given, and otherwise the one that is stored.
    func badge(of person: Int, in view: CrowdState) -> Int? {
        let badges = view.badges(of: person)
        return badges.first(where: hasPut) ?? badges.first
    }

    /// Takes over what is stored, in what was not changed.
    mutating func synchronize(with stored: CrowdState) {
        takeOver(stored)
        // What leads to an object that others have deleted leads nowhere.
        let isGone = { [self] (number: Int) in
            number != 0 && stored.rows[number] == nil && inserted[number] == nil
                && bases[number] == nil
        }
        added = added.filter { !isGone($0.person) && !isGone($0.skill) }
        removed = removed.filter { !isGone($0.person) && !isGone($0.skill) }
        for number in inserted.keys where isGone(inserted[number]?.link ?? 0) {
            inserted[number]?.link = 0
        }
        for number in Array(rows.keys) {
            guard let row = rows[number], isGone(row.link) else { continue }
            if bases[number]?[.link] == nil {
                rows[number]?.link = 0
            } else {
                set(.link, of: number, from: row, to: 0)
            }
        }
        // Again, since a reference that is no change any more hides nothing.
        takeOver(stored)
        // What others give to an object that is deleted here leaves it, or goes with it.
        for (number, row) in stored.rows
        where deleted[row.link] != nil && deleted[number] == nil && bases[number]?[.link] == nil {
            if row.kind == .badge {
                delete(number, row)
                parts.insert(number)
            } else {
                set(.link, of: number, from: rows[number] ?? row, to: 0)
                released[number] = row.link
            }
        }
    }

    /// Takes over what is stored, in the fields that were not changed of objects that were.
    private mutating func takeOver(_ stored: CrowdState) {
        for (number, bases) in bases {
            guard let row = stored.rows[number] else { continue }
            for field in CrowdRow.Field.allCases where bases[field] == nil {
                rows[number]?[field] = row[field]
            }
        }
    }

    /// What the context has.
    func view(of stored: CrowdState) -> CrowdState {
        var view = stored
        view.rows.merge(rows) { _, mine in mine }
        view.rows.merge(inserted) { _, mine in mine }
        for number in deleted.keys { view.rows[number] = nil }
        view.pairs = view.pairs.union(added).subtracting(removed)
        view.settle()
        return view
    }

    /// What is stored after a save.
    ///
    /// - Returns: nil where it throws. What the lists of kept and restored objects hold is left open.
    func saved(
        over stored: CrowdState,
        _ policy: CrowdPolicy
    ) -> (state: CrowdState, pairsAreKnown: Bool)? {
        var state = stored
        var pairsAreKnown = true
        // What leads to an object that stays deleted leads nowhere.
        let lost = bases.keys.filter { stored.rows[$0] == nil && policy != .contextWins }
        if !lost.isEmpty, policy != .error {
            var settled = self
            for (number, row) in rows where lost.contains(row.link) {
                settled.set(.link, of: number, from: row, to: 0)
            }
            for number in lost { settled.forget(number) }
            return settled.saved(over: stored, policy)
        }
        for (number, bases) in bases {
            guard let mine = rows[number] else { continue }
            guard let theirs = stored.rows[number] else {
                guard let won = policy.won(Array(bases.keys)) else { return nil }
                if policy == .contextWins, !won.isEmpty {
                    state.rows[number] = mine
                    pairsAreKnown = false
                }
                continue
            }
            // Two that say the same of where an object is agree about it, but not about a value.
            let lost = bases.filter { field, base in
                theirs[field] != base && (field != .link || theirs.link != mine.link)
            }
            guard let won = policy.won(Array(lost.keys)) else { return nil }
            for field in bases.keys where lost[field] == nil || won.contains(field) {
                state.rows[number]?[field] = mine[field]
            }
        }
        state.rows.merge(inserted) { _, mine in mine }
        // Who is given a badge last has it alone.
        let badges = state.rows.filter { $0.value.kind == .badge && $0.value.link != 0 }
        for (number, row) in badges
        where hasPut(number) && row.link == (rows[number] ?? inserted[number])?.link {
            for other in state.badges(of: row.link) where other != number {
                state.rows[other]?.link = 0
            }
        }
        // What others have changed, and the policy keeps, keeps what it belongs to and what belongs to it.
        var kept: Set<Int> = []
        func keep(_ number: Int, _ base: CrowdRow) -> Bool {
            guard var theirs = stored.rows[number] else { return true }
            // A team goes before those in it, which others may have put there.
            if theirs.kind == .person, theirs.link != base.link, deleted[theirs.link] != nil,
                !kept.contains(theirs.link)
            {
                theirs.link = 0
            }
            // A reference to what others have deleted is no change of the row.
            let isLost = theirs.link == 0 && stored.rows[base.link] == nil
            guard
                theirs.first != base.first || theirs.second != base.second
                    || theirs.link != base.link && !isLost
            else { return true }
            if policy != .contextWins { kept.insert(number) }
            return policy != .error
        }
        for (number, base) in deleted where base.kind == .team {
            guard keep(number, base) else { return nil }
        }
        for (number, base) in deleted where base.kind != .team {
            guard keep(number, base) else { return nil }
        }
        var count = 0
        while count < kept.count {
            count = kept.count
            for (badge, person) in owners where kept.contains(badge) && deleted[person] != nil {
                kept.insert(person)
            }
            for badge in kept where stored.rows[badge]?.kind == .badge {
                let person = stored.rows[badge]?.link ?? 0
                if deleted[person] != nil { kept.insert(person) }
            }
            for badge in parts where kept.contains(owners[badge] ?? 0) { kept.insert(badge) }
        }
        if !kept.isEmpty { pairsAreKnown = false }
        // Who has left a team only because that went is in it.
        for (person, team) in released
        where kept.contains(team) && bases[person]?[.link] != nil && rows[person]?.link == 0 {
            if let theirs = stored.rows[person] { state.rows[person]?.link = theirs.link }
        }
        for (number, base) in deleted where !kept.contains(number) {
            state.rows[number] = nil
            if base.kind == .person {
                for (badge, row) in state.rows where row.kind == .badge && row.link == number {
                    state.rows[badge] = nil
                }
            }
        }
        // A badge that is inserted again goes where nobody has another one.
        for (number, row) in badges where stored.rows[number] == nil && !hasPut(number) {
            if state.badges(of: row.link).count > 1 { state.rows[number]?.link = 0 }
        }
        state.pairs = state.pairs.union(added).subtracting(removed)
        state.settle()
        return (state, pairsAreKnown)
    }
}
