import Dovetail
import StoreTestSupport
import Testing

@Model private struct Depot: Identifiable, Equatable, Sendable {
    let id: UUID
    var city: String
}

@Model private struct Truck: Identifiable, Equatable, Sendable {
    let id: Int
    @Attribute(.references(Depot.self)) var depot: UUID
    var spare: UUID?
    var seats: Int
}

@Suite struct JoinTests {
    private let depots = [Depot(id: UUID(), city: "Bonn"), Depot(id: UUID(), city: "Ulm")]

    private func filled(_ container: ModelContainer) throws -> ModelContext {
        let context = ModelContext(container)
        context.insert(contentsOf: depots)
        context.insert(
            contentsOf: (0..<100).map {
                Truck(id: $0, depot: depots[$0 % 2].id, spare: $0 == 7 ? UUID() : nil, seats: 2)
            }
        )
        try context.save()
        return context
    }

    @Test func `each row that is referred to is read once, in two statements`() throws {
        let log = StatementLog()
        var configuration = ModelConfiguration(isStoredInMemoryOnly: true)
        configuration.trace = log.trace()
        let context = try filled(
            ModelContainer(for: Truck.self, Depot.self, configurations: configuration)
        )
        _ = log.take()
        let pairs: [(Truck, Depot)] = try context.fetch(Truck.self, joining: \.depot)
        #expect(pairs.count == 100)
        #expect(pairs.allSatisfy { $0.depot == $1.id })
        let asked = log.takeReads().map(\.sql)
        #expect(asked.count == 2 && asked[1].hasSuffix(#"("id" IN (?1, ?2))"#), "\(asked)")
    }

    @Test func `an attribute that is no declared reference is joined, too`() throws {
        let context = try filled(.inMemory(Truck.self, Depot.self))
        let pairs = try context.fetch(Truck.self, joining: \.spare, to: Depot.self)
        #expect(pairs.count == 100 && pairs.allSatisfy { $1 == nil })
    }

    @Test func `what cannot hold the key is refused by name`() throws {
        let context = try filled(.inMemory(Truck.self, Depot.self))
        #expect {
            try context.fetch(Truck.self, joining: \.seats, to: Depot.self)
        } throws: {
            "\($0)".contains("the key of Depot is")
        }
        #expect {
            try context.fetch(Truck.self, joining: \.depot, to: Truck.self)
        } throws: {
            "\($0)".contains("refers to Depot and not to Truck")
        }
        #expect {
            try context.fetch(Truck.self, joining: \.depot.uuidString, to: Depot.self)
        } throws: {
            "\($0)".contains("is not a stored attribute of Truck")
        }
    }

    @Test func `both queries see one state of a file`() async throws {
        let folder = try TemporaryFolder()
        let container = try ModelContainer.file(folder.file(), Truck.self, Depot.self)
        let context = try filled(container)
        let writer = Task.detached { [depots] in
            for round in 0..<40 {
                try await container.perform { context in
                    let other = Depot(id: UUID(), city: "\(round)")
                    context.insert(other)
                    context.update(
                        Truck(id: 3, depot: other.id, spare: nil, seats: depots.count)
                    )
                    try context.save()
                }
            }
        }
        for _ in 0..<40 {
            let pairs = try context.fetch(Truck.self, joining: \.depot, to: Depot.self)
            try #require(pairs.count == 100)
        }
        try await writer.value
    }
}
