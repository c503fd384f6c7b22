import Dovetail

extension Int: RandomNumber {
    static func random(_ random: inout SeededRandom) -> Int {
        random.isOne(in: 3)
            ? random.pick([
                .min, .max, .min + 1, .max - 1, 1 << 53, 1 << 53 + 1, -(1 << 53) - 1, 1 << 32,
            ]) : random.pick([0, 0, 1, -1, 2, 3, 7, 10, 100, -100])
    }

    static var plain: Int { 0 }
    var simplerValues: [Int] { self == 0 ? [] : magnitude > 1 ? [0, 1, self / 2] : [0] }
    var source: String { self == .min ? "Int.min" : self == .max ? "Int.max" : "\(self)" }

    static let columns: [RandomProperty<WideRow, Int>] = [
        .init(\.count, "count"), .init(\.id, "id"),
    ]
    static let optionalColumns: [RandomProperty<WideRow, Int?>] = [
        .init(\.optCount, "optCount")
    ]
    static let optionalMembers: [RandomProperty<Detail, Int?>] = [.init(\.count, "count")]

    static func compound(_ maker: inout TermMaker, _ depth: Int) -> Term<Int>? {
        switch maker.random.below(10) {
        case 0: .conditional(&maker, depth)
        case 1: .present(&maker, depth)
        case 2: maker.count(depth)
        case 3: maker.labelOrDefault(depth)
        case 4: maker.element(Int.self, depth)
        case 5: .negated(&maker, depth)
        default: .arithmetic(&maker, depth)
        }
    }

    static func optionalCompound(_ maker: inout TermMaker, _ depth: Int) -> Term<Int?>? {
        switch maker.random.below(3) {
        case 0: maker.label()
        case 1: maker.extreme([Int].self, depth)
        default: maker.edge(\[Int].first, \[Int].last, depth)
        }
    }

    static let operators = RandomOperator.allCases

    static func result(
        _ operation: RandomOperator,
        _ left: Int,
        _ right: Int,
        _ run: TermRun
    ) -> Int? {
        if right == 0, operation == .divide || operation == .remainder {
            run.note(.division)
            return nil
        }
        let (value, overflows) =
            switch operation {
            case .add: left.addingReportingOverflow(right)
            case .subtract: left.subtractingReportingOverflow(right)
            case .multiply: left.multipliedReportingOverflow(by: right)
            case .divide: left.dividedReportingOverflow(by: right)
            case .remainder: left.remainderReportingOverflow(dividingBy: right)
            }
        if overflows { run.note(.overflow) }
        // Nothing is left of the smallest number divided by -1, although that has no quotient.
        return overflows ? (operation == .remainder ? 0 : nil) : value
    }

    static func division<Left: TermNode, Right: TermNode>(
        _ operation: RandomOperator,
        _ left: Left,
        _ right: Right
    ) -> any TermNode<Int> where Left.Output == Int, Right.Output == Int {
        operation == .divide
            ? PredicateExpressions.build_Division(lhs: left, rhs: right)
            : PredicateExpressions.build_Remainder(lhs: left, rhs: right)
    }
}

/// A whole number with fewer bits than stores compute with, or as many.
protocol RandomInteger: RandomNumber, FixedWidthInteger {}

extension RandomInteger {
    static func random(_ random: inout SeededRandom) -> Self {
        random.pick([0, 0, 1, 2, 10, 100, .min, .max, .max - 1])
    }

    static var plain: Self { 0 }
    var simplerValues: [Self] { self == 0 ? [] : self == 1 ? [0] : [0, 1] }
    var source: String { "\(Self.self)(\(self))" }

    static var operators: [RandomOperator] { RandomOperator.allCases }

    static func compound(_ maker: inout TermMaker, _ depth: Int) -> Term<Self>? {
        switch maker.random.below(5) {
        case 0: .conditional(&maker, depth)
        case 1: .present(&maker, depth)
        default: .arithmetic(&maker, depth)
        }
    }

    static func result(
        _ operation: RandomOperator,
        _ left: Self,
        _ right: Self,
        _ run: TermRun
    ) -> Self? {
        guard let value = Int.result(operation, Int(left), Int(right), run) else { return nil }
        // Swift ends the program for `Int8.min % -1` although there is a result.
        let isRemainder = operation == .remainder
        run.note(
            .overflow,
            if: isRemainder && left.remainderReportingOverflow(dividingBy: right).overflow
        )
        if let exact = Self(exactly: value) { return exact }
        // A store goes on with a number that Swift cannot hold here.
        run.note(.width)
        return nil
    }

    static func division<Left: TermNode, Right: TermNode>(
        _ operation: RandomOperator,
        _ left: Left,
        _ right: Right
    ) -> any TermNode<Self> where Left.Output == Self, Right.Output == Self {
        operation == .divide
            ? PredicateExpressions.build_Division(lhs: left, rhs: right)
            : PredicateExpressions.build_Remainder(lhs: left, rhs: right)
    }
}

extension Int8: RandomInteger {
    static let columns: [RandomProperty<WideRow, Int8>] = [.init(\.small, "small")]
    static let optionalColumns: [RandomProperty<WideRow, Int8?>] = [
        .init(\.optSmall, "optSmall")
    ]
}

extension Int64: RandomInteger {
    static let columns: [RandomProperty<WideRow, Int64>] = [.init(\.wide, "wide")]
}

extension UInt32: RandomInteger {
    static let columns: [RandomProperty<WideRow, UInt32>] = [.init(\.unsigned, "unsigned")]
}

extension Double: RandomNumber {
    static func random(_ random: inout SeededRandom) -> Double {
        random.isOne(in: 2)
            ? random.pick([0, 1, -1, 0.5, 3.5, 2])
            : random.pick([
                -0.0, 0.1, 1e-300, 1e300, .infinity, -.infinity, 0.30000000000000004,
                .leastNonzeroMagnitude, 9_007_199_254_740_992, .greatestFiniteMagnitude, 1.0 / 3,
                -123_456_789.125,
            ])
    }

    static func constant(_ random: inout SeededRandom) -> Double {
        random.isOne(in: 16) ? .nan : self.random(&random)
    }

    static var plain: Double { 0 }
    var simplerValues: [Double] { isIdentical(to: 0) ? [] : self == 1 ? [0] : [0, 1] }
    var source: String {
        isNaN ? "Double.nan" : isInfinite ? "\(self < 0 ? "-" : "")Double.infinity" : "\(self)"
    }

    func isIdentical(to other: Double) -> Bool { bitPattern == other.bitPattern }

    static let columns: [RandomProperty<WideRow, Double>] = [.init(\.ratio, "ratio")]
    static let optionalColumns: [RandomProperty<WideRow, Double?>] = [
        .init(\.optRatio, "optRatio")
    ]
    static let members: [RandomProperty<Detail, Double>] = [.init(\.ratio, "ratio")]

    static func compound(_ maker: inout TermMaker, _ depth: Int) -> Term<Double>? {
        switch maker.random.below(6) {
        case 0: .conditional(&maker, depth)
        case 1: .present(&maker, depth)
        case 2: .negated(&maker, depth)
        default: .arithmetic(&maker, depth)
        }
    }

    static let operators: [RandomOperator] = [.add, .subtract, .multiply, .divide]

    static func result(
        _ operation: RandomOperator,
        _ left: Double,
        _ right: Double,
        _ run: TermRun
    ) -> Double? {
        if operation == .divide, right == 0 {
            run.note(.division)
            return nil
        }
        let value =
            switch operation {
            case .add: left + right
            case .subtract: left - right
            case .multiply: left * right
            default: left / right
            }
        if value.isNaN { run.note(.nan) }
        return value.isNaN ? nil : value
    }

    static func division<Left: TermNode, Right: TermNode>(
        _ operation: RandomOperator,
        _ left: Left,
        _ right: Right
    ) -> any TermNode<Double> where Left.Output == Double, Right.Output == Double {
        PredicateExpressions.build_Division(lhs: left, rhs: right)
    }
}

extension Float: RandomNumber {
    static func random(_ random: inout SeededRandom) -> Float {
        random.pick([0, 1, -1, 0.5, -2.5, 0.1, 1e10, .infinity, .leastNonzeroMagnitude, 16_777_216])
    }

    static var plain: Float { 0 }
    var simplerValues: [Float] { isIdentical(to: 0) ? [] : [0] }
    var source: String {
        isInfinite ? "\(self < 0 ? "-" : "")Float.infinity" : "Float(\(self))"
    }

    func isIdentical(to other: Float) -> Bool { bitPattern == other.bitPattern }

    static let columns: [RandomProperty<WideRow, Float>] = [.init(\.float, "float")]

    static func compound(_ maker: inout TermMaker, _ depth: Int) -> Term<Float>? {
        maker.random.isOne(in: 4) ? .conditional(&maker, depth) : .arithmetic(&maker, depth)
    }

    static let operators = Double.operators

    static func result(
        _ operation: RandomOperator,
        _ left: Float,
        _ right: Float,
        _ run: TermRun
    ) -> Float? {
        guard let value = Double.result(operation, Double(left), Double(right), run) else {
            return nil
        }
        if let exact = Float(exactly: value) { return exact }
        run.note(.width)
        return nil
    }

    static func division<Left: TermNode, Right: TermNode>(
        _ operation: RandomOperator,
        _ left: Left,
        _ right: Right
    ) -> any TermNode<Float> where Left.Output == Float, Right.Output == Float {
        PredicateExpressions.build_Division(lhs: left, rhs: right)
    }
}

extension Decimal: RandomNumber {
    static func random(_ random: inout SeededRandom) -> Decimal {
        if random.isOne(in: 2) { return random.pick([0, 1, 1.5, 9, 10, -0.01, 0.1]) }
        let texts = [
            "99999999999999999999999999999999999999", "-99999999999999999999999999999999999999",
            "0.99999999999999999999999999999999999999", "1e127", "-1e127", "1e-127",
            "12345678901234567890.123456789012345678", "10000000000000000000000000000000000001e60",
        ]
        // The same number as 1.5, and not the same parts.
        let long = Decimal(sign: .plus, exponent: -3, significand: 1500)
        return random.isOne(in: 6) ? long : Decimal(string: random.pick(texts)) ?? 0
    }

    static func constant(_ random: inout SeededRandom) -> Decimal {
        random.isOne(in: 20) ? .nan : self.random(&random)
    }

    static var plain: Decimal { 0 }
    var simplerValues: [Decimal] { isZero ? [] : self == 1 ? [0] : [0, 1] }
    var source: String {
        if isNaN { return "Decimal.nan" }
        let sign = self < 0 ? "minus" : "plus"
        return "Decimal(sign: .\(sign), exponent: \(exponent), "
            + "significand: Decimal(string: \"\(significand)\")!)"
    }

    func isIdentical(to other: Decimal) -> Bool {
        isNaN ? other.isNaN : self == other && exponent == other.exponent
    }

    static let columns: [RandomProperty<WideRow, Decimal>] = [.init(\.price, "price")]
    static let optionalColumns: [RandomProperty<WideRow, Decimal?>] = [
        .init(\.optPrice, "optPrice")
    ]
    static let optionalMembers: [RandomProperty<Detail, Decimal?>] = [.init(\.price, "price")]

    static func compound(_ maker: inout TermMaker, _ depth: Int) -> Term<Decimal>? {
        switch maker.random.below(6) {
        case 0: .conditional(&maker, depth)
        case 1: .present(&maker, depth)
        case 2: .negated(&maker, depth)
        default: .arithmetic(&maker, depth)
        }
    }

    static let operators: [RandomOperator] = [.add, .subtract, .multiply]

    static func result(
        _ operation: RandomOperator,
        _ left: Decimal,
        _ right: Decimal,
        _ run: TermRun
    ) -> Decimal? {
        // Foundation ends the program for a product that is too close to zero.
        if operation == .multiply, !left.isZero, !right.isZero,
            left.exponent + right.exponent < -128
        {
            run.note(.overflow)
            return nil
        }
        let value =
            switch operation {
            case .add: left + right
            case .subtract: left - right
            default: left * right
            }
        if value.isNaN { run.note(.nan) }
        return value.isNaN ? nil : value
    }

    static func division<Left: TermNode, Right: TermNode>(
        _ operation: RandomOperator,
        _ left: Left,
        _ right: Right
    ) -> any TermNode<Decimal> where Left.Output == Decimal, Right.Output == Decimal {
        // Foundation has no node for it, and `operators` does not name it.
        PredicateExpressions.build_Arithmetic(lhs: left, rhs: right, op: .multiply)
    }
}
