import Dovetail
import StoreTestSupport
import Testing

/// A protocol that is no model protocol.
protocol TitledThing {
    var title: String { get set }
}

extension StoredBox: TitledThing {}

/// Queries of code that knows a model by a protocol only, which is no model protocol.
struct GenericCodeTests {
    private func byTitle<Thing: PersistentModel & TitledThing>(
        _ type: Thing.Type,
        in context: ModelContext
    ) throws -> [Thing] {
        try context.fetch(FetchDescriptor<Thing>(sortBy: [SortDescriptor(\.title)]))
    }

    private func titled<Thing: PersistentModel & TitledThing>(
        _ title: String,
        _ type: Thing.Type,
        in context: ModelContext
    ) throws -> [Thing] {
        try context.fetch(FetchDescriptor<Thing>(predicate: #Predicate { $0.title == title }))
    }

    private func sorted<Thing: PersistentModel>(
        by title: any KeyPath<Thing, String> & Sendable,
        in context: ModelContext
    ) throws -> [Thing] {
        try context.fetch(FetchDescriptor<Thing>(sortBy: [SortDescriptor(title)]))
    }

    @Test(arguments: StoreKind.allCases)
    func `a requirement names no attribute, and a key path that is handed over does`(
        _ kind: StoreKind
    ) throws {
        let context = ModelContext(try kind.boxes())
        for title in ["b", "a"] { context.insert(StoredBox(title: title)) }
        try context.save()
        let order = #expect(throws: QueryError.self) { try byTitle(StoredBox.self, in: context) }
        let filter = #expect(throws: QueryError.self) {
            try titled("a", StoredBox.self, in: context)
        }
        for error in [order, filter] {
            let text = error?.description ?? ""
            #expect(text.contains("is not a stored attribute of StoredBox"))
            #expect(text.contains("requirement of a protocol"))
        }
        let path: any KeyPath<StoredBox, String> & Sendable = \.title
        #expect(try sorted(by: path, in: context).map(\.title) == ["a", "b"])
    }
}
