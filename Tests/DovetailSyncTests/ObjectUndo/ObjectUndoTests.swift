import Dovetail
import DovetailTesting
import Foundation
import StoreTestSupport
import Testing

/// Plans of objects that are undone.
@Suite struct ObjectUndoTests {
    private struct Stop: Error {}

    /// Two ports with ships, goods and a tower, and three seamen.
    private func context(_ kind: StoreKind) throws -> ModelContext {
        let context = ModelContext(try kind.container(SeaPort.models))
        for name in ["ann", "bob", "cid"] { context.insert(Seaman(name, rank: 1)) }
        try context.bringPorts(
            """
            [{"code":"a","title":"A","twin":"b","pride":{"$type":"Barrel","code":"u"},
              "tower":{"name":"north"},
              "ships":[{"number":1,"depth":4,"crew":["bob","ann"]},{"number":2,"depth":1},
                {"$type":"Tanker","number":5,"depth":2,"barrels":9,"crew":["ann"]}],
              "goods":[{"$type":"Crate","code":"k","weight":3},
                {"$type":"Barrel","code":"u","litres":7}]},
             {"code":"b","title":"B","ships":[{"number":3,"depth":1,"crew":["cid"]}]}]
            """
        )
        return context
    }

    private let next = Data(
        """
        [{"code":"c","title":"C","twin":"c","tower":{"name":"south"},
          "ships":[{"number":2,"depth":7,"crew":["cid","ann"]},{"number":4,"depth":1}],
          "goods":[{"$type":"Barrel","code":"v","litres":1},
            {"$type":"Crate","code":"k","weight":4}]},
         {"code":"b","title":"BB","ships":[{"number":1,"depth":4,"crew":["ann","bob"]},
            {"number":3,"depth":1}]}]
        """.utf8
    )

    /// Plans, applies and saves a list of ports.
    @discardableResult
    private func apply(_ data: Data, _ context: ModelContext) throws -> SynchronizePlan {
        let plan = try context.plan([SeaPort].self, from: data, as: .json)
        try context.apply(plan, of: [SeaPort].self, from: data, as: .json)
        try context.save()
        return plan
    }

    private func refusal(_ plan: SynchronizePlan, _ context: ModelContext) -> StoreError? {
        #expect(throws: StoreError.self) { try plan.undo(in: context) }
    }

    private func port(_ code: String, _ context: ModelContext) throws -> SeaPort {
        let isWanted = FetchDescriptor<SeaPort>(predicate: #Predicate { $0.code == code })
        return try #require(try context.fetch(isWanted).first)
    }

    @Test(arguments: StoreKind.allCases)
    func `everything is as it was, in each context`(_ kind: StoreKind) throws {
        let context = try context(kind)
        let other = ModelContext(context.container)
        let before = try PortState(context)
        #expect(try before.differences(context, other) == [])
        let plan = try context.plan([SeaPort].self, from: next, as: .json)
        try context.apply(plan, of: [SeaPort].self, from: next, as: .json)
        #expect(refusal(plan, context)?.kind == .unsupported)
        try context.save()
        let after = try PortState(context)
        #expect(try before.differences(context) != [])

        try plan.undo(in: context)
        #expect(context.hasChanges)
        #expect(try after.differences(context, other) == [])
        context.rollback()
        #expect(!context.hasChanges)
        #expect(try after.differences(context, other) == [])
        try plan.undo(in: context)
        try context.save()
        #expect(try before.differences(context, other) == [])
        #expect(refusal(plan, context)?.kind == .planOutdated)

        // By another context, after a transaction that throws.
        let second = try apply(next, context)
        #expect(second == plan)
        #expect(throws: Stop.self) {
            try other.transaction {
                try second.undo(in: other)
                try other.save()
                #expect(try other.fetchCount(FetchDescriptor<Ship>()) == 4)
                #expect(try other.ports().count > 0)
                throw Stop()
            }
        }
        #expect(try after.differences(other) != before.differences(other))
        try second.undo(in: other)
        try other.save()
        #expect(try before.differences(context, other) == [])
    }

    @Test(arguments: StoreKind.allCases)
    func `objects that the program holds show what was before`(_ kind: StoreKind) throws {
        let context = try context(kind)
        let (a, b) = (try port("a", context), try port("b", context))
        let (ship, tower) = (a.ships[1], try #require(a.tower))
        let text = portText(b)
        let plan = try apply(next, context)
        let c = try port("c", context)
        #expect(a.isDeleted && tower.isDeleted && b.title == "BB" && ship.port === c)
        try plan.undo(in: context)
        #expect(b.title == "BB" && !c.isDeleted)
        try context.save()
        // Nothing is fetched before.
        #expect(portText(b) == text && c.isDeleted)
        #expect(ship.depth == 1 && ship.crew.isEmpty && ship.port?.code == "a")
        // What the plan has deleted stays what it was; the row has another object.
        #expect(a.isDeleted && a.title == "A" && tower.isDeleted)
        let found = try port("a", context)
        #expect(found !== a && found.persistentModelID == a.persistentModelID)
        #expect(ship.port === found && found.twin === b && found.tower?.name == "north")
        #expect(found.ships.contains { $0 === ship } && found.pride?.code == "u")
        // They are objects like others.
        found.title = "AAA"
        b.ships = found.ships
        context.delete(found)
        try context.save()
        #expect(try ModelContext(context.container).fetchCount(FetchDescriptor<Ship>()) == 4)
        _ = portText(a) + portText(c) + portText(tower)
    }

    @Test(arguments: StoreKind.allCases)
    func `it is refused when somebody has changed a row since`(_ kind: StoreKind) throws {
        let context = try context(kind)
        let plan = try apply(next, context)
        let other = ModelContext(context.container)
        let b = try port("b", other)
        let key = try #require(b.persistentModelID.key).values
        func refuse(_ table: String, _ error: StoreError?, _ key: [QueryValue]? = nil) {
            #expect(error?.kind == .planOutdated && error?.table == table, "\(error as Any)")
            #expect(error?.keys.count == 1 && key.map { error?.keys == [$0] } ?? true)
            #expect(error.map { !"\($0)".contains("changed here") } == true)
        }
        b.title = "changed here"
        try other.save()
        refuse("SeaPort", refusal(plan, context), key)
        b.title = "BB"
        try other.save()

        // Between the call and the save.
        try plan.undo(in: context)
        b.title = "changed here"
        try other.save()
        refuse("SeaPort", #expect(throws: StoreError.self) { try context.save() }, key)
        #expect(context.hasChanges)
        b.title = "BB"
        try other.save()
        // What waits still waits.
        let after = try PortState(other)
        context.rollback()
        #expect(try after.differences(context) == [])

        // A new row that refers to one that would go.
        let c = try port("c", other)
        let ship = Ship(number: 99, depth: 0)
        c.ships.append(ship)
        try other.save()
        refuse("Ship", refusal(plan, context), ship.persistentModelID.key?.values)
        other.delete(ship)
        try other.save()

        // The same context has changed one, and not saved it.
        let own = try port("b", context)
        own.title = "changed here"
        refuse("SeaPort", refusal(plan, context), key)
        own.title = "BB"
        try plan.undo(in: context)
        own.title = "changed here"
        refuse("SeaPort", #expect(throws: StoreError.self) { try context.save() }, key)
        context.rollback()
        context.delete(own)
        refuse("SeaPort", refusal(plan, context), key)
        context.rollback()
        try plan.undo(in: context)
        try context.save()
        #expect(try port("b", other).title == "B")
    }

    @Test(arguments: StoreKind.allCases)
    func `nothing is kept where other changes waited`(_ kind: StoreKind) throws {
        let context = try context(kind)
        let first = Data(#"[{"code":"a","title":"1"}]"#.utf8)
        func refuse(_ change: (ModelContext) throws -> Void, isBefore: Bool) throws {
            let title = #"[{"code":"a","title":"\#(UUID())"}]"#
            let data = Data(title.utf8)
            if isBefore { try change(context) }
            let plan = try context.plan([SeaPort].self, from: data, as: .json)
            try context.apply(plan, of: [SeaPort].self, from: data, as: .json)
            if !isBefore { try change(context) }
            try context.save()
            let error = refusal(plan, context)
            #expect(error?.kind == .unsupported && "\(error as Any)".contains("other changes"))
        }
        try apply(first, context)
        let a = try port("a", context)
        for isBefore in [true, false] {
            try refuse({ $0.insert(Seaman("\(isBefore)", rank: 0)) }, isBefore: isBefore)
        }
        // More of the same object, and of pairs.
        try refuse({ _ in a.title += "x" }, isBefore: false)
        let seamen = try context.fetch(FetchDescriptor<Seaman>())
        a.ships = [Ship(number: 50, depth: 0)]
        try context.save()
        let ship = Data(
            #"[{"code":"a","title":"2","ships":[{"number":50,"depth":8,"crew":[]}]}]"#.utf8
        )
        let plan = try context.plan([SeaPort].self, from: ship, as: .json)
        try context.apply(plan, of: [SeaPort].self, from: ship, as: .json)
        a.ships[0].crew = [seamen[0]]
        try context.save()
        #expect(refusal(plan, context)?.kind == .unsupported)

        // A change that was set back, and one that was rolled back, are none.
        a.title = "3"
        context.rollback()
        let last = Data(#"[{"code":"a","title":"4"}]"#.utf8)
        let alone = try context.plan([SeaPort].self, from: last, as: .json)
        try context.apply(alone, of: [SeaPort].self, from: last, as: .json)
        a.title = "5"
        a.title = "4"
        try context.save()
        try alone.undo(in: context)
        try context.save()
        #expect(a.title == "2" && a.ships.map(\.number) == [50])
    }

    @Test(arguments: StoreKind.allCases)
    func `a plan of which nothing was stored is not undone`(_ kind: StoreKind) throws {
        let context = try context(kind)
        let before = try PortState(context)
        let plan = try context.plan([SeaPort].self, from: next, as: .json)
        func applied() throws {
            try context.apply(plan, of: [SeaPort].self, from: next, as: .json)
        }
        #expect(refusal(plan, context)?.kind == .unsupported)
        try applied()
        context.rollback()
        #expect(refusal(plan, context)?.kind == .unsupported)
        for isSaved in [true, false] {
            #expect(throws: Stop.self) {
                try context.transaction {
                    try applied()
                    if isSaved { try context.save() }
                    throw Stop()
                }
            }
            #expect(refusal(plan, context)?.kind == .unsupported)
            context.rollback()
        }
        #expect(try before.differences(context) == [])
        // One that waits when a transaction throws is still there, and is kept when it is saved.
        try applied()
        #expect(throws: Stop.self) {
            try context.transaction {
                try context.save()
                throw Stop()
            }
        }
        #expect(refusal(plan, context)?.kind == .unsupported)
        try context.save()
        try plan.undo(in: context)
        try context.save()
        #expect(try before.differences(context) == [])
        // Written with `Codable` it has nothing to put back.
        let coded = try JSONDecoder().decode(
            SynchronizePlan.self,
            from: JSONEncoder().encode(plan)
        )
        #expect(refusal(coded, context)?.kind == .unsupported)
        // In a container without the models.
        let plain = ModelContext(try kind.container(Buoy.self))
        #expect(refusal(plan, plain)?.kind == .unsupported)
    }

    @Test(arguments: StoreKind.allCases)
    func `what is done in one transaction is undone in it, or after it`(_ kind: StoreKind) throws {
        let context = try context(kind)
        let before = try PortState(context)
        let plan = try context.plan([SeaPort].self, from: next, as: .json)
        let b = try port("b", context)
        try context.transaction {
            try context.apply(plan, of: [SeaPort].self, from: next, as: .json)
            try context.save()
            #expect(refusal(plan, context)?.kind == .unsupported)
        }
        #expect(b.title == "BB")
        let after = try PortState(context)
        let c = try port("c", context)
        try context.transaction {
            try plan.undo(in: context)
            try context.save()
            let title = try port("b", context).title
            #expect(title == "B" && b.title == "B" && c.isDeleted)
            #expect(throws: Stop.self) {
                try context.transaction {
                    b.title = "inner"
                    throw Stop()
                }
            }
            #expect(b.title == "B")
        }
        #expect(try before.differences(context) == [])
        let second = try apply(next, context)
        // An inner one that throws, in an outer one that does not.
        try context.transaction {
            #expect(throws: Stop.self) {
                try context.transaction {
                    try second.undo(in: context)
                    try context.save()
                    #expect(try context.fetchCount(FetchDescriptor<SeaPort>()) == 2)
                    _ = try context.ports()
                    throw Stop()
                }
            }
            let title = try port("c", context).title
            #expect(b.title == "BB" && title == "C")
            b.title = "outer"
        }
        #expect(b.title == "outer")
        b.title = "BB"
        try context.save()
        _ = after
        try second.undo(in: context)
        try context.save()
        #expect(try before.differences(context) == [])
    }

    @Test(arguments: StoreKind.allCases)
    func `marked rows that the plan brought back are what they were`(_ kind: StoreKind) throws {
        let context = try context(kind)
        let barrel = try #require(try context.fetch(FetchDescriptor<Barrel>()).first)
        context.delete(barrel)
        try context.save()
        let before = try PortState(context)
        let date = try context.deletionDate(of: Barrel.self, id: "u")
        let data = Data(
            """
            [{"code":"b","title":"B","goods":[{"$type":"Barrel","code":"u","litres":99},
              {"$type":"Barrel","code":"w","litres":5}]}]
            """.utf8
        )
        let plan = try apply(data, context)
        #expect(try context.fetchCount(FetchDescriptor<Barrel>()) == 2)
        try plan.undo(in: context)
        try context.save()
        #expect(try before.differences(context) == [])
        #expect(try date != nil && context.deletionDate(of: Barrel.self, id: "u") == date)
        // What was new is marked, as after every deletion.
        var marked = FetchDescriptor<Barrel>(sortBy: [SortDescriptor(\.code)])
        marked.deletedValues = .only
        #expect(try context.fetch(marked).map { "\($0.code) \($0.litres)" } == ["u 7", "w 5"])
    }

    @Test(arguments: StoreKind.allCases)
    func `what observers of the save add is undone with it`(_ kind: StoreKind) throws {
        let context = try context(kind)
        let before = try PortState(context)
        nonisolated(unsafe) let b = try port("b", context)
        let observer = NotificationCenter.default.addObserver(
            forName: ModelContext.willSave,
            object: context,
            queue: nil
        ) { _ in b.ships.first?.depth += 1 }
        let plan = try apply(next, context)
        NotificationCenter.default.removeObserver(observer)
        try plan.undo(in: context)
        try context.save()
        #expect(try before.differences(context) == [])
    }
}
