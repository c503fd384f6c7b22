import Dovetail
import DovetailTesting
import Foundation
import StoreTestSupport
import Testing

@Suite struct NumberColumnTests {
    @Test func `the ends of every integer type come back`() throws {
        let least = try Cabinet.roundTrip {
            $0.int8 = .min
            $0.int16 = .min
            $0.int32 = .min
            $0.int64 = .min
        }
        #expect(least.int8 == .min && least.int16 == .min)
        #expect(least.int32 == .min && least.int64 == .min)
        let most = try Cabinet.roundTrip {
            $0.int8 = .max
            $0.int16 = .max
            $0.int32 = .max
            $0.int64 = .max
            $0.uint = UInt(Int64.max)
            $0.uint8 = .max
            $0.uint16 = .max
            $0.uint32 = .max
            $0.uint64 = UInt64(Int64.max)
        }
        #expect(most.int8 == .max && most.int16 == .max)
        #expect(most.int32 == .max && most.int64 == .max)
        #expect(most.uint8 == .max && most.uint16 == .max && most.uint32 == .max)
        #expect(most.uint == UInt(Int64.max) && most.uint64 == UInt64(Int64.max))
    }

    @Test(arguments: StoreKind.allCases)
    func `a number above Int64.max is refused, and nothing is saved`(kind: StoreKind) throws {
        let context = ModelContext(try kind.container(Cabinet.self))
        var cabinet = Cabinet(2)
        cabinet.uint64 = UInt64(Int64.max) + 1
        context.insert(contentsOf: [Cabinet(1), cabinet])
        let error = #expect(throws: ModelEncodingError.self) { try context.save() }
        #expect(error?.kind == .notRepresentable)
        #expect(error?.description.contains("9223372036854775808") == false)
        #expect(context.hasChanges)
        context.rollback()
        #expect(try context.fetchCount(FetchDescriptor<Cabinet>()) == 0)
    }

    @Test(arguments: [
        0, -0.0, 1, -1.5, 0.1, .leastNonzeroMagnitude, .greatestFiniteMagnitude, .infinity,
        -.infinity, 9_007_199_254_740_992, 1e18, -1e19, 0.30000000000000004,
    ])
    func `doubles come back equal`(value: Double) throws {
        #expect(try Cabinet.roundTrip { $0.double = value }.double == value)
        let columnType = try Cabinet.stored("typeof(double)") { $0.double = value }
        #expect(columnType == "real")
    }

    @Test func `NaN is refused`() throws {
        let errors = [
            #expect(throws: ModelEncodingError.self) {
                try Cabinet.roundTrip { $0.double = .nan }
            },
            #expect(throws: ModelEncodingError.self) { try Cabinet.roundTrip { $0.float = .nan } },
            #expect(throws: ModelEncodingError.self) {
                try Cabinet.roundTrip { $0.decimal = .nan }
            },
        ]
        #expect(errors.allSatisfy { $0?.kind == .notRepresentable })
    }

    @Test(arguments: [0, 0.1, -2.5, 3.4e38, .leastNonzeroMagnitude, .infinity] as [Float])
    func `floats come back equal and are stored with their own digits`(value: Float) throws {
        #expect(try Cabinet.roundTrip { $0.float = value }.float == value)
        #expect(try Cabinet.stored("float") { $0.float = 0.1 } == "0.1")
    }

    @Test(arguments: [
        "0", "1.5", "-0.01", "123456789012345678901234567890.12345678", "1e30", "-1e-30",
    ])
    func `decimals come back digit by digit`(text: String) throws {
        let value = try #require(Decimal(string: text))
        #expect(try Cabinet.roundTrip { $0.decimal = value }.decimal == value)
        #expect(try Cabinet.stored("typeof(\"decimal\")") { $0.decimal = value } == "text")
    }

    @Test(arguments: StoreKind.allCases, SeededRandom.seeds)
    func `decimals are ordered by their values`(_ kind: StoreKind, _ seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var texts = [
            "0", "-1e30", "1e30", "1e-30", "-1e-30", "3e50", "-3e50", "1e-60",
            "99999999999999999999999999999999999999", "-99999999999999999999999999999999999999",
            "0.99999999999999999999999999999999999999",
        ]
        for _ in 0..<200 {
            let digits = (0..<random.below(20) + 1).map { _ in String(random.below(10)) }.joined()
            let point = digits.index(digits.startIndex, offsetBy: random.below(digits.count))
            let sign = random.isOne(in: 2) ? "-" : ""
            texts.append("\(sign)0\(digits[..<point]).\(digits[point...])")
        }
        let values = try texts.map { try #require(Decimal(string: $0)) }
        let context = ModelContext(try kind.container(Cabinet.self))
        for (index, value) in values.enumerated() {
            var cabinet = Cabinet(index)
            cabinet.decimal = value
            context.insert(cabinet)
        }
        try context.save()
        let all = FetchDescriptor<Cabinet>(sortBy: [SortDescriptor(\.decimal)])
        #expect(try context.fetch(all).map(\.decimal) == values.sorted(), "seed \(seed)")
        let middle = values[random.below(values.count)]
        let less = FetchDescriptor<Cabinet>(predicate: #Predicate { $0.decimal < middle })
        #expect(
            try context.fetchCount(less) == values.filter { $0 < middle }.count,
            "seed \(seed), \(middle)"
        )
    }

    @Test(arguments: StoreKind.allCases)
    func `equal decimals are stored alike, however they were made`(kind: StoreKind) throws {
        let compact = try #require(Decimal(string: "1.5"))
        let padded = Decimal(sign: .plus, exponent: -3, significand: 1500)
        try #require(compact == padded)
        let context = ModelContext(try kind.container(Cabinet.self))
        var cabinet = Cabinet(1)
        cabinet.decimal = padded
        context.insert(cabinet)
        let found = FetchDescriptor<Cabinet>(predicate: #Predicate { $0.decimal == compact })
        #expect(try context.fetchCount(found) == 1)
    }

    @Test func `truth values are 0 and 1`() throws {
        #expect(try Cabinet.roundTrip { $0.flag = true }.flag)
        #expect(try Cabinet.stored("flag") { $0.flag = true } == "1")
        #expect(try Cabinet.stored("flag") { $0.flag = false } == "0")
    }
}
