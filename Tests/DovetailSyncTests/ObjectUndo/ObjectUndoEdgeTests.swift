import Dovetail
import Foundation
import StoreTestSupport
import Testing

/// Refers to a port, which does not know that.
@Model final class Pilot {
    var age: Int
    var home: SeaPort?
    init(age: Int, home: SeaPort) {
        self.age = age
        self.home = home
    }
}

/// Plans of objects that are undone where something is unusual.
@Suite struct ObjectUndoEdgeTests {
    private let empty = Data("[]".utf8)

    private func context(_ container: ModelContainer) throws -> ModelContext {
        let context = ModelContext(container)
        try context.bringPorts(
            """
            [{"code":"a","title":"A","ships":[{"$type":"Tanker","number":5,"depth":2,"barrels":9},
                {"number":1,"depth":1}]}]
            """
        )
        return context
    }

    private func apply<Object: PersistentModel>(
        _ data: Data,
        of type: [Object].Type,
        _ context: ModelContext
    ) throws -> SynchronizePlan {
        let plan = try context.plan(type, from: data, as: .json)
        try context.apply(plan, of: type, from: data, as: .json)
        try context.save()
        return plan
    }

    @Test(arguments: StoreKind.allCases)
    func `a plan of a subclass`(_ kind: StoreKind) throws {
        let context = try context(try kind.container(SeaPort.models))
        let before = try PortState(context)
        let data = Data(
            #"[{"$type":"Tanker","number":6,"depth":3,"barrels":1,"port":"a","crew":[]}]"#.utf8
        )
        let plan = try apply(data, of: [Tanker].self, context)
        #expect(plan.table == "Tanker" && plan.inserted.count == 1 && plan.deleted.count == 1)
        let ships = try context.fetch(FetchDescriptor<Ship>()).map(\.number)
        #expect(Set(ships) == [1, 6])
        try plan.undo(in: context)
        try context.save()
        #expect(try before.differences(context) == [])
    }

    @Test(arguments: StoreKind.allCases)
    func `rows that refer to one that is deleted, without its knowing`(_ kind: StoreKind) throws {
        let context = try context(try kind.container(SeaPort.models + [Pilot.self]))
        let pilot = Pilot(age: 40, home: try context.fetch(FetchDescriptor<SeaPort>())[0])
        context.insert(pilot)
        try context.save()
        let before = try PortState(context)
        let plan = try apply(empty, of: [SeaPort].self, context)
        #expect(pilot.home == nil)
        try plan.undo(in: context)
        try context.save()
        #expect(try before.differences(context) == [] && pilot.home?.code == "a")
        // Somebody changes the row that only the rule has written.
        let second = try apply(empty, of: [SeaPort].self, context)
        let other = ModelContext(context.container)
        let found = try other.fetch(FetchDescriptor<Pilot>())[0]
        found.age = 41
        try other.save()
        let error = #expect(throws: StoreError.self) { try second.undo(in: context) }
        #expect(error?.kind == .planOutdated && error?.table == "Pilot")
        #expect(error?.keys.count == 1)
    }

    @Test func `a row that nobody can read is no reason not to save`() throws {
        let folder = try TemporaryFolder()
        let models: [any Model.Type] = SeaPort.models + [Pilot.self]
        let container = try ModelContainer(
            for: models,
            configuration: ModelConfiguration(url: folder.file())
        )
        let context = try context(container)
        context.insert(Pilot(age: 40, home: try context.fetch(FetchDescriptor<SeaPort>())[0]))
        try context.save()
        let database = try RawDatabase(folder.file())
        try database.loosen("Pilot")
        try database.execute("UPDATE Pilot SET age = 'old'")
        let reader = ModelContext(container)
        let plan = try apply(empty, of: [SeaPort].self, reader)
        #expect(try reader.fetchCount(FetchDescriptor<SeaPort>()) == 0)
        let error = #expect(throws: StoreError.self) { try plan.undo(in: reader) }
        #expect(error?.kind == .unsupported && "\(error as Any)".contains("could not be read"))
    }

    @Test(arguments: StoreKind.allCases)
    func `what waits to be put back does not keep its context`(_ kind: StoreKind) throws {
        let container = try kind.container(SeaPort.models)
        var context: ModelContext? = try self.context(container)
        let first = try #require(context)
        let plan = try apply(empty, of: [SeaPort].self, first)
        let after = try PortState(first)
        weak var known: ModelContext?
        var changes = ChangeSet()
        do {
            let second = ModelContext(container)
            try plan.undo(in: second)
            changes = second.changes
            known = second
        }
        #expect(known == nil)
        context = nil
        // Its changes are no rows, and do nothing elsewhere.
        try container.store.withConnection {
            _ = try $0.apply(changes, of: container.schema)
        }
        #expect(try after.differences(ModelContext(container)) == [])
    }

    @Test(arguments: StoreKind.allCases)
    func `plans are undone one after the other, the last one first`(_ kind: StoreKind) throws {
        let context = try context(try kind.container(SeaPort.models))
        let before = try PortState(context)
        let plans = try ["1", "2"].map {
            let data = Data(#"[{"code":"a","title":"\#($0)"}]"#.utf8)
            return try apply(data, of: [SeaPort].self, context)
        }
        func refuse(_ plan: SynchronizePlan) {
            let error = #expect(throws: StoreError.self) { try plan.undo(in: context) }
            #expect(error?.kind == .planOutdated)
        }
        refuse(plans[0])
        try plans[1].undo(in: context)
        refuse(plans[0])
        // Twice in one save.
        try plans[1].undo(in: context)
        #expect(throws: StoreError.self) { try context.save() }
        context.rollback()
        try plans[1].undo(in: context)
        try context.save()
        try plans[0].undo(in: context)
        try context.save()
        #expect(try before.differences(context) == [])
    }
}
