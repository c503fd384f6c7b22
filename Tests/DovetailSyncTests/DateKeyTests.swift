import Dovetail
import Foundation
import StoreTestSupport
import Testing

@Model private struct Reading: Equatable, Identifiable, Sendable {
    struct ID: Hashable, Sendable { var sensor: Int; var time: Date }
    @Attribute(.primaryKey) var sensor: Int
    @Attribute(.primaryKey) var time: Date
    var value: Int
    var id: ID { ID(sensor: sensor, time: time) }
}

@Model private struct Alarm: Equatable, Identifiable, Sendable {
    let id: Date
    @Attribute(.unique) var raised: Date
    var text: String
}

@Model private struct AlarmNote: Identifiable, Sendable {
    let id: Int
    @Attribute(.references(Alarm.self, deleteRule: .cascade)) var alarm: Date
}

@Model private final class Appointment {
    @Attribute(.unique) var at: Date
    var title: String
    init(_ at: Date, _ title: String) { (self.at, self.title) = (at, title) }
}

/// Dates with more digits than every store keeps, as keys, as unique values, and merged.
@Suite struct DateKeyTests {
    private let dates = (0..<40).map {
        Date(timeIntervalSince1970: 1_700_000_000 + Double($0) * 0.0010003)
    }

    @Test(arguments: StoreKind.allCases)
    func `a list that is synchronized twice changes nothing`(_ kind: StoreKind) throws {
        let context = ModelContext(try kind.container(Reading.self, Alarm.self, AlarmNote.self))
        var readings = dates.map { Reading(sensor: 1, time: $0, value: 0) }
        try context.synchronize(readings)
        let alarms = dates.map { Alarm(id: $0, raised: $0 + 1.0000003, text: "a") }
        try context.synchronize(alarms)
        context.insert(contentsOf: dates.enumerated().map { AlarmNote(id: $0, alarm: $1) })
        try context.save()
        #expect(try context.plan(readings).isEmpty)
        #expect(try context.plan(alarms).isEmpty)
        try context.synchronize(alarms)
        try context.save()
        #expect(try context.fetchCount(FetchDescriptor<AlarmNote>()) == 40)
        readings[3].value = 7
        let plan = try context.plan(readings)
        #expect(plan.updated.count == 1 && plan.inserted.isEmpty && plan.deleted.isEmpty)
        // What waits takes the place of its row.
        context.update(readings[3])
        let time = readings[3].time
        let same = #Predicate<Reading> { $0.time == time }
        #expect(try context.fetch(FetchDescriptor(predicate: same)).map(\.value) == [7])
        #expect(try context.fetch(Reading.self, id: readings[3].id)?.value == 7)
        context.delete(readings[3])
        #expect(try context.fetchCount(FetchDescriptor(predicate: same)) == 0)
        try context.save()
        #expect(try context.fetchCount(FetchDescriptor<Reading>()) == 39)
    }

    @Test(arguments: StoreKind.allCases)
    func `a date that was changed here is no conflict with a list that is as before`(
        _ kind: StoreKind
    ) throws {
        let context = ModelContext(
            try kind.following([Alarm.self, AlarmNote.self])
        )
        let alarms = dates.map { Alarm(id: $0, raised: $0, text: "a") }
        try context.synchronize(alarms, localChanges: .merge(conflicts: .error))
        try context.save()
        var moved = alarms[5]
        moved.raised += 100.0000007
        context.update(moved)
        try context.save()
        for conflicts in [ListConflictPolicy.error, .listWins] {
            try context.synchronize(alarms, localChanges: .merge(conflicts: conflicts))
            try context.save()
            let found = try #require(try context.fetch(Alarm.self, id: moved.id))
            #expect(abs(found.raised.timeIntervalSince(moved.raised)) < 1e-5)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `an object meets the row that has its date`(_ kind: StoreKind) throws {
        let context = ModelContext(try kind.container(Appointment.self))
        for date in dates { context.insert(Appointment(date, "a")) }
        try context.save()
        for date in dates { context.insert(Appointment(date, "b")) }
        try context.save()
        let stored = try ModelContext(context.container).fetch(FetchDescriptor<Appointment>())
        #expect(stored.count == 40 && stored.allSatisfy { $0.title == "b" })
    }
}
