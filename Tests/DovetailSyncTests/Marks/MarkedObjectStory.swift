import Dovetail
import DovetailTesting

/// A random story of two contexts that delete objects and bring them back, beside what dictionaries say.
struct MarkedObjectStory {
    private struct Text: Error, CustomStringConvertible {
        let description: String
    }

    /// What is known of a tome.
    private struct Entry: Equatable {
        var shelf: String?
        var prequel: String?
        var isMarked = false
    }

    private struct State: Equatable {
        /// Whether each is marked.
        var shelves: [String: Bool] = [:]
        var tomes: [String: Entry] = [:]
        var readers: [String: String?] = [:]
    }

    private var random: SeededRandom
    private let contexts: [ModelContext]
    private var state = State()
    /// What is stored.
    private var stored = State()
    private var count = 0
    /// What is done in one save.
    private var steps: [String] = []
    private var purges: Set<String> = []

    init(_ container: ModelContainer, seed: UInt64) {
        random = SeededRandom(seed: seed)
        contexts = [ModelContext(container), ModelContext(container)]
    }

    /// Goes on for some saves.
    ///
    /// - Throws: what differs, with the steps of the save before.
    mutating func run(saves: Int) throws {
        for save in 0..<saves {
            let context = contexts[random.below(2)]
            stored = state
            steps = []
            purges = []
            for _ in 0..<(1 + random.below(4)) { try step(context) }
            if random.below(5) == 0 {
                context.rollback()
                state = stored
                steps.append("rollback")
            } else {
                do {
                    try context.save()
                } catch {
                    throw Text(description: "save \(save), \(steps): \(error)")
                }
                try settle(ModelContext(context.container))
                purge()
            }
            let fresh = ModelContext(context.container)
            for (name, context) in [
                ("first", contexts[0]), ("second", contexts[1]), ("new", fresh),
            ] {
                if let difference = try difference(context) {
                    throw Text(description: "save \(save), \(steps), \(name): \(difference)")
                }
            }
        }
    }

    private mutating func pick<Value>(_ values: some Collection<Value>) -> Value? {
        values.isEmpty ? nil : random.pick(Array(values))
    }

    private func live<Value>(_ all: [String: Value], _ isMarked: (Value) -> Bool) -> [String] {
        all.filter { !isMarked($0.value) }.keys.sorted()
    }

    private func shelf(_ code: String, _ context: ModelContext) throws -> Shelf? {
        try context.shelves().first { $0.code == code }
    }

    private func tome(_ name: String, _ context: ModelContext) throws -> Tome? {
        try context.tomes().first { $0.name == name }
    }

    private mutating func step(_ context: ModelContext) throws {
        count += 1
        let shelves = live(state.shelves) { $0 }
        let tomes = live(state.tomes, \.isMarked)
        let place = random.below(3) == 0 ? nil : pick(shelves)
        switch random.below(12) {
        case 0:
            context.insert(Shelf("s\(count)"))
            state.shelves["s\(count)"] = false
            steps.append("insert s\(count)")
        case 1, 2:
            let new = Tome("t\(count)", shelf: try place.flatMap { try shelf($0, context) })
            let prequel = pick(tomes)
            new.prequel = try prequel.flatMap { try tome($0, context) }
            context.insert(new)
            state.tomes["t\(count)"] = Entry(shelf: place, prequel: prequel)
            steps.append("insert t\(count) in \(place ?? "-") after \(prequel ?? "-")")
        case 3:
            guard let name = pick(tomes), let tome = try tome(name, context) else { return }
            tome.shelf = try place.flatMap { try shelf($0, context) }
            state.tomes[name]?.shelf = place
            steps.append("move \(name) to \(place ?? "-")")
        case 4:
            guard let name = pick(tomes), let tome = try tome(name, context) else { return }
            context.delete(tome)
            mark(tome: name)
            steps.append("delete \(name)")
        case 5:
            guard let name = pick(tomes) else { return }
            try context.delete(model: Tome.self, where: #Predicate { $0.name == name })
            mark(tome: name)
            steps.append("delete where \(name)")
        case 6:
            guard let code = pick(shelves), let shelf = try shelf(code, context) else { return }
            context.delete(shelf)
            state.shelves[code] = stored.shelves[code].map { _ in true }
            for (name, tome) in state.tomes where tome.shelf == code && !tome.isMarked {
                mark(tome: name)
            }
            for (name, held) in state.readers where held == code {
                state.readers[name] = .some(nil)
            }
            steps.append("delete \(code)")
        case 7:
            let reader = Reader("r\(count)", shelf: try place.flatMap { try shelf($0, context) })
            context.insert(reader)
            state.readers["r\(count)"] = .some(place)
            steps.append("insert r\(count) in \(place ?? "-")")
        case 8, 9: try reviveTome(context)
        case 10:
            let gone = try context.shelves(.only).filter { stored.shelves[$0.code] == true }
            guard let shelf = pick(gone), state.shelves[shelf.code] == true else { return }
            context.insert(shelf)
            state.shelves[shelf.code] = false
            steps.append("bring back \(shelf.code)")
        default:
            guard random.below(3) == 0 else { return }
            let isOfTomes = random.below(2) == 0
            try isOfTomes ? context.purge(Tome.self) : context.purge(Shelf.self)
            purges.insert(isOfTomes ? "tomes" : "shelves")
            steps.append("purge \(isOfTomes)")
        }
    }

    /// Brings a tome back, and its shelf before or after it.
    private mutating func reviveTome(_ context: ModelContext) throws {
        guard let tome = pick(try context.tomes(.only)) else { return }
        // One that was deleted since the last save would be kept.
        guard let entry = state.tomes[tome.name], entry.isMarked,
            stored.tomes[tome.name]?.isMarked == true,
            entry.shelf.map({ stored.shelves[$0] == state.shelves[$0] }) ?? true
        else { return }
        steps.append("bring back \(tome.name)")
        if let prequel = entry.prequel, state.tomes[prequel]?.isMarked != false {
            tome.prequel = nil
            state.tomes[tome.name]?.prequel = nil
        }
        state.tomes[tome.name]?.isMarked = false
        guard let code = entry.shelf, state.shelves[code] == true else {
            return context.insert(tome)
        }
        let way = random.below(3)
        if way == 0 {
            tome.shelf = nil
            state.tomes[tome.name]?.shelf = nil
            steps.append("without \(code)")
            return context.insert(tome)
        }
        if way == 1 { context.insert(tome) }
        let isRead = random.below(2) == 0
        let shelf =
            isRead && way == 2
            ? tome.shelf : try context.shelves(.only).first { $0.code == code }
        if let shelf { context.insert(shelf) }
        state.shelves[code] = false
        steps.append("with \(code), way \(way)")
        if way == 2 { context.insert(tome) }
    }

    /// Marks the row of a tome as it is stored: what has changed since is not written.
    private mutating func mark(tome name: String) {
        state.tomes[name] = stored.tomes[name]
        state.tomes[name]?.isMarked = true
        for (other, tome) in state.tomes where tome.prequel == name && !tome.isMarked {
            state.tomes[other]?.prequel = nil
        }
    }

    /// Of two tomes that are marked in one save the order is not said: one that follows the other may do so
    /// still.
    private mutating func settle(_ context: ModelContext) throws {
        for tome in try context.tomes(.only) {
            guard let before = stored.tomes[tome.name], !before.isMarked,
                let prequel = before.prequel, stored.tomes[prequel]?.isMarked == false,
                state.tomes[prequel]?.isMarked == true,
                tome.prequel == nil || tome.prequel?.name == prequel
            else { continue }
            state.tomes[tome.name]?.prequel = tome.prequel?.name
        }
    }

    /// Removes what is marked when the save ends.
    private mutating func purge() {
        var gone: Set<String> = []
        if purges.contains("shelves") {
            let codes = Set(state.shelves.filter(\.value).keys)
            state.shelves = state.shelves.filter { !codes.contains($0.key) }
            gone = Set(state.tomes.filter { $0.value.shelf.map(codes.contains) ?? false }.keys)
        }
        if purges.contains("tomes") { gone.formUnion(state.tomes.filter(\.value.isMarked).keys) }
        state.tomes = state.tomes.filter { !gone.contains($0.key) }
        for (name, tome) in state.tomes where tome.prequel.map(gone.contains) ?? false {
            state.tomes[name]?.prequel = nil
        }
    }

    /// What a context has that the dictionaries have not; nil where it is the same.
    private func difference(_ context: ModelContext) throws -> String? {
        var found = State()
        for (deleted, isMarked) in [(DeletedValues.excluded, false), (.only, true)] {
            for shelf in try context.shelves(deleted) { found.shelves[shelf.code] = isMarked }
            for tome in try context.tomes(deleted) {
                found.tomes[tome.name] = Entry(
                    shelf: tome.shelf?.code,
                    prequel: tome.prequel?.name,
                    isMarked: isMarked
                )
                if tome.isDeleted != isMarked { return "\(tome.name) does not know what it is" }
            }
        }
        for reader in try context.fetch(FetchDescriptor<Reader>()) {
            found.readers[reader.name] = .some(reader.shelf?.code)
        }
        for (name, tome) in state.tomes where found.tomes[name] != tome {
            return "\(name): \(String(describing: found.tomes[name])) and not \(tome)"
        }
        if found != state { return "\(found)\nand not\n\(state)" }
        for shelf in try context.shelves() {
            let members = Set(shelf.tomes.map(\.name))
            let wanted = state.tomes.filter { $0.value.shelf == shelf.code && !$0.value.isMarked }
            if members != Set(wanted.keys) || members.count != shelf.tomes.count {
                return "\(shelf.code) holds \(shelf.tomes.map(\.name)) and not \(wanted.keys)"
            }
            let readers = state.readers.filter { $0.value == shelf.code }
            if Set(shelf.readers.map(\.name)) != Set(readers.keys) {
                return "\(shelf.code) has \(shelf.readers.map(\.name)) and not \(readers.keys)"
            }
            let code = shelf.code
            let counted = FetchDescriptor<Shelf>(
                predicate: #Predicate {
                    $0.code == code && $0.tomes.contains { $0.shelf?.code == code }
                }
            )
            if try context.fetchCount(counted) != (members.isEmpty ? 0 : 1) {
                return "\(code) is not counted"
            }
        }
        return nil
    }
}
