import Dovetail

/// A type of the values in random rows and predicates: what values there are, how they are printed as
/// Swift, and what a store takes as equal.
protocol RandomValue: ModelValue, Codable, Equatable, Sendable {
    /// A value of a column: small ones, so that predicates meet equal ones often, and those at the
    /// limits of the type.
    static func random(_ random: inout SeededRandom) -> Self
    /// A constant of a predicate, which may be something that no column holds.
    static func constant(_ random: inout SeededRandom) -> Self
    /// The simplest value.
    static var plain: Self { get }
    /// Simpler values, the simplest first.
    var simplerValues: [Self] { get }
    /// The value as Swift.
    var source: String { get }
    /// Whether both are equal to a store. What Swift says is not the same everywhere, which is noted.
    static func areEqual(_ left: Self, _ right: Self, _ run: TermRun) -> Bool
    /// Whether it is nil.
    var isMissing: Bool { get }
    /// Whether it is a number that is none.
    var isNaN: Bool { get }
    /// Whether nothing tells the values apart, for the shrinker.
    func isIdentical(to other: Self) -> Bool

    static var columns: [RandomProperty<WideRow, Self>] { get }
    static var optionalColumns: [RandomProperty<WideRow, Self?>] { get }
    static var members: [RandomProperty<Detail, Self>] { get }
    static var optionalMembers: [RandomProperty<Detail, Self?>] { get }

    /// A term of several parts; nil where the type has none.
    static func compound(_ maker: inout TermMaker, _ depth: Int) -> Term<Self>?
    /// The same for a term that may be nil.
    static func optionalCompound(_ maker: inout TermMaker, _ depth: Int) -> Term<Self?>?
}

extension RandomValue {
    static func constant(_ random: inout SeededRandom) -> Self { Self.random(&random) }
    var simplerValues: [Self] { isIdentical(to: .plain) ? [] : [.plain] }
    static func areEqual(_ left: Self, _ right: Self, _ run: TermRun) -> Bool { left == right }
    var isMissing: Bool { false }
    var isNaN: Bool { false }
    func isIdentical(to other: Self) -> Bool { self == other }

    static var columns: [RandomProperty<WideRow, Self>] { [] }
    static var optionalColumns: [RandomProperty<WideRow, Self?>] { [] }
    static var members: [RandomProperty<Detail, Self>] { [] }
    static var optionalMembers: [RandomProperty<Detail, Self?>] { [] }

    static func compound(_ maker: inout TermMaker, _ depth: Int) -> Term<Self>? { nil }
    static func optionalCompound(_ maker: inout TermMaker, _ depth: Int) -> Term<Self?>? { nil }
}

extension Optional: RandomValue where Wrapped: RandomValue {
    static func random(_ random: inout SeededRandom) -> Self {
        random.isOne(in: 3) ? nil : Wrapped.random(&random)
    }

    static func constant(_ random: inout SeededRandom) -> Self {
        random.isOne(in: 3) ? nil : Wrapped.constant(&random)
    }

    static var plain: Self { nil }

    var simplerValues: [Self] { map { [nil] + $0.simplerValues.map { .some($0) } } ?? [] }

    var source: String { map(\.source) ?? "nil" }

    var isMissing: Bool { self == nil }
    var isNaN: Bool { self?.isNaN ?? false }

    static func areEqual(_ left: Self, _ right: Self, _ run: TermRun) -> Bool {
        switch (left, right) {
        case (nil, nil): true
        case (let left?, let right?): Wrapped.areEqual(left, right, run)
        default: false
        }
    }

    func isIdentical(to other: Self) -> Bool {
        switch (self, other) {
        case (nil, nil): true
        case (let mine?, let other?): mine.isIdentical(to: other)
        default: false
        }
    }

    static var columns: [RandomProperty<WideRow, Self>] { Wrapped.optionalColumns }
    static var members: [RandomProperty<Detail, Self>] { Wrapped.optionalMembers }

    static func compound(_ maker: inout TermMaker, _ depth: Int) -> Term<Self>? {
        switch maker.random.below(4) {
        case 0: .conditional(&maker, depth)
        case 1: maker.chained(Wrapped.self, depth)
        default: Wrapped.optionalCompound(&maker, depth)
        }
    }
}

/// A type whose values have an order.
protocol RandomOrdered: RandomValue, Comparable {
    /// The order to a store: a negative number, 0 or a positive one; nil where there is none. What
    /// Swift says is not the same everywhere, which is noted.
    static func order(_ left: Self, _ right: Self, _ run: TermRun) -> Int?
}

extension RandomOrdered {
    static func order(_ left: Self, _ right: Self, _ run: TermRun) -> Int? {
        left < right ? -1 : left == right ? 0 : 1
    }
}

/// An operator of arithmetic.
enum RandomOperator: String, CaseIterable {
    case add = "+"
    case subtract = "-"
    case multiply = "*"
    case divide = "/"
    case remainder = "%"
}

/// A type that stores compute with.
protocol RandomNumber: RandomOrdered, Numeric {
    /// The operators that the type has.
    static var operators: [RandomOperator] { get }
    /// The result to a store; nil where there is none, which is noted.
    static func result(
        _ operation: RandomOperator,
        _ left: Self,
        _ right: Self,
        _ run: TermRun
    ) -> Self?
    /// The node of `/` and `%`, of which only some types have one.
    static func division<Left: TermNode, Right: TermNode>(
        _ operation: RandomOperator,
        _ left: Left,
        _ right: Right
    ) -> any TermNode<Self> where Left.Output == Self, Right.Output == Self
}

/// A node of a predicate.
typealias TermNode = StandardPredicateExpression
