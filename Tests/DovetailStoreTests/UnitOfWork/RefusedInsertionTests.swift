import Dovetail
import StoreTestSupport
import Testing

@Model struct Consignment: Identifiable, Equatable {
    let id: Int
    @Attribute(.unique) var label: String
}

/// A new row that is refused, before rows whose unique values may be swapped.
@Suite struct RefusedInsertionTests {
    private let stored = [1, 2, 3].map { Consignment(id: $0, label: "\($0)") }

    private func context(_ kind: StoreKind) throws -> ModelContext {
        let context = ModelContext(try kind.container(Consignment.self))
        context.insert(contentsOf: stored)
        try context.save()
        return context
    }

    private func parcels(_ context: ModelContext) throws -> [Consignment] {
        try context.fetch(FetchDescriptor<Consignment>(sortBy: [SortDescriptor(\.id)]))
    }

    @Test(
        arguments: StoreKind.allCases,
        [Consignment(id: 1, label: "new"), Consignment(id: 9, label: "1")]
    )
    func `it is an error of the save, whatever comes after it`(
        _ kind: StoreKind,
        _ refused: Consignment
    ) throws {
        let context = try context(kind)
        let others = [Consignment(id: 2, label: "x"), Consignment(id: 3, label: "y")]
        for isUpsert in [true, false] {
            context.insert(refused)
            if isUpsert { context.upsert(others) } else { context.update(others) }
            let error = #expect(throws: StoreError.self) { try context.save() }
            #expect(error?.kind == .uniqueViolation)
            #expect(error?.keys.first == [.integer(Int64(refused.id))])
            context.rollback()
            #expect(try parcels(context) == stored)
        }
        // Rows that swap their values still do, after a row that is none.
        context.insert(Consignment(id: 4, label: "4"))
        context.update([Consignment(id: 2, label: "3"), Consignment(id: 3, label: "2")])
        try context.save()
        #expect(try parcels(context).map(\.label) == ["1", "3", "2", "4"])
    }
}
