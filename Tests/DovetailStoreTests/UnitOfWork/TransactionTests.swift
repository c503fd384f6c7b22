import Dovetail
import StoreTestSupport
import Testing

@Suite struct TransactionTests {
    private struct Stop: Error {}

    private let container: ModelContainer
    private let context: ModelContext
    private let all = FetchDescriptor<Pet>(sortBy: [SortDescriptor(\.id)])

    init() throws {
        container = try .inMemory(Pet.self)
        context = ModelContext(container)
    }

    private func stored() throws -> [Int] { try ModelContext(container).fetch(all).map(\.id) }

    @Test func `what a transaction changed is saved at its end`() throws {
        try context.transaction {
            context.insert(Pet(1, "One"))
            try #expect(stored().isEmpty)
            try #expect(context.fetch(all).map(\.id) == [1])
        }
        #expect(!context.hasChanges)
        #expect(try stored() == [1])
    }

    @Test func `what waited before is saved too`() throws {
        context.insert(Pet(1, "One"))
        try context.transaction { context.insert(Pet(2, "Two")) }
        #expect(try stored() == [1, 2])
    }

    @Test func `inside, fetches see what waited before`() throws {
        context.insert(Pet(1, "One"))
        try context.transaction {
            #expect(context.hasChanges)
            context.insert(Pet(2, "Two"))
            try #expect(context.fetch(all).map(\.id) == [1, 2])
        }
    }

    @Test func `one that throws forgets what it changed and no more`() throws {
        context.insert(Pet(1, "One"))
        #expect(throws: Stop.self) {
            try context.transaction {
                context.insert(Pet(2, "Two"))
                try context.delete(model: Pet.self)
                throw Stop()
            }
        }
        #expect(context.hasChanges)
        #expect(try context.fetch(all).map(\.id) == [1])
        #expect(try stored().isEmpty)
        try context.save()
        #expect(try stored() == [1])
    }

    @Test func `one inside another`() throws {
        try context.transaction {
            context.insert(Pet(1, "One"))
            #expect(throws: Stop.self) {
                try context.transaction {
                    context.insert(Pet(2, "Two"))
                    throw Stop()
                }
            }
            context.insert(Pet(3, "Three"))
        }
        #expect(try stored() == [1, 3])
    }

    @Test func `nothing is stored before the outermost one ends`() throws {
        context.insert(Pet(9, "Nine"))
        #expect(throws: Stop.self) {
            try context.transaction {
                context.insert(Pet(1, "One"))
                try context.save()
                try context.transaction { context.insert(Pet(2, "Two")) }
                try #expect(context.fetch(all).map(\.id) == [1, 2, 9])
                throw Stop()
            }
        }
        #expect(try stored().isEmpty)
        // What waited before waits again, although it was written meanwhile.
        #expect(try context.fetch(all).map(\.id) == [9])
        try context.save()
        #expect(try stored() == [9])
    }

    @Test func `an inner one that fails leaves what the outer one did`() throws {
        context.insert(Pet(1, "One"))
        try context.save()
        try context.transaction {
            context.insert(Pet(2, "Two"))
            #expect(throws: StoreError.self) {
                try context.transaction {
                    context.insert(Pet(3, "Three"))
                    context.insert(Pet(1, "taken"))
                }
            }
            try #expect(context.fetch(all).map(\.id) == [1, 2])
        }
        #expect(try stored() == [1, 2])
    }

    @Test func `another context cannot save inside of one on its thread`() throws {
        let other = ModelContext(container)
        other.insert(Pet(7, "Seven"))
        try context.transaction {
            context.insert(Pet(1, "One"))
            #expect {
                try other.save()
            } throws: {
                ($0 as? StoreError)?.kind == .wouldDeadlock
            }
        }
        #expect(try stored() == [1])
        try other.save()
        #expect(try stored() == [1, 7])
    }

    @Test func `rollback inside of one`() throws {
        context.insert(Pet(3, "Three"))
        try context.transaction {
            context.rollback()
            context.insert(Pet(4, "Four"))
        }
        #expect(try stored() == [4])
    }

    @Test func `a save at the end that fails changes nothing`() throws {
        context.insert(Pet(1, "One"))
        try context.save()
        #expect(throws: StoreError.self) {
            try context.transaction {
                context.insert(Pet(2, "Two"))
                context.insert(Pet(1, "taken"))
            }
        }
        #expect(try stored() == [1])
    }
}
