import Dovetail
import Foundation
import StoreTestSupport
import Testing

enum AlarmDay: Int, Codable, CaseIterable { case mon, tue, wed, thu, fri, sat, sun }

/// Plain `Codable`, with a set inside, which has no order of its own.
struct AlarmPlan: Codable {
    var days: Set<AlarmDay>
    var steps: [Int]
}

@Model struct AlarmStyle { var size: Int; var theme = "light" }

@Model final class Alarm {
    var title: String
    var days: Set<AlarmDay> = []
    var volumes: [AlarmDay: Int] = [:]
    var plan: AlarmPlan?
    var style = AlarmStyle(size: 1)

    init(_ title: String) { self.title = title }
}

@Model struct AlarmRow: Identifiable, Equatable {
    let id: Int
    var days: Set<AlarmDay>
}

/// Attributes that are read from a row in one form, and written in another one: nobody else has changed them.
@Suite struct UnstableFormTests {
    private func stored(_ kind: StoreKind) throws -> ModelContainer {
        let container = try kind.container(Alarm.self, AlarmRow.self)
        let context = ModelContext(container)
        let alarm = Alarm("first")
        alarm.days = Set(AlarmDay.allCases)
        alarm.volumes = Dictionary(
            uniqueKeysWithValues: AlarmDay.allCases.map { ($0, $0.rawValue) }
        )
        alarm.plan = AlarmPlan(days: Set(AlarmDay.allCases), steps: [1, 2])
        context.insert(alarm)
        try context.save()
        return container
    }

    private func alarm(_ context: ModelContext) throws -> Alarm {
        try #require(try context.fetch(FetchDescriptor<Alarm>()).first)
    }

    @Test(arguments: StoreKind.allCases)
    func `sets and dictionaries without an order are changed and deleted`(kind: StoreKind) throws {
        let container = try stored(kind)
        // Each has sets of its own, with another order.
        for round in 0..<6 {
            let context = ModelContext(container)
            let alarm = try alarm(context)
            alarm.days.formSymmetricDifference([.tue])
            alarm.volumes[.mon] = round
            alarm.plan?.days.formSymmetricDifference([.sun])
            try context.save()
        }
        let last = try alarm(ModelContext(container))
        #expect(last.days == Set(AlarmDay.allCases))
        #expect(last.volumes[.mon] == 5 && last.volumes.count == 7)
        #expect(last.plan?.days == Set(AlarmDay.allCases))
        let context = ModelContext(container)
        let changed = try alarm(context)
        changed.title = "second"
        changed.days = []
        context.delete(changed)
        try context.save()
        #expect(try ModelContext(container).fetchCount(FetchDescriptor<Alarm>()) == 0)
    }

    /// A conflict stays one, also where it is only an order.
    @Test(arguments: StoreKind.allCases)
    func `what others have changed is a conflict`(kind: StoreKind) throws {
        let container = try stored(kind)
        let (mine, theirs) = (ModelContext(container), ModelContext(container))
        let alarm = try alarm(mine)
        try self.alarm(theirs).days.remove(.wed)
        alarm.days.remove(.tue)
        try theirs.save()
        let error = #expect(throws: ConflictError.self) { try mine.save() }
        #expect(error?.conflicts.map(\.attributes) == [["days"]])
        mine.rollback()
        try self.alarm(theirs).style.size = 4
        try self.alarm(mine).style.size = 3
        try theirs.save()
        #expect(throws: ConflictError.self) { try mine.save() }
        mine.rollback()
        #expect(try self.alarm(mine).style.size == 4)
    }

    /// Only the order of what has none is not looked at.
    @Test(arguments: StoreKind.allCases)
    func `an order that others have changed is a conflict`(kind: StoreKind) throws {
        let container = try stored(kind)
        let changes: [(theirs: (Alarm) -> Void, mine: (Alarm) -> Void)] = [
            ({ $0.plan?.steps.reverse() }, { $0.plan?.days.remove(.mon) }),
            (
                { alarm in
                    let volumes = alarm.volumes
                    alarm.volumes[.mon] = volumes[.tue]
                    alarm.volumes[.tue] = volumes[.mon]
                },
                { $0.volumes[.wed] = 99 }
            ),
        ]
        for change in changes {
            for isDeletion in [false, true] {
                let (mine, theirs) = (ModelContext(container), ModelContext(container))
                let alarm = try alarm(mine)
                change.theirs(try self.alarm(theirs))
                change.mine(alarm)
                if isDeletion { mine.delete(alarm) }
                try theirs.save()
                #expect(throws: ConflictError.self) { try mine.save() }
            }
        }
    }

    @Test func `an embedded value of an older version is changed and deleted`() throws {
        let folder = try TemporaryFolder()
        let container = try ModelContainer.file(folder.file(), Alarm.self)
        let context = ModelContext(container)
        context.insert(Alarm("old"))
        context.insert(Alarm("older"))
        try context.save()
        try RawDatabase(folder.file()).execute(
            """
            UPDATE Alarm SET style = '{"size":7}' WHERE title = 'old';
            UPDATE Alarm SET style = '{ "gone" : 1, "theme":"dark", "size" : 8 }' WHERE title = 'older';
            """
        )
        let later = ModelContext(try ModelContainer.file(folder.file(), Alarm.self))
        let alarms = try later.fetch(
            FetchDescriptor<Alarm>(sortBy: [SortDescriptor(\.title, comparator: .lexical)])
        )
        #expect(alarms.map(\.style.size) == [7, 8])
        #expect(alarms.map(\.style.theme) == ["light", "dark"])
        for alarm in alarms { alarm.style.size += 10 }
        try later.save()
        #expect(alarms.map(\.style.size) == [17, 18])
        for alarm in alarms { later.delete(alarm) }
        try later.save()
        #expect(try later.fetchCount(FetchDescriptor<Alarm>()) == 0)
    }

    @Test(arguments: StoreKind.allCases)
    func `a second run of a list with sets changes nothing`(kind: StoreKind) throws {
        let context = ModelContext(try stored(kind))
        func list() -> [AlarmRow] {
            (0..<20).map { id in
                var days = Set<AlarmDay>(minimumCapacity: id * 3)
                for day in AlarmDay.allCases.shuffled() { days.insert(day) }
                return AlarmRow(id: id, days: days)
            }
        }
        try context.synchronize(list())
        try context.save()
        #expect(try context.synchronize(list()).isEmpty)
    }
}
