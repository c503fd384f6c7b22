import Dovetail
import DovetailTesting
import Foundation
import StoreTestSupport
import Testing

@Model final class BookCase {
    @Attribute(.primaryKey) var id: Int
    @Relationship(deleteRule: .cascade, inverse: \Volume.bookcase) var volumes: [Volume] = []

    init(_ id: Int) { self.id = id }
}

@Model final class Volume {
    @Attribute(.primaryKey) var id: Int
    var title: String
    var bookcase: BookCase?
    var next: Volume?

    init(_ id: Int, _ title: String) {
        self.id = id
        self.title = title
    }
}

/// Documents that wait for one save.
@Suite struct SeveralDocumentsTests {
    private struct Copy {
        let container: ModelContainer
        let context: ModelContext

        init(_ kind: StoreKind) throws {
            container = try kind.following(BookCase.self, Volume.self)
            context = ModelContext(container)
        }

        func bookcase(_ id: Int) throws -> BookCase {
            let found = FetchDescriptor<BookCase>(predicate: #Predicate { $0.id == id })
            return try #require(try context.fetch(found).first)
        }

        func volume(_ id: Int) throws -> Volume? {
            try context.fetch(FetchDescriptor<Volume>(predicate: #Predicate { $0.id == id })).first
        }

        func take(_ document: String, on bookcase: Int) throws {
            try context.synchronize(
                [Volume].self,
                from: Data(document.utf8),
                as: .json,
                within: \BookCase.volumes,
                of: try self.bookcase(bookcase)
            )
        }

        /// What is stored, and what of it was changed here.
        func state() throws -> [String] {
            let fresh = ModelContext(container)
            let rows = try fresh.fetch(FetchDescriptor<Volume>()).sorted { $0.id < $1.id }.map {
                "\($0.id) \($0.title) on \($0.bookcase?.id ?? 0) before \($0.next?.id ?? 0)"
            }
            let lists = try fresh.fetch(FetchDescriptor<BookCase>()).sorted { $0.id < $1.id }.map {
                "\($0.id): \($0.volumes.map(\.id))"
            }
            let changes = try fresh.localChanges(of: Volume.self).map { change -> String in
                switch change.kind {
                case .inserted: "inserted \(change.name)"
                case .updated(_, let patch):
                    String(decoding: try patch.encoded(as: .json), as: UTF8.self)
                        + " updated \(change.name)"
                case .deleted: "deleted \(change.name)"
                }
            }
            return rows + lists + changes.sorted()
        }
    }

    /// With a save after each, and one save after all.
    @Test(arguments: StoreKind.allCases, SeededRandom.seeds)
    func `several documents before a save are what they are one by one`(
        _ kind: StoreKind,
        _ seed: UInt64
    ) throws {
        var random = SeededRandom(seed: seed)
        for round in 0..<12 {
            let (single, all) = (try Copy(kind), try Copy(kind))
            for copy in [single, all] {
                for id in 1...4 { copy.context.insert(BookCase(id)) }
                try copy.context.save()
            }
            // What the other side has, and what is changed here after that.
            for bookcase in 1...4 {
                let ids = Array(1...20).shuffled(using: &random).prefix(4)
                let document = list(Array(ids), &random)
                for copy in [single, all] {
                    try copy.take(document, on: bookcase)
                    try copy.context.save()
                }
            }
            for _ in 0..<6 {
                let (id, other) = (random.below(20) + 1, random.below(20) + 1)
                let change = random.below(4)
                for copy in [single, all] {
                    guard let volume = try copy.volume(id) else { continue }
                    switch change {
                    case 0: volume.title = "here"
                    case 1: copy.context.delete(volume)
                    case 2: volume.next = try copy.volume(other)
                    default: volume.bookcase = try copy.bookcase(other % 4 + 1)
                    }
                    try copy.context.save()
                }
            }
            #expect(try single.state() == all.state(), "seed \(seed), round \(round)")
            var steps: [String] = []
            for _ in 0..<random.below(8) + 2 {
                let bookcase = random.below(4) + 1
                let ids = Array(1...20).shuffled(using: &random).prefix(random.below(6))
                let document = list(Array(ids), &random)
                steps.append("\(bookcase): \(document)")
                try single.take(document, on: bookcase)
                try single.context.save()
                try all.take(document, on: bookcase)
            }
            try all.context.save()
            let (wanted, found) = (try single.state(), try all.state())
            let difference = found.difference(from: wanted)
            #expect(difference.isEmpty, "seed \(seed), round \(round), \(steps)")
        }
    }

    private func list(_ ids: [Int], _ random: inout SeededRandom) -> String {
        let volumes = ids.map { "{\"id\":\($0),\"title\":\"\(random.below(3))\"}" }
        return "[\(volumes.joined(separator: ","))]"
    }

    /// Each wrote what was changed of the whole table, of which that is most that the others bring.
    @Test func `a save writes what was changed once for all documents`() throws {
        let folder = try TemporaryFolder()
        let log = StatementLog()
        var configuration = ModelConfiguration(url: folder.file())
        configuration.history = StoreHistory()
        configuration.trace = log.trace()
        let container = try ModelContainer(for: [BookCase.self], configuration: configuration)
        let context = ModelContext(container)
        for id in 1...60 { context.insert(BookCase(id)) }
        try context.save()
        var random = SeededRandom(seed: 1)
        var counts: [Int] = []
        for part in [1...20, 21...60] {
            for bookcase in part {
                let ids = Array(bookcase * 10..<bookcase * 10 + 5)
                let found = FetchDescriptor<BookCase>(predicate: #Predicate { $0.id == bookcase })
                try context.synchronize(
                    [Volume].self,
                    from: Data(list(ids, &random).utf8),
                    as: .json,
                    within: \BookCase.volumes,
                    of: try #require(try context.fetch(found).first)
                )
            }
            _ = log.take()
            try context.save()
            counts.append(log.take().count)
        }
        #expect(counts[1] <= counts[0] * 2 + 10, "\(counts)")
        #expect(try context.localChanges(of: Volume.self).isEmpty)
    }
}
