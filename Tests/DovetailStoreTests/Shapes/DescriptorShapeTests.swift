import Dovetail
import Foundation
import StoreTestSupport
import Testing

extension FetchDescriptor where T == Pet {
    fileprivate static var tame: FetchDescriptor<Pet> {
        FetchDescriptor(predicate: #Predicate { $0.isTame }, sortBy: [SortDescriptor(\.id)])
    }

    fileprivate static func named(_ name: String, ascending: Bool) -> FetchDescriptor<Pet> {
        FetchDescriptor(
            predicate: #Predicate<Pet> { $0.name == name },
            sortBy: [SortDescriptor(\Pet.id, order: ascending ? .forward : .reverse)]
        )
    }
}

@Suite struct DescriptorShapeTests {
    private func context() throws -> ModelContext {
        let context = ModelContext(try .inMemory(Pet.self, Book.self))
        context.insert(contentsOf: Pet.four)
        try context.save()
        return context
    }

    @Test func `descriptors in every shape`() throws {
        let context = try context()
        var descriptor = FetchDescriptor<Pet>()
        descriptor.fetchLimit = 1
        descriptor.fetchOffset = 1
        descriptor.sortBy = [.init(\.id)]
        descriptor.predicate = #Predicate { $0.id > 0 }
        descriptor.propertiesToFetch = [\.name]
        descriptor.propertiesToFetch = [\Pet.name, \Pet.id]
        descriptor.relationshipKeyPathsForPrefetching = [\.owner]
        descriptor.includePendingChanges = true
        #expect(try context.fetch(descriptor).first?.id == 2)
        #expect(try context.fetch(.tame).map(\.id) == [1, 3, 4])
        #expect(try context.fetch(.named("Rex", ascending: false)).count == 1)
        #expect((try? context.fetch(FetchDescriptor<Pet>()))?.count == 4)
        #expect(descriptor.propertiesToFetch.count == 2)
    }

    @Test func `only what is stored is seen where pending changes are not included`() throws {
        let context = try context()
        context.insert(Pet(9, "New"))
        context.update(Pet(1, "Changed"))
        context.delete(Pet(2, ""))
        context.insert(Book(id: 1, title: "Emma", shelfID: 1))
        var stored = FetchDescriptor<Pet>(sortBy: [SortDescriptor(\.id)])
        #expect(try context.fetch(stored).map(\.id) == [1, 3, 4, 9])
        stored.includePendingChanges = false
        #expect(try context.fetch(stored) == Pet.four)
        #expect(try context.fetchCount(stored) == 4)
        // By the key, past predicates.
        var one = FetchDescriptor<Pet>(predicate: #Predicate { $0.id == 1 })
        #expect(try context.fetch(one).map(\.name) == ["Changed"])
        one.includePendingChanges = false
        #expect(try context.fetch(one).map(\.name) == ["Rex"])
        var seen: [Int] = []
        try context.enumerate(stored) { seen.append($0.id) }
        #expect(seen == [1, 2, 3, 4])
        #expect(try context.fetch(stored, batchSize: 3).map(\.id) == seen)
        // A deletion by a predicate need not be carried out.
        try context.delete(model: Pet.self, where: #Predicate { $0.id > 2 })
        #expect(try context.fetch(stored) == Pet.four)
        #expect(try context.fetchCount(stored) == 4)
        stored.includePendingChanges = true
        #expect(try context.fetch(stored).map(\.id) == [1])
    }

    @Test func `parts, pairs and protocols see only what is stored, too`() throws {
        let context = ModelContext(try .inMemory(Book.self, Photo.self, Clip.self))
        context.insert(Shelf(id: 1, name: "top"))
        context.insert(Book(id: 1, title: "Emma", shelfID: 1))
        try context.save()
        context.update(Shelf(id: 1, name: "low"))
        context.insert(Book(id: 2, title: "Persuasion", shelfID: 1))
        var stored = FetchDescriptor<Book>(sortBy: [SortDescriptor(\.id)])
        stored.includePendingChanges = false
        let pairs = try context.fetch(stored, joining: \.shelfID, to: Shelf.self)
        #expect(pairs.map(\.0.id) == [1] && pairs.map(\.1.name) == ["top"])
        #expect(try context.fetch(stored, as: Title.self).map(\.title) == ["Emma"])
        stored.includePendingChanges = true
        #expect(try context.fetch(stored, as: Title.self).map(\.title) == ["Emma", "Persuasion"])
        context.insert(Photo(id: 1, name: "a", size: 1, width: 1))
        try context.delete(model: Clip.self)
        var media = FetchDescriptor<any Medium>()
        #expect(try context.fetch(media).count == 1 && context.fetchCount(media) == 1)
        media.includePendingChanges = false
        #expect(try context.fetch(media).isEmpty && context.fetchCount(media) == 0)
    }

    @Model struct Title {
        var title: String
    }
}

@Suite struct EnumerationTests {
    private func filled(_ count: Int) throws -> ModelContext {
        let context = ModelContext(try .inMemory(Pet.self))
        context.insert(contentsOf: (0..<count).map { Pet($0, "Pet \($0)") })
        try context.save()
        return context
    }

    @Test(arguments: [0, 1, 2, 3, 4, 6, 7, 8])
    func `every value comes once, whatever the batch`(count: Int) throws {
        let context = try filled(count)
        let descriptor = FetchDescriptor<Pet>(sortBy: [SortDescriptor(\.id)])
        for batchSize in 1...9 {
            var seen: [Int] = []
            try context.enumerate(descriptor, batchSize: batchSize) { seen.append($0.id) }
            #expect(seen == Array(0..<count))
        }
        var seen = 0
        try context.enumerate(descriptor, allowEscapingMutations: true) { _ in seen += 1 }
        #expect(seen == count)
        let all = try context.fetch(descriptor, batchSize: 2)
        #expect(all.count == count && all.map(\.id) == Array(0..<count))
        #expect(Array(all.reversed().map(\.id)) == (0..<count).reversed())
    }

    @Test func `what the block changes waits, and what it saves is refused`() throws {
        let context = try filled(10)
        try context.enumerate(FetchDescriptor<Pet>(), batchSize: 3) { pet in
            var pet = pet
            pet.name += "!"
            context.update(pet)
            context.insert(Pet(100 + pet.id, "Child"))
        }
        try context.save()
        #expect(try context.fetchCount(FetchDescriptor<Pet>()) == 20)
        #expect(try context.fetch(Pet.self, id: 7)?.name == "Pet 7!")
        context.insert(Pet(1000, "Late"))
        let error = #expect(throws: StoreError.self) {
            try context.enumerate(FetchDescriptor<Pet>()) { _ in try context.save() }
        }
        #expect(error?.kind == .writeInsideRead)
        try context.save()
    }

    @Test func `what the block throws ends it, and a batch has a value at least`() throws {
        struct Stop: Error {}
        let context = try filled(10)
        var seen = 0
        #expect(throws: Stop.self) {
            try context.enumerate(FetchDescriptor<Pet>(), batchSize: 4) { _ in
                seen += 1
                if seen == 6 { throw Stop() }
            }
        }
        #expect(seen == 6)
        for batchSize in [0, -1] {
            #expect(throws: QueryError.self) {
                try context.enumerate(FetchDescriptor<Pet>(), batchSize: batchSize) { _ in }
            }
            #expect(throws: QueryError.self) {
                try context.fetch(FetchDescriptor<Pet>(), batchSize: batchSize)
            }
        }
        try context.save()
    }

    @Test func `others may write while a file is gone over, and it sees one state`() throws {
        let folder = try TemporaryFolder()
        let container = try ModelContainer(
            for: Pet.self,
            configurations: ModelConfiguration(url: folder.file())
        )
        let context = ModelContext(container)
        context.insert(contentsOf: (0..<50).map { Pet($0, "Pet") })
        try context.save()
        let other = ModelContext(container)
        var seen = 0
        try context.enumerate(FetchDescriptor<Pet>(), batchSize: 7) { pet in
            seen += 1
            other.delete(Pet(49 - pet.id, ""))
            try other.save()
        }
        #expect(seen == 50)
        #expect(try context.fetchCount(FetchDescriptor<Pet>()) == 0)
    }
}
