import Dovetail
import DovetailTesting
import Foundation
import StoreTestSupport
import Testing

/// Random histories of objects whose large values come when they are read give what the same histories give with
/// objects that are read whole.
struct DeferredHistoryTests {
    private struct Stop: Error {}

    /// Runs a history in two contexts and tells all that can be seen of it.
    private struct History<Object: Snap> {
        let container: ModelContainer
        var random: SeededRandom
        var contexts: [ModelContext]
        var told: [String] = []
        /// How often something happened, by its name.
        var counts: [String: Int] = [:]

        init(_ kind: StoreKind, _ seed: UInt64) throws {
            container = try kind.container([Object.self, SnapAlbum.self, LazySnap.self])
            random = SeededRandom(seed: seed)
            contexts = [ModelContext(container), ModelContext(container)]
            let context = contexts[0]
            for number in 0..<8 {
                let object = Object(name: "\(number)")
                for _ in 0..<3 { change(object) }
                context.insert(object)
            }
            try context.save()
        }

        mutating func change(_ object: Object) {
            let number = random.below(4)
            switch random.below(8) {
            case 0: object.picture = number == 0 ? nil : Data([UInt8(number)])
            case 1: object.scan.append(UInt8(number))
            case 2: object.text = "\(number)"
            case 3: object.points.append(Double(number))
            case 4: object.notes = number == 0 ? nil : ["\(number)": "n"]
            case 5: object.notes?["x"] = "\(number)"
            case 6: object.text += "\(number)"
            default: object.rating = number
            }
        }

        /// One of its values, or all.
        mutating func read(_ object: Object) -> String {
            switch random.below(7) {
            case 0: "\(object.picture.map(Array.init) ?? [0])"
            case 1: "\(Array(object.scan))"
            case 2: object.text
            case 3: "\(object.points)"
            case 4: "\(object.notes?.sorted { $0.key < $1.key }.map { "\($0)" } ?? [])"
            case 5: "\(object.rating)"
            default: all(object)
            }
        }

        func all(_ object: Object) -> String {
            let notes = object.notes?.sorted { $0.key < $1.key }.map { "\($0)" }
            return "\(object.name) \(object.picture.map(Array.init) ?? [0]) \(Array(object.scan)) "
                + "\(object.text) \(object.points) \(notes ?? []) \(object.rating)"
        }

        /// The objects of a context, once nothing waits there whose row others have deleted: what such an
        /// object never read nobody can read any more.
        func objects(_ context: ModelContext) throws -> [Object] {
            let reader = ModelContext(container)
            let isLost = context.changedModelsArray.contains {
                reader.model(for: $0.persistentModelID) == nil
            }
            if isLost { context.rollback() }
            return try context.fetch(FetchDescriptor<Object>()).sorted { $0.name < $1.name }
        }

        mutating func save(_ context: ModelContext) throws {
            let policies: [ConflictPolicy] = [.error, .storeWins, .contextWins]
            context.conflictPolicy = random.pick(policies)
            do {
                try context.save()
                told.append("saved")
            } catch let error as ConflictError {
                counts["conflict", default: 0] += 1
                for conflict in error.conflicts {
                    let parts =
                        ([conflict.base] + [conflict.mine, conflict.theirs].compactMap(\.self))
                    let values = parts.map { values in
                        ["picture", "scan", "text", "points", "notes", "rating"].map {
                            "\(values[$0] as Any)"
                        }
                    }
                    told.append("\(conflict.attributes) \(values)")
                }
                context.rollback()
            }
        }

        mutating func step() throws {
            let context = random.pick(contexts)
            let objects = try objects(context)
            guard !objects.isEmpty else {
                context.insert(Object(name: "\(random.below(100))"))
                return told.append("insert")
            }
            let object = random.pick(objects)
            if random.isOne(in: 6), let (mine, theirs) = try both() {
                // Both before one of them saves.
                change(mine)
                change(theirs)
            }
            switch random.below(16) {
            case 0, 1, 2, 3: change(object)
            case 4, 5, 6: told.append(read(object))
            case 7, 8:
                _ = try self.objects(context)
                try save(context)
            case 9:
                context.rollback()
                told.append(all(object))
            case 10:
                let text = "\(random.below(4))"
                let found = try context.fetch(
                    FetchDescriptor<Object>(predicate: Object.matching(text))
                )
                told.append("\(found.map(\.name).sorted())")
            case 11:
                let copy = Object(name: "\(random.below(100))")
                change(copy)
                context.insert(copy)
            case 12:
                context.delete(object)
                told.append(read(object))
                if random.isOne(in: 2) { context.insert(object) }
            case 13:
                // What ends can be read.
                let index = random.below(2)
                let old = try self.objects(contexts[index])
                    .filter { !$0.hasChanges && !$0.isDeleted }
                contexts[index] = ModelContext(container)
                if let one = old.first { told.append(all(one)) }
                counts["end", default: 0] += 1
            case 14:
                do {
                    try context.transaction {
                        change(object)
                        context.conflictPolicy = .contextWins
                        if random.isOne(in: 2) { try context.save() }
                        change(random.pick(objects))
                        told.append(read(object))
                        if random.isOne(in: 2) { throw Stop() }
                    }
                } catch is Stop {
                    counts["stop", default: 0] += 1
                    told.append(object.isDeleted ? "gone" : all(object))
                } catch is ConflictError {
                    context.rollback()
                }
            default:
                let json = try object.encoded(as: .json())
                told.append(try all(Object(decoding: json, as: .json())))
            }
        }

        /// An object of both contexts.
        mutating func both() throws -> (Object, Object)? {
            let (first, second) = (try objects(contexts[0]), try objects(contexts[1]))
            let pairs = first.compactMap { mine in
                second.first { $0.persistentModelID == mine.persistentModelID }.map { (mine, $0) }
            }
            return pairs.isEmpty ? nil : random.pick(pairs)
        }

        mutating func run(_ count: Int) throws {
            for _ in 0..<count { try step() }
            for context in contexts {
                _ = try objects(context)
                try save(context)
                for object in try objects(context) { told.append(all(object)) }
            }
        }
    }

    @Test(arguments: StoreKind.allCases, SeededRandom.seeds)
    func `reading values later changes nothing`(_ kind: StoreKind, _ seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var counts: [String: Int] = [:]
        for _ in 0..<(kind == .postgres ? 3 : 12) {
            let seed = random.next()
            var lazy = try History<LazySnap>(kind, seed)
            var whole = try History<WholeSnap>(kind, seed)
            for step in 0..<100 {
                let before = lazy.told.count
                try lazy.step()
                try whole.step()
                let (mine, theirs) = (
                    lazy.told[before...], whole.told[min(before, whole.told.count)...]
                )
                try #require(mine == theirs, "seed \(seed), step \(step)")
            }
            try lazy.run(0)
            try whole.run(0)
            try #require(lazy.told == whole.told, "seed \(seed)")
            counts.merge(lazy.counts, uniquingKeysWith: +)
        }
        for name in ["conflict", "stop", "end"] where kind != .postgres {
            #expect(SeededRandom.isMet(counts[name] ?? 0, seed: seed), "\(name)")
        }
    }
}
