import Dovetail
import Foundation
import StoreTestSupport
import Testing

@Model final class Chest {
    @Attribute(.unique) var code: String
    @Relationship(deleteRule: .cascade, inverse: \Padlock.chest) var padlock: Padlock?
    init(_ code: String) { self.code = code }
}

@Model final class Padlock {
    @Attribute(.unique) var number: Int
    @Attribute(.unique) var pin: Int
    var chest: Chest?
    init(_ number: Int, pin: Int) {
        self.number = number
        self.pin = pin
    }
}

/// Plans of objects whose unique values pass on, and are undone.
@Suite struct UniqueUndoTests {
    @Test(arguments: StoreKind.allCases)
    func `rows that take over unique values are put back`(_ kind: StoreKind) throws {
        let context = ModelContext(try kind.container(Chest.self, Padlock.self))
        let chests = ["x", "y"].map { Chest($0) }
        for (index, chest) in chests.enumerated() {
            chest.padlock = Padlock(index, pin: index)
            context.insert(chest)
        }
        try context.save()
        func pins() throws -> [String] {
            try ModelContext(context.container).fetch(FetchDescriptor<Padlock>()).map {
                "\($0.number) \($0.pin) \($0.chest?.code ?? "-") \($0.persistentModelID)"
            }
            .sorted()
        }
        let before = try pins()
        // One row goes, and its unique value passes on to another one, whose own goes to a new row.
        let data = Data(
            """
            [{"code":"y","padlock":{"number":1,"pin":0}},{"code":"z","padlock":{"number":7,"pin":1}}]
            """.utf8
        )
        let plan = try context.plan([Chest].self, from: data, as: .json)
        try context.apply(plan, of: [Chest].self, from: data, as: .json)
        try context.save()
        #expect(try pins() != before)
        try plan.undo(in: context)
        try context.save()
        #expect(try pins() == before)
        let inOrder = FetchDescriptor<Chest>(sortBy: [SortDescriptor(\.code)])
        #expect(try context.fetch(inOrder).map(\.padlock?.pin) == [0, 1])
    }
}
