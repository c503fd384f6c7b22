public import DovetailStore
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
public struct FetchDescriptor<T>: Sendable {
    /// What must hold of a value; nil for every one.
    ///
    /// - Complexity: O(1); that of a descriptor with `#Predicate { $0.id == id }` is made when it is read.
    public var predicate: Predicate<T>? {
        get { condition?.predicate }
        set { condition = newValue.map(PredicateCondition.predicate) }
    }
    /// The order, most important first. Text needs the comparator `.lexical`, the order of stores.
    public var sortBy: [SortDescriptor<T>]
    /// The most values to fetch; nil for all. A fetch refuses one below 0.
    public var fetchLimit: Int?
    /// How many values to leave out first; nil for none. A fetch refuses one below 0.
    public var fetchOffset: Int?
    /// Whether values that wait to be saved in the context are seen, and those that wait to be deleted
    /// are not. False asks only for what is stored; in a transaction that is what was saved in it.
    public var includePendingChanges = true
    /// Whether deleted values are fetched, of models with `@Model(deletion: .mark)`. Others have none.
    ///
    /// ```swift
    /// var bin = FetchDescriptor<Note>()
    /// bin.deletedValues = .only
    /// let notes = try context.fetch(bin)          // … WHERE (NOT ("$deleted" IS NULL))
    /// context.insert(notes[0])                    // brings it back
    /// ```
    ///
    /// Where something waits to be saved, it is written in a transaction that is undone.
    ///
    /// The objects of deleted rows belong to no context: each fetch makes new ones, whose `isDeleted` is true.
    /// What their rows refer to can be read, and their lists are empty, until `insert` brings one back.
    public var deletedValues = DeletedValues.excluded
    /// The properties that will be read: large values of `@Attribute(.externalStorage)` among them come
    /// with their objects, and not each when it is read.
    ///
    /// ```swift
    /// var covers = FetchDescriptor<Book>()
    /// covers.propertiesToFetch = [\.cover]
    /// ```
    ///
    /// Has no other effect: values and objects are read whole, and `fetch(_:as:)` reads a part of a value.
    public var propertiesToFetch: [any PartialKeyPath<T> & Sendable] = []
    /// The relationships that are loaded with the objects, instead of when they are read: one query for
    /// each, whatever the number of objects is, and one more for lists on both sides.
    ///
    /// ```swift
    /// var boxes = FetchDescriptor<Box>(predicate: #Predicate { $0.weight != nil })
    /// boxes.relationshipKeyPathsForPrefetching = [\.items, \.owner?.boxes]
    /// // SELECT … FROM "Box" WHERE …
    /// // SELECT … FROM "Item" WHERE ("box" IN dovetail_list(?1))
    /// // SELECT … FROM "Person" WHERE ("$id" IN dovetail_list(?1))
    /// // SELECT … FROM "Box" WHERE ("owner" IN dovetail_list(?1))
    /// ```
    ///
    /// What is loaded already is not asked for again. A fetch of objects of one class refuses a key path
    /// that is no relationship. For values, which have none, and for fetches of `any P` it has no
    /// effect; `fetch(_:joining:)` fetches what a value refers to.
    public var relationshipKeyPathsForPrefetching: [any PartialKeyPath<T> & Sendable] = []
    /// What ``predicate`` says.
    @usableFromInline var condition: PredicateCondition<T>?
    /// What ``after`` was set to.
    @usableFromInline var start: PageStart?

    /// Describes a fetch of all values for which the predicate holds.
    @_disfavoredOverload
    public init(predicate: Predicate<T>? = nil, sortBy: [SortDescriptor<T>] = []) {
        condition = predicate.map(PredicateCondition.predicate)
        self.sortBy = sortBy
    }

    /// Describes a fetch of all values for which the predicate that is written here holds.
    @inlinable
    public init(predicate: InlinePredicate<T>, sortBy: [SortDescriptor<T>] = []) {
        condition = predicate.condition
        self.sortBy = sortBy
    }

    /// Whether it takes every value for which the predicate holds, in any order.
    @inlinable
    var takesAll: Bool { fetchLimit == nil && takesFirst }

    /// Whether it takes the value for which the predicate holds, where that is one at most: `fetchLimit = 1` beside
    /// `$0.id == 7` changes nothing.
    @inlinable
    var takesFirst: Bool {
        (fetchLimit ?? 1) >= 1 && fetchOffset == nil && start == nil && sortBy.isEmpty
            && deletedValues == .excluded
    }
}
