import Dovetail
import StoreTestSupport
import Testing

@ModelProtocol protocol CargoItem {
    var label: String { get }
    var weight: Int { get }
}

/// An object among those that conform.
@Model final class CargoCrate: CargoItem {
    var label: String
    var weight: Int
    var content: [CargoNote] = []

    init(_ label: String, _ weight: Int) {
        self.label = label
        self.weight = weight
    }
}

@Model final class CargoNote {
    var text: String
    var crate: CargoCrate?

    init(_ text: String) { self.text = text }
}

/// A value among them.
@Model struct CargoLetter: CargoItem, Identifiable, Equatable {
    var id: Int
    var label: String
    var weight: Int
}

/// A protocol to which a class with `@Model` and a struct conform, in one container.
struct ObjectsAndValuesTests {
    private func context(_ kind: StoreKind) throws -> ModelContext {
        let context = ModelContext(
            try kind.container(CargoCrate.self, CargoNote.self, CargoLetter.self)
        )
        for number in 0..<10 {
            let crate = CargoCrate("c\(number)", number * 2)
            crate.content = [CargoNote("n\(number)")]
            context.insert(crate)
            context.insert(CargoLetter(id: number, label: "l\(number)", weight: number * 2 + 1))
        }
        try context.save()
        return context
    }

    @Test(arguments: StoreKind.allCases)
    func `one query has objects and values in one order`(_ kind: StoreKind) throws {
        let context = try context(kind)
        var descriptor = FetchDescriptor<any CargoItem>(
            predicate: #Predicate { $0.weight > 3 },
            sortBy: [SortDescriptor(\.weight)]
        )
        descriptor.fetchLimit = 3
        let found = try context.fetch(descriptor)
        #expect(found.map(\.label) == ["c2", "l2", "c3"])
        // The object is that of the context, before and after.
        let crate = try #require(found[0] as? CargoCrate)
        #expect(try context.fetch(descriptor)[0] as? CargoCrate === crate)
        #expect(crate.content.map(\.text) == ["n2"] && crate.modelContext === context)
        #expect(found[1] as? CargoLetter == CargoLetter(id: 2, label: "l2", weight: 5))
        #expect(try context.fetchCount(FetchDescriptor<any CargoItem>()) == 20)
    }

    @Test(arguments: StoreKind.allCases)
    func `what waits of both is found`(_ kind: StoreKind) throws {
        let context = try context(kind)
        let heavy = FetchDescriptor<any CargoItem>(
            predicate: #Predicate { $0.weight > 100 },
            sortBy: [SortDescriptor(\.weight, order: .reverse)]
        )
        #expect(try context.fetch(heavy).isEmpty)
        let crates = FetchDescriptor<CargoCrate>(sortBy: [SortDescriptor(\.weight)])
        try context.fetch(crates)[0].weight = 101
        context.update(CargoLetter(id: 3, label: "x", weight: 103))
        context.insert(CargoCrate("new", 102))
        #expect(try context.fetch(heavy).map(\.label) == ["x", "new", "c0"])
        try context.save()
        let other = ModelContext(context.container)
        #expect(try other.fetch(heavy).map(\.label) == ["x", "new", "c0"])
        context.rollback()
        try context.delete(model: CargoCrate.self)
        #expect(try context.fetch(heavy).map(\.label) == ["x"])
    }
}
