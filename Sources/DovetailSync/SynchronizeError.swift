/// Why a list could not be synchronized. Nothing was changed.
public struct SynchronizeError: Error, Hashable, Sendable {
    /// The model's name in the store.
    public let table: String
    /// The positions of two elements that have one key and are not equal, so that the store could
    /// not hold both.
    public let positions: [Int]

    /// Makes an error of its parts.
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
