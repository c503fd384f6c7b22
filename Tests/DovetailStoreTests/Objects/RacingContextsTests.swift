import Dovetail
import StoreTestSupport
import Testing

@Model final class RacedOwner {
    @Attribute(.unique) var name: String
    @Relationship(inverse: \RacedPart.owner) var parts: [RacedPart] = []
    @Relationship(inverse: \RacedTag.owners) var tags: [RacedTag] = []

    init(_ name: String) { self.name = name }
}

@Model final class RacedPart {
    var number = 0
    var owner: RacedOwner?

    init(_ number: Int) { self.number = number }
}

@Model final class RacedTag {
    @Attribute(.unique) var name: String
    var owners: [RacedOwner] = []

    init(_ name: String) { self.name = name }
}

/// Contexts that save at once, each on a thread of its own.
@Suite struct RacingContextsTests {
    /// Between the moment at which a save has looked at what others have committed and its turn to write, they may
    /// delete what it refers to.
    @Test(arguments: StoreKind.embedded, 0..<3)
    func `a save knows what was deleted until it writes`(
        _ kind: StoreKind,
        policy: Int
    ) async throws {
        let container = try kind.container(RacedOwner.self)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await onThread {
                    let context = ModelContext(container)
                    context.conflictPolicy = [.error, .storeWins, .contextWins][policy]
                    for number in 0..<150 {
                        if let owner = try context.fetch(FetchDescriptor<RacedOwner>()).first {
                            owner.parts.append(RacedPart(number))
                            owner.tags.append(RacedTag("t"))
                        } else {
                            context.insert(RacedPart(number))
                        }
                        try context.save()
                    }
                }
            }
            group.addTask {
                try await onThread {
                    let context = ModelContext(container)
                    for _ in 0..<150 {
                        for owner in try context.fetch(FetchDescriptor<RacedOwner>()) {
                            context.delete(owner)
                        }
                        try context.save()
                        context.insert(RacedOwner("o"))
                        try context.save()
                    }
                }
            }
            try await group.waitForAll()
        }
        let context = ModelContext(container)
        #expect(try context.fetchCount(FetchDescriptor<RacedPart>()) == 150)
        #expect(try context.fetchCount(FetchDescriptor<RacedOwner>()) == 1)
        #expect(try context.fetchCount(FetchDescriptor<RacedTag>()) <= 1)
    }
}
