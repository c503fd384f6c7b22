public import DovetailModel
public import Foundation

/// What a list says about rows that it does not have: which of them it is a whole list of. A row is deleted
/// only inside of the scope, so a list of a part never deletes the rest.
///
/// ```swift
/// try context.synchronize(members, scope: .matching(#Predicate { $0.team == 5 }))
/// // SELECT … FROM "User" WHERE ("team" = ?1), and deletions among these alone
/// ```
public struct SynchronizeScope<Value: Model>: Sendable {
    /// What holds of the values inside; nil for all.
    let predicate: Predicate<Value>?

    /// All values of the model.
    public static var full: SynchronizeScope { SynchronizeScope(predicate: nil) }

    /// The values for which a predicate holds. It has to hold of each given value; a row outside that has
    /// the key of one is updated, and comes in.
    public static func matching(_ predicate: Predicate<Value>) -> SynchronizeScope {
        SynchronizeScope(predicate: predicate)
    }

    /// The positions of values that are outside.
    ///
    /// - Throws: what `evaluate` of the predicate throws.
    func positions(outside values: [Value]) throws -> [Int] {
        guard let predicate else { return [] }
        return try values.indices.filter { try !predicate.evaluate(values[$0]) }
    }
}
