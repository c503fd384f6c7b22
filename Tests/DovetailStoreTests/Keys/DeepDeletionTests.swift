import Dovetail
import StoreTestSupport
import Testing

@Model struct Link: Identifiable, Equatable, Sendable {
    let id: Int
    @Attribute(.references(Link.self, deleteRule: .cascade)) var previous: Int?
}

/// Rows that go with others of their own table, one after the other.
@Suite struct DeepDeletionTests {
    private func context(_ kind: StoreKind, links: Int) throws -> ModelContext {
        let context = ModelContext(try kind.container(Link.self))
        context.insert(
            contentsOf: (0..<links).map { Link(id: $0, previous: $0 == 0 ? nil : $0 - 1) }
        )
        try context.save()
        return context
    }

    @Test(arguments: StoreKind.allCases)
    func `a chain is deleted with its first row`(_ kind: StoreKind) throws {
        let context = try context(kind, links: 900)
        context.delete(Link(id: 0))
        try context.save()
        #expect(try context.fetchCount(FetchDescriptor<Link>()) == 0)
    }

    @Test(arguments: StoreKind.allCases)
    func `a chain that is too long for SQLite is an error that says so`(_ kind: StoreKind) throws {
        let context = try context(kind, links: 1500)
        context.delete(Link(id: 0))
        guard kind == .sqlite else {
            try context.save()
            #expect(try context.fetchCount(FetchDescriptor<Link>()) == 0)
            return
        }
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.kind == .unsupported && error?.table == "Link")
        #expect(error?.explanation.contains("1,000") == true)
        context.rollback()
        #expect(try context.fetchCount(FetchDescriptor<Link>()) == 1500)
        // From the inside, it can be.
        context.delete(Link(id: 700))
        try context.save()
        context.delete(Link(id: 0))
        try context.save()
        #expect(try context.fetchCount(FetchDescriptor<Link>()) == 0)
    }
}
