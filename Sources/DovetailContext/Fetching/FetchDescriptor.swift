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
