public import Foundation

/// A predicate that is written where it is used: `FetchDescriptor<User>(predicate: #Predicate { … })`.
///
/// It has a type of its own so that the compiler takes Dovetail's `#Predicate` there. Foundation's has the
/// same name and gives a `Foundation.Predicate`; the compiler tries both, which takes it exponential time
/// where a body compares optionals. `FetchDescriptor`, and the functions that delete, change and find by a
/// predicate, take an inline one rather, and then Foundation's is not looked at. Programs do not name the type.
///
/// One that says no more than what `id` is keeps that, and makes the predicate where somebody asks for it: to
/// make one and to take it apart again took longer than looking up the row.
public struct InlinePredicate<Input>: Sendable {
    /// What it says.
    @usableFromInline package let condition: PredicateCondition<Input>

    /// Takes a predicate. Called by what `#Predicate` writes.
    @inlinable
    public init(_ predicate: Predicate<Input>) {
        condition = .predicate(predicate)
    }

    /// Takes `path == value`. Called by what `#Predicate` writes for `$0.id == value`.
    ///
    /// - Parameter predicate: The same as a predicate, which is made at once where the types are not those
    ///   that most keys have.
    @inlinable
    public init<Property, Value>(
        _ path: any KeyPath<Input, Property> & Sendable,
        equals value: Value,
        else predicate: @autoclosure () -> Predicate<Input>
    ) {
        // Of types that are known where this is called the casts cost nothing.
        if Property.self == Int.self, let value = value as? Int {
            condition = .integer(path, value)
        } else if Property.self == String.self, let value = value as? String {
            condition = .text(path, value)
        } else if Property.self == UUID.self, let value = value as? UUID {
            condition = .uuid(path, value)
        } else {
            condition = .predicate(predicate())
        }
    }

    /// The predicate itself.
    ///
    /// - Complexity: O(1); one that says what `id` is makes it each time.
    public var predicate: Predicate<Input> { condition.predicate }
}

/// What a predicate says: that one property equals a value, or anything else.
@usableFromInline
package enum PredicateCondition<Input>: Sendable {
    /// A property that is an `Int`.
    case integer(any PartialKeyPath<Input> & Sendable, Int)
    /// A property that is a `String`.
    case text(any PartialKeyPath<Input> & Sendable, String)
    /// A property that is a `UUID`.
    case uuid(any PartialKeyPath<Input> & Sendable, UUID)
    /// Whatever the predicate tests.
    case predicate(Predicate<Input>)

    /// The predicate that says it.
    ///
    /// - Complexity: O(1); all but that of ``predicate(_:)`` are made each time.
    package var predicate: Predicate<Input> {
        switch self {
        case .integer(let path, let value): Self.equality(path, value)
        case .text(let path, let value): Self.equality(path, value)
        case .uuid(let path, let value): Self.equality(path, value)
        case .predicate(let predicate): predicate
        }
    }

    /// What Foundation makes of `$0.path == value`.
    private static func equality<Value: Codable & Equatable & Sendable>(
        _ path: PartialKeyPath<Input>,
        _ value: Value
    ) -> Predicate<Input> {
        // Invariant: the initializer has seen that the path is one to a `Value`, and that it is sendable,
        // which no cast can ask.
        let path = unsafeBitCast(path, to: (any KeyPath<Input, Value> & Sendable).self)
        return Predicate {
            PredicateExpressions.build_Equal(
                lhs: PredicateExpressions.build_KeyPath(root: $0, keyPath: path),
                rhs: PredicateExpressions.build_Arg(value)
            )
        }
    }
}

extension InlinePredicate: CustomStringConvertible, CustomReflectable {
    /// Its expression, for people. What Foundation says of a predicate ends the program where that has an
    /// expression of Dovetail's.
    public var description: String { "\(predicate.expression)" }

    /// Its expression as text.
    public var customMirror: Mirror { Mirror(self, children: ["expression": description]) }
}
