/// Why a list could not be synchronized. Nothing was changed.
///
/// ```swift
/// let twice = [User(id: 1, name: "Ann"), User(id: 1, name: "Eve")]
/// _ = try context.synchronize(twice)
/// // User: the elements at 0 and 1 have the same key and are not equal
/// ```
public struct SynchronizeError: Error, Hashable, Sendable {
    /// The model's name in the store; the type of values that have counterparts.
    public let table: String
    /// The positions in the list of two elements that have one key and are not equal, so that the
    /// store could not hold both. They count from 0.
    public let positions: [Int]

    /// Makes an error, for tests and for code that synchronizes in a way of its own.
    public init(table: String, positions: [Int]) {
        self.table = table
        self.positions = positions
    }
}

extension SynchronizeError: CustomStringConvertible {
    /// The table and the positions in one line.
    public var description: String {
        let list = positions.map(String.init).joined(separator: " and ")
        return "\(table): the elements at \(list) have the same key and are not equal"
    }
}
