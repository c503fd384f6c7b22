public import DovetailModel
import DovetailStore
public import Foundation

/// The value after which a page begins.
@usableFromInline
struct PageStart: Sendable {
    let value: any Sendable
    /// The row of the value.
    let row: @Sendable () throws -> RowImage
}

extension FetchDescriptor where T: Model & Sendable {
    /// Describes a page: what comes after a value in the order.
    ///
    /// ```swift
    /// var page = FetchDescriptor<User>(sortBy: [SortDescriptor(\.name, comparator: .lexical)])
    /// page.fetchLimit = 20
    /// while let last = try context.fetch(page).last { page.after = last }
    /// // … WHERE "name" >= ?1 AND ("name" > ?1 OR ("name" = ?1 AND "id" > ?2))
    /// // ORDER BY "name", "id" LIMIT 20
    /// ```
    ///
    /// - Parameter last: The last value of the page before; nil for the first page.
    @_disfavoredOverload
    public init(
        predicate: Predicate<T>? = nil,
        sortBy: [SortDescriptor<T>] = [],
        after last: T?
    ) {
        self.init(predicate: predicate, sortBy: sortBy)
        after = last
    }

    /// The value after which the page begins, in the order of ``sortBy`` and then of the key; nil to
    /// begin with the first one.
    ///
    /// Unlike ``fetchOffset`` it costs the same on every page where an index serves the order, and it
    /// leaves nothing out and gives nothing twice when rows come or go between two pages. Only the
    /// attributes in the order and the key count, and the value need not be there any more.
    ///
    /// A fetch refuses a value whose key the database has not given yet.
    public var after: T? {
        get { start?.value as? T }
        set {
            start = newValue.map { last in
                PageStart(value: last) { try RowImage(of: last) }
            }
        }
    }
}
