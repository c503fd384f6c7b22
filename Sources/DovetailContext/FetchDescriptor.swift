public import Foundation

/// Which values to fetch, in which order, and how many.
public struct FetchDescriptor<Value>: Sendable {
    /// What must hold of a value; nil for every one.
    public var predicate: Predicate<Value>?
    /// The order, most important first.
    public var sortBy: [SortDescriptor<Value>]
    /// The most values to fetch; nil for all.
    public var fetchLimit: Int?
    /// How many values to leave out first.
    public var fetchOffset: Int?

    /// Describes a fetch.
    public init(predicate: Predicate<Value>? = nil, sortBy: [SortDescriptor<Value>] = []) {
        self.predicate = predicate
        self.sortBy = sortBy
    }
}
