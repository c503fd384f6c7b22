import Dovetail
import StoreTestSupport
import Testing

@ModelProtocol(unknown: .preserve)
protocol Tool {
    var id: Int { get }
    var name: String { get }
}

@Model
struct Hammer: Tool, Identifiable, Equatable {
    let id: Int
    var name: String
    var weight = 1.5
}

@Model
struct Saw: Tool, Identifiable, Equatable {
    let id: Int
    var name: String
    var teeth = 24
}

/// Lists of values of several models.
@Suite struct ConformerTests {
    private func all(_ context: ModelContext) throws -> [String] {
        try context.fetch(FetchDescriptor<any Tool>(sortBy: [SortDescriptor(\.name)]))
            .map { "\(type(of: $0)) \($0.id) \($0.name)" }
    }

    @Test(arguments: StoreKind.allCases)
    func `each table holds the values of its model`(_ kind: StoreKind) throws {
        let context = ModelContext(try kind.container(Hammer.self, Saw.self))
        let first: [any Tool] = [
            Saw(id: 1, name: "c"), Hammer(id: 1, name: "a"), Hammer(id: 2, name: "b"),
        ]
        let changes = try context.synchronize(first)
        #expect(changes.inserted == [1, 2, 1] && changes.unchanged == 0)
        try context.save()
        #expect(try all(context) == ["Hammer 1 a", "Hammer 2 b", "Saw 1 c"])
        #expect(try context.synchronize(first.reversed()).isEmpty)

        let second: [any Tool] = [Hammer(id: 2, name: "b", weight: 3), Hammer(id: 5, name: "e")]
        let later = try context.synchronize(second)
        #expect(later.inserted == [5] && later.updated == [2] && later.deleted == [1, 1])
        try context.save()
        #expect(try all(context) == ["Hammer 2 b", "Hammer 5 e"])
        try context.synchronize([any Tool]())
        #expect(try all(context).isEmpty)
    }

    @Test(arguments: StoreKind.allCases)
    func `what is wrong with one value changes nothing`(_ kind: StoreKind) throws {
        let context = ModelContext(try kind.container(Hammer.self, Saw.self))
        let first: [any Tool] = [Saw(id: 1, name: "c"), Hammer(id: 1, name: "a")]
        try context.synchronize(first)
        try context.save()
        let twice: [any Tool] = [
            Hammer(id: 3, name: "h"), Saw(id: 7, name: "x"), Hammer(id: 4, name: "i"),
            Saw(id: 7, name: "y"),
        ]
        let error = #expect(throws: SynchronizeError.self) { try context.synchronize(twice) }
        #expect(error?.table == "Saw" && error?.positions == [1, 3])
        let few: [any Tool] = [Hammer(id: 1, name: "a")]
        let limit = #expect(throws: SynchronizeError.self) {
            try context.synchronize(few, deletionLimit: 0.5)
        }
        #expect(limit?.plan?.table == "Saw" && limit?.plan?.deleted.count == 1)
        let kept = try [any Tool](
            decoding: Data(#"[{"type":"Drill","id":9,"name":"d"}]"#.utf8),
            as: .json
        )
        let unknown = #expect(throws: StoreError.self) { try context.synchronize(kept) }
        #expect(unknown?.kind == .invalidSchema)
        #expect(!context.hasChanges)
        #expect(try all(context) == ["Hammer 1 a", "Saw 1 c"])
    }
}
