public import Foundation

/// Which values to fetch, in which order, and how many.
///
/// ```swift
/// var page = FetchDescriptor<User>(
///     predicate: #Predicate { $0.age >= 18 },
///     sortBy: [SortDescriptor(\.name, comparator: .lexical)]
/// )
/// page.fetchLimit = 20
/// page.fetchOffset = 40
/// // … WHERE ("age" >= ?1) ORDER BY "name" LIMIT 20 OFFSET 40
/// ```
///
/// A descriptor is a value that knows no store: what a store cannot express is found by the fetch.
public struct FetchDescriptor<Value>: Sendable {
    /// What must hold of a value; nil for every one.
    public var predicate: Predicate<Value>?
    /// The order, most important first. Text needs the comparator `.lexical`, the order of stores.
    public var sortBy: [SortDescriptor<Value>]
    /// The most values to fetch; nil for all. A fetch refuses one below 0.
    public var fetchLimit: Int?
    /// How many values to leave out first; nil for none. A fetch refuses one below 0.
    public var fetchOffset: Int?
    /// Whether values that wait to be saved in the context are seen, and those that wait to be deleted
    /// are not. False asks only for what is stored; in a transaction that is what was saved in it.
    public var includePendingChanges = true
    /// The properties that will be read. A hint for objects; a value is always read whole, and
    /// `fetch(_:as:)` reads a part of one.
    public var propertiesToFetch: [any PartialKeyPath<Value> & Sendable] = []
    /// The relationships that will be followed. A hint for objects; a value has none, and
    /// `fetch(_:joining:)` fetches what it refers to.
    public var relationshipKeyPathsForPrefetching: [any PartialKeyPath<Value> & Sendable] = []
    /// What ``after`` was set to.
    @usableFromInline var start: PageStart?

    /// Describes a fetch of all values for which the predicate holds.
    public init(predicate: Predicate<Value>? = nil, sortBy: [SortDescriptor<Value>] = []) {
        self.predicate = predicate
        self.sortBy = sortBy
    }

    /// Whether it takes every value for which the predicate holds, in any order.
    @inlinable
    var takesAll: Bool {
        fetchLimit == nil && fetchOffset == nil && start == nil && sortBy.isEmpty
    }
}
