import Dovetail
import StoreTestSupport
import Testing

@Model struct Lap: Identifiable, Equatable, Sendable {
    let id: Int
    var time: Duration
    var rest: Duration?
    var driver: String = "a"
}

/// Spans of time in columns: decimal numbers of seconds, with all their digits.
@Suite struct DurationColumnTests {
    /// In ascending order.
    private static let spans: [Duration] = [
        Duration(secondsComponent: .min, attosecondsComponent: -999_999_999_999_999_999),
        .seconds(Int64.min), .seconds(-10),
        Duration(secondsComponent: -9, attosecondsComponent: -999_999_999_999_999_999),
        .seconds(-2), .milliseconds(-1), Duration(secondsComponent: 0, attosecondsComponent: -1),
        .zero, Duration(secondsComponent: 0, attosecondsComponent: 1), .nanoseconds(1), .seconds(2),
        .milliseconds(9_999), .seconds(10), .seconds(86_400), .seconds(Int64.max),
        Duration(secondsComponent: .max, attosecondsComponent: 999_999_999_999_999_999),
    ]

    private func context(_ kind: StoreKind, _ laps: [Lap]) throws -> ModelContext {
        let context = ModelContext(try kind.container(Lap.self))
        context.insert(contentsOf: laps)
        try context.save()
        return context
    }

    @Test(arguments: StoreKind.allCases)
    func `every span comes back, in the order of its length`(kind: StoreKind) throws {
        let laps = Self.spans.enumerated().map { Lap(id: $0, time: $1, rest: $1) }.reversed()
        let context = try context(kind, Array(laps))
        let sorted = try context.fetch(FetchDescriptor<Lap>(sortBy: [SortDescriptor(\.time)]))
        #expect(sorted.map(\.time) == Self.spans)
        let reverse = [SortDescriptor(\Lap.rest, order: .reverse)]
        let back = try context.fetch(FetchDescriptor<Lap>(sortBy: reverse))
        #expect(back.map(\.rest) == Self.spans.reversed())
        #expect(try context.min(\Lap.time) == Self.spans.first)
        #expect(try context.max(\Lap.rest) == Self.spans.last)
    }

    @Test(arguments: StoreKind.allCases)
    func `spans are compared with each other`(kind: StoreKind) throws {
        let laps = Self.spans.enumerated().map { Lap(id: $0, time: $1, rest: .seconds(2)) }
        let context = try context(kind, laps)
        func ids(_ predicate: Predicate<Lap>) throws -> [Int] {
            try context.fetch(FetchDescriptor(predicate: predicate)).map(\.id).sorted()
        }
        var checked = 0
        for (index, span) in Self.spans.enumerated() {
            #expect(try ids(#Predicate { $0.time == span }) == [index])
            #expect(try ids(#Predicate { $0.time < span }) == Array(0..<index))
            #expect(try ids(#Predicate { $0.time > span }) == Array((index + 1)..<16))
            let pair = [span, .seconds(77)]
            #expect(try ids(#Predicate { pair.contains($0.time) }) == [index])
            checked += 1
        }
        #expect(checked == 16)
        let short: ClosedRange<Duration> = .zero ... .seconds(2)
        #expect(try ids(#Predicate { short.contains($0.time) }) == [7, 8, 9, 10])
        #expect(try ids(#Predicate { $0.time >= $0.rest ?? .zero }) == [10, 11, 12, 13, 14, 15])
        #expect(try ids(#Predicate { $0.rest == nil }) == [])
    }

    @Test(arguments: StoreKind.allCases)
    func `spans are added exactly, and make groups`(kind: StoreKind) throws {
        let tick = Duration(secondsComponent: 0, attosecondsComponent: 1)
        let context = try context(
            kind,
            [
                Lap(id: 1, time: .seconds(1) + tick, rest: nil),
                Lap(id: 2, time: .milliseconds(-250), rest: .seconds(3), driver: "b"),
                Lap(id: 3, time: .seconds(1) + tick, rest: tick, driver: "b"),
            ]
        )
        #expect(try context.sum(\Lap.time) == .milliseconds(1750) + tick * 2)
        #expect(try context.sum(\Lap.rest) == .seconds(3) + tick)
        #expect(try context.sum(\Lap.time, where: #Predicate { $0.id > 9 }) == .zero)
        let drivers = try context.select(
            .value(\Lap.driver),
            .sum(\.time),
            having: .sum(\Lap.time) > .seconds(1)
        )
        #expect(drivers.map { $0.0 } == ["a"])
        #expect(drivers.map { $0.1 } == [.seconds(1) + tick])
        let times = try context.select(.value(\Lap.time), .count())
        #expect(times.map { $0.1 } == [1, 2])
        let error = #expect(throws: QueryError.self) { try context.average(\Lap.time) }
        #expect(error?.description.contains("time") == true)
        try context.update(Lap.self, where: #Predicate { $0.id == 2 }) {
            try $0.increment(\.time, by: .seconds(1))
        }
        try context.save()
        #expect(try context.fetch(Lap.self, id: 2)?.time == .milliseconds(750))
    }

    @Test(arguments: StoreKind.allCases)
    func `a span that no document holds is a typed error`(kind: StoreKind) throws {
        let context = try context(kind, [])
        for far in [Duration(attoseconds: .max), Duration(attoseconds: .min)] {
            context.insert(Lap(id: 1, time: far))
            let error = #expect(throws: ModelEncodingError.self) { try context.save() }
            #expect(error?.kind == .notRepresentable)
            context.rollback()
            #expect(throws: QueryError.self) {
                try context.fetch(FetchDescriptor<Lap>(predicate: #Predicate { $0.time < far }))
            }
        }
        let largest = Duration.seconds(Int64.max)
        context.insert(contentsOf: [Lap(id: 1, time: largest), Lap(id: 2, time: largest)])
        try context.save()
        let error = #expect(throws: StoreError.self) { try context.sum(\Lap.time) }
        #expect(error?.kind == .outOfRange)
    }

    @Test func `what another program wrote is read, or an error that names the column`() throws {
        let folder = try TemporaryFolder()
        let context = ModelContext(try .file(folder.file(), Lap.self))
        context.insert(Lap(id: 1, time: .zero))
        try context.save()
        let database = try RawDatabase(folder.file())
        for (text, time) in [("'1.50'", .milliseconds(1500)), ("'-0'", .zero)] as [(_, Duration)] {
            try database.execute("UPDATE Lap SET time = \(text)")
            #expect(try context.fetch(Lap.self, id: 1)?.time == time)
        }
        for (text, kind) in [
            ("'soon'", .typeMismatch), ("''", .typeMismatch), ("'1e19'", .numberOutOfRange),
            ("'0.0000000000000000001'", .numberOutOfRange),
        ] as [(String, ModelDecodingError.Kind)] {
            try database.execute("UPDATE Lap SET time = \(text)")
            let error = #expect(throws: ModelDecodingError.self, "\(text)") {
                try context.fetch(Lap.self, id: 1)
            }
            #expect(error?.kind == kind, "\(text)")
            #expect(error?.path == "time")
        }
    }
}
