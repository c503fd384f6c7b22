import Dovetail
import DovetailStore
import DovetailTesting
import Foundation
import StoreTestSupport
import Testing

@Model private struct Locker: Identifiable, Equatable, Sendable {
    let id: Int
    @Attribute(.unique) var label: String
    @Attribute(.unique) var fee: Decimal
    var note = ""
}

@Model private struct Runner: Identifiable, Equatable, Sendable {
    let id: Int
    @Attribute(.unique) var position: Int
    @Attribute(.unique) var time: Double?
}

@Model private struct Delivery: Identifiable, Equatable, Sendable {
    #Unique<Delivery>([\.user, \.isDefault], [\.place])
    let id: Int
    var user: Int
    var isDefault: Bool
    var place: Spot
}

@Model private struct Spot: Equatable, Sendable {
    var x: Int
}

/// Unique values that rows pass to each other.
@Suite struct PassedValueTests {
    private func lines(_ context: ModelContext, since number: Int64) throws -> [String] {
        try context.history(since: number).flatMap(\.changes).map { change in
            let value = try change.value(as: Locker.self)
            let columns = change.verb == .update ? change.changedColumns.sorted() : []
            return "\(change.verb) \(value.id)\(value.label) \(columns)"
        }
    }

    /// A row that gives its value up before it is written was changed once.
    @Test(arguments: StoreKind.allCases.filter { $0 != .memory })
    func `a history has each row once, as it was`(_ kind: StoreKind) throws {
        let context = ModelContext(try kind.following([Locker.self]))
        let all = [
            Locker(id: 1, label: "a", fee: 1), Locker(id: 2, label: "b", fee: 2),
            Locker(id: 3, label: "c", fee: 3), Locker(id: 4, label: "d", fee: 4),
        ]
        try context.keep(all)
        var number = try #require(context.lastCommit.number)
        // One that changes another column gives its values up with them, and has them again.
        context.update([
            Locker(id: 1, label: "b", fee: 2), Locker(id: 2, label: "a", fee: 1),
            Locker(id: 3, label: "c", fee: 3, note: "new"),
        ])
        try context.save()
        #expect(
            try lines(context, since: number) == [
                #"update 1a ["fee", "label"]"#, #"update 2b ["fee", "label"]"#,
                #"update 3c ["note"]"#,
            ]
        )
        number = try #require(context.lastCommit.number)
        context.upsert([
            Locker(id: 1, label: "a", fee: 2), Locker(id: 2, label: "b", fee: 1),
            Locker(id: 5, label: "e", fee: 5),
        ])
        try context.save()
        #expect(
            try lines(context, since: number) == [
                #"update 1b ["label"]"#, #"update 2a ["label"]"#, "insert 5e []",
            ]
        )
        #expect(try context.history(since: 0).count == 3)
        #expect(try context.localChanges(of: Locker.self).count == 5)
    }

    @Test(arguments: StoreKind.allCases, [1, -1])
    func `numbers that are unique are added to in any order of rows`(
        _ kind: StoreKind,
        step: Int
    ) throws {
        for ids in [[1, 2, 3, 4], [4, 3, 2, 1], [2, 4, 1, 3]] {
            let context = ModelContext(try kind.container(Runner.self))
            for id in ids {
                try context.keep([Runner(id: id, position: id, time: id == 4 ? nil : Double(id))])
            }
            try context.update(Runner.self, where: #Predicate { $0.id < 4 }) {
                try $0.increment(\.time, by: Double(step))
            }
            try context.update(Runner.self) { try $0.increment(\.position, by: step) }
            try context.save()
            let laps = try context.fetch(FetchDescriptor<Runner>(sortBy: [SortDescriptor(\.id)]))
            #expect(laps.map(\.position) == (1...4).map { $0 + step })
            #expect(laps.map(\.time) == (1...3).map { Double($0 + step) } + [nil])
            // Two that have the same at the end are refused as ever, and nothing is changed.
            try context.update(Runner.self, where: #Predicate { $0.id == 1 }) {
                try $0.increment(\.position, by: 1)
            }
            let error = #expect(throws: StoreError.self) { try context.save() }
            #expect(error?.kind == .uniqueViolation)
            context.rollback()
            #expect(try context.fetch(Runner.self, id: 1) == laps[0])
        }
    }

    /// What is true or false has no third value to wait with.
    @Test(arguments: StoreKind.allCases)
    func `columns that are true or false, and documents, pass on their values`(
        _ kind: StoreKind
    ) throws {
        let context = ModelContext(try kind.container(Delivery.self))
        var all = (1...3).map {
            Delivery(id: $0, user: $0 / 3, isDefault: $0 == 1, place: Spot(x: $0))
        }
        try context.keep(all)
        (all[0].isDefault, all[1].isDefault) = (false, true)
        (all[1].place, all[2].place) = (all[2].place, all[1].place)
        context.update(all)
        try context.save()
        #expect(
            try context.fetch(FetchDescriptor<Delivery>(sortBy: [SortDescriptor(\.id)])) == all
        )
        context.update(Delivery(id: 3, user: 1, isDefault: false, place: all[0].place))
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.kind == .uniqueViolation && error?.column == "place")
    }
}

extension ModelContext {
    /// Inserts values and saves them.
    fileprivate func keep<Value: Model & Identifiable>(_ values: [Value]) throws {
        insert(contentsOf: values)
        try save()
    }
}
