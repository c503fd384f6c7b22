import Dovetail
import StoreTestSupport
import Testing

@Model struct Gauge: Identifiable, Equatable, Sendable {
    let id: Int
    var small: UInt8 = 0
    var signed: Int8 = 0
    var large: Int64 = 0
    var unsigned: UInt = 0
    var float: Float = 0
    var optional: Int?
    var optionalDouble: Double?
}

/// Sums that their types cannot hold.
@Suite struct IncrementTests {
    @Test(arguments: StoreKind.allCases)
    func `a sum outside of its type is refused, and nothing is stored`(_ kind: StoreKind) throws {
        let context = ModelContext(try kind.container(Gauge.self))
        let all = [
            Gauge(
                id: 1,
                small: 250,
                signed: -120,
                large: .max - 1,
                float: .greatestFiniteMagnitude
            ),
            Gauge(id: 2, small: 1, signed: 100, large: .min + 1, unsigned: 5),
        ]
        context.insert(contentsOf: all)
        try context.save()
        typealias Change = (inout ModelUpdates<Gauge>) throws -> Void
        let refused: [(String, Change)] = [
            ("small", { try $0.increment(\.small, by: 6) }),
            ("signed", { try $0.increment(\.signed, by: 28) }),
            ("signed", { try $0.increment(\.signed, by: -9) }),
            ("large", { try $0.increment(\.large, by: 2) }),
            ("large", { try $0.increment(\.large, by: -2) }),
            ("float", { try $0.increment(\.float, by: .greatestFiniteMagnitude) }),
        ]
        for (column, change) in refused {
            try context.update(Gauge.self, change)
            let error = #expect(throws: StoreError.self, "\(column)") { try context.save() }
            #expect(error?.kind == .outOfRange && error?.column == column, "\(column)")
            context.rollback()
        }
        let stored = FetchDescriptor<Gauge>(sortBy: [SortDescriptor(\.id)])
        #expect(try context.fetch(stored) == all)
        try context.update(Gauge.self, where: #Predicate { $0.id == 1 }) {
            try $0.increment(\.small, by: 5)
            try $0.increment(\.signed, by: -8)
            try $0.increment(\.large, by: 1)
        }
        try context.save()
        let first = try context.fetch(stored)[0]
        #expect(first.small == 255 && first.signed == -128 && first.large == .max)
    }

    @Test(arguments: StoreKind.allCases)
    func `what is nil stays nil, and NaN is refused`(_ kind: StoreKind) throws {
        let context = ModelContext(try kind.container(Gauge.self))
        context.insert(contentsOf: [Gauge(id: 1, optional: 5), Gauge(id: 2)])
        try context.save()
        try context.update(Gauge.self) { try $0.increment(\.optional, by: 2) }
        try context.save()
        let stored = FetchDescriptor<Gauge>(sortBy: [SortDescriptor(\.id)])
        #expect(try context.fetch(stored).map(\.optional) == [7, nil])
        #expect(throws: QueryError.self) {
            try context.update(Gauge.self) { try $0.set(\.optionalDouble, .nan) }
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `several changes of one property come one after the other`(_ kind: StoreKind) throws {
        let context = ModelContext(try kind.container(Gauge.self))
        context.insert(Gauge(id: 1, small: 100, large: 5, optional: 7))
        try context.save()
        func change(_ changes: (inout ModelUpdates<Gauge>) throws -> Void) throws -> Gauge {
            try context.update(Gauge.self, changes)
            try context.save()
            return try #require(context.fetch(FetchDescriptor<Gauge>()).first)
        }
        let sum = try change {
            try $0.increment(\.large, by: 1)
            try $0.increment(\.large, by: 2)
            try $0.increment(\.small, by: 100)
            try $0.increment(\.small, by: 55)
        }
        #expect(sum.large == 8 && sum.small == 255)
        let set = try change {
            try $0.increment(\.large, by: 100)
            try $0.set(\.large, 1)
            try $0.increment(\.large, by: 2)
            try $0.increment(\.large, by: 3)
            try $0.set(\.optional, 1)
            try $0.increment(\.optional, by: 1)
            try $0.set(\.small, 9)
        }
        #expect(set.large == 6 && set.optional == 2 && set.small == 9)
        try context.update(Gauge.self) {
            try $0.increment(\.small, by: 200)
            try $0.increment(\.small, by: 200)
        }
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.kind == .outOfRange && error?.column == "small")
        context.rollback()
        #expect(throws: StoreError.self) {
            try context.update(Gauge.self) {
                try $0.set(\.small, 200)
                try $0.increment(\.small, by: 56)
            }
        }
        #expect(try context.fetch(FetchDescriptor<Gauge>()).map(\.small) == [9])
    }
}
