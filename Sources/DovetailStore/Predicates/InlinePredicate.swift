public import Foundation

/// A predicate that is written where it is used: `FetchDescriptor<User>(predicate: #Predicate { … })`.
///
/// It has a type of its own so that the compiler takes Dovetail's `#Predicate` there. Foundation's has the
/// same name and gives a `Foundation.Predicate`; the compiler tries both, which takes it exponential time
/// where a body compares optionals. `FetchDescriptor`, and the functions that delete, change and find by a
/// predicate, take an inline one rather, and then Foundation's is not looked at. Programs do not name the type.
public struct InlinePredicate<Input>: Sendable {
    /// The predicate itself.
    public let predicate: Predicate<Input>

    /// Takes a predicate. Called by what `#Predicate` writes.
    @inlinable
    public init(_ predicate: Predicate<Input>) {
        self.predicate = predicate
    }
}

extension InlinePredicate: CustomStringConvertible, CustomReflectable {
    /// Its expression, for people. What Foundation says of a predicate ends the program where that has an
    /// expression of Dovetail's.
    public var description: String { "\(predicate.expression)" }

    /// Its expression as text.
    public var customMirror: Mirror { Mirror(self, children: ["expression": description]) }
}
