import Dovetail
import StoreTestSupport
import Testing

@testable import DovetailTesting

/// What random questions found: each was answered differently, or ended the program.
@Suite struct ComparedAlikeTests {
    private func ids(
        _ kind: StoreKind,
        _ rows: [WideRow],
        _ predicate: Predicate<WideRow>
    ) throws -> [Int] {
        let context = ModelContext(try kind.container(WideRow.self))
        context.insert(contentsOf: rows)
        try context.save()
        let descriptor = FetchDescriptor(predicate: predicate, sortBy: [SortDescriptor(\.id)])
        return try context.fetch(descriptor).map(\.id)
    }

    @Test(arguments: StoreKind.allCases)
    func `an element past the end is missing`(kind: StoreKind) throws {
        let rows = [WideRow(1), WideRow(2) { $0.details = [Detail(name: "a")] }]
        #expect(try ids(kind, rows, #Predicate { $0.details.first == nil }) == [1])
        #expect(try ids(kind, rows, #Predicate { $0.details.last != nil }) == [2])
        let list: [Detail?] = [nil]
        #expect(try ids(kind, rows, #Predicate { list.contains($0.details.first) }) == [1])
        let isChained = #Predicate<WideRow> { $0.details.last.flatMap { _ in 1 } == nil }
        #expect(try ids(kind, rows, isChained) == [1])
    }

    @Test(arguments: StoreKind.allCases)
    func `no number equals what is no number`(kind: StoreKind) throws {
        let rows = [WideRow(1), WideRow(2) { $0.optRatio = 1 }]
        let none = Double.nan
        let noFloat = Float.nan
        let noDecimal = Decimal.nan
        let optional: Double? = .nan
        #expect(try ids(kind, rows, #Predicate { $0.optRatio == none }) == [])
        #expect(try ids(kind, rows, #Predicate { $0.optRatio == optional }) == [])
        let cast = Term.equal(.column(.init(\.optPrice, "optPrice")), toValue: .constant(.nan))
        #expect(try ids(kind, rows, cast.predicate) == [])
        #expect(try ids(kind, rows, #Predicate { $0.ratio != none }) == [1, 2])
        #expect(try ids(kind, rows, #Predicate { $0.ratio < none || $0.ratio >= none }) == [])
        #expect(try ids(kind, rows, #Predicate { !($0.ratio < none) }) == [])
        #expect(try ids(kind, rows, #Predicate { [none].contains($0.ratio) }) == [])
        #expect(try ids(kind, rows, #Predicate { [optional, nil].contains($0.optRatio) }) == [1])
        #expect(try ids(kind, rows, #Predicate { $0.float != noFloat }) == [1, 2])
        #expect(try ids(kind, rows, #Predicate { $0.price != noDecimal }) == [1, 2])
        #expect(try ids(kind, rows, #Predicate { ($0.optRatio ?? none) > 0 }) == [2])
    }

    /// It is asked for only where there is one.
    @Test(arguments: StoreKind.allCases)
    func `a captured value that is not there is missing`(kind: StoreKind) throws {
        let rows = [WideRow(1) { $0.count = 5 }, WideRow(2)]
        for (filter, expected) in [(nil, [1, 2]), (5, [1])] as [(Int?, [Int])] {
            let predicate = #Predicate<WideRow> { filter == nil || $0.count == filter! }
            #expect(try ids(kind, rows, predicate) == expected)
        }
        let filter: Int? = nil
        #expect(try ids(kind, rows, #Predicate { $0.count > filter! }) == [])
        let list: [Int] = []
        #expect(try ids(kind, rows, #Predicate { list.isEmpty || $0.count == list[0] }) == [1, 2])
    }

    /// A server took what is always missing for text, and had no `<` of text and numbers.
    @Test(arguments: StoreKind.allCases)
    func `what is always missing is compared with everything`(kind: StoreKind) throws {
        let rows = [WideRow(1) { $0.count = 5 }, WideRow(2)]
        let (number, ratio): (Int?, Double?) = (nil, nil)
        #expect(
            try ids(kind, rows, #Predicate { ($0.count > 3 ? number : number)! <= $0.id }) == []
        )
        #expect(
            try ids(kind, rows, #Predicate { $0.ratio > ($0.count > 3 ? ratio : ratio)! }) == []
        )
        #expect(
            try ids(kind, rows, #Predicate { ($0.count > 3 ? number : number) ?? 4 > $0.id })
                == [1, 2]
        )
        #expect(try ids(kind, rows, #Predicate { (false ? nil : nil)! <= $0.id }) == [])
        let (flag, text): (Bool?, String?) = (nil, nil)
        #expect(try ids(kind, rows, #Predicate { ($0.count > 3 ? flag : flag)! }) == [])
        #expect(try ids(kind, rows, #Predicate { !($0.count > 3 ? flag : flag)! }) == [])
        #expect(
            try ids(kind, rows, #Predicate { ($0.count > 3 ? flag : flag) ?? flag ?? ($0.id == 2) })
                == [2]
        )
        #expect(
            try ids(kind, rows, #Predicate { ($0.count > 3 ? number : number)! + number! < 9 })
                == []
        )
        #expect(
            try ids(
                kind,
                rows,
                #Predicate { ($0.count > 3 ? text : text)!.lowercased() < $0.name }
            ) == []
        )
        #expect(
            try ids(kind, rows, #Predicate { ($0.count > 3 ? number : number) == number })
                == [1, 2]
        )
    }

    @Test(arguments: StoreKind.allCases)
    func `products that no decimal can hold are missing`(kind: StoreKind) throws {
        let tiny = Decimal(sign: .plus, exponent: -100, significand: 1)
        let rows = [WideRow(1) { $0.price = tiny }, WideRow(2) { $0.price = 2 }]
        #expect(try ids(kind, rows, #Predicate { $0.price * $0.price > -1 }) == [2])
        #expect(try ids(kind, rows, #Predicate { $0.price * tiny * 0 == 0 }) == [2])
    }

    /// `-` of a constant was computed by Swift.
    @Test(arguments: StoreKind.allCases)
    func `the negative of the smallest number is missing`(kind: StoreKind) throws {
        let smallest = PredicateExpressions.build_Arg(Int.min)
        let predicate = Predicate<WideRow> {
            PredicateExpressions.build_Comparison(
                lhs: PredicateExpressions.build_KeyPath(root: $0, keyPath: \.count),
                rhs: PredicateExpressions.build_UnaryMinus(smallest),
                op: .lessThanOrEqual
            )
        }
        #expect(try ids(kind, [WideRow(1)], predicate) == [])
    }

    /// SQLite hands a collation on to what is made of the value that has it.
    @Test(arguments: StoreKind.allCases)
    func `text beside an order of decimals is compared by its bytes`(kind: StoreKind) throws {
        let rows = [
            WideRow(1) {
                $0.name = "1.0"; $0.optName = "1.0"; $0.price = 1
            },
            WideRow(2) {
                $0.name = "10"; $0.optName = "1.00"; $0.price = 3
            },
            WideRow(3) {
                $0.name = "9"; $0.price = 3
            },
        ]
        let two: Decimal = 2
        let one = "1"
        let list = ["1", "1.00"]
        #expect(
            try ids(kind, rows, #Predicate { ($0.price > two ? $0.name : one) < "9" }) == [1, 2]
        )
        #expect(
            try ids(kind, rows, #Predicate { ($0.price < two ? $0.name : one) == one }) == [2, 3]
        )
        #expect(
            try ids(kind, rows, #Predicate { list.contains($0.price < two ? $0.name : "x") }) == []
        )
        #expect(
            try ids(kind, rows, #Predicate { one == ($0.price < two ? $0.name : "x") }) == []
        )
        // A constant that is compared with what may be missing stands on the right.
        #expect(
            try ids(kind, rows, #Predicate { one == ($0.price < two ? $0.optName : nil) }) == []
        )
        #expect(
            try ids(kind, rows, #Predicate { ($0.price > two ? $0.optName : nil) == one }) == []
        )
    }

    @Test(arguments: StoreKind.allCases)
    func `a choice between a value and nothing is optional`(kind: StoreKind) throws {
        let rows = [
            WideRow(1) { $0.name = "a" },
            WideRow(2) {
                $0.name = "b"; $0.optName = "b"
            },
            WideRow(3) { $0.name = "c" },
        ]
        let a = "a"
        #expect(try ids(kind, rows, #Predicate { ($0.id < 3 ? $0.name : nil) == "b" }) == [2])
        #expect(try ids(kind, rows, #Predicate { ($0.id < 3 ? nil : $0.name) == nil }) == [1, 2])
        #expect(
            try ids(kind, rows, #Predicate { ($0.id < 3 ? $0.name : $0.optName) != a }) == [2, 3]
        )
        #expect(
            try ids(kind, rows, #Predicate { ($0.id > 1 ? $0.optName : $0.name) == $0.name }) == [
                1, 2,
            ]
        )
        #expect(try ids(kind, rows, #Predicate { ($0.id == 3 ? 1 : nil) ?? 2 == 1 }) == [3])
    }
}
