import DovetailContext
public import DovetailModel
public import DovetailStore
public import Foundation

/// What a list says about rows that it does not have: which of them it is a whole list of. A row is deleted
/// only inside of the scope, so a list of a part never deletes the rest.
///
/// ```swift
/// try context.synchronize(members, scope: .matching(#Predicate { $0.team == 5 }))
/// // SELECT … FROM "User" WHERE ("team" = ?1), and deletions among these alone
/// try context.synchronize(page, scope: .page(after: 100, through: 200))
/// // SELECT … FROM "User" WHERE ("id" > ?1) AND ("id" <= ?2)
/// ```
public struct SynchronizeScope<Value: Model & Identifiable>: Sendable {
    private enum Form {
        case full
        case matching(Predicate<Value>)
        /// What belongs to one row.
        case within(Owner)
        /// What a backend has changed, and which rows it has deleted.
        case changes(SynchronizePlan.Tokens, deleted: Result<[RowKey], any Error>)
    }

    /// What the values of a part hold in one attribute.
    private struct Owner: Sendable {
        let filter: @Sendable (QueryTranslator) throws -> QueryExpression
        let contains: @Sendable (Value) -> Bool
    }

    /// The form of a key in its columns; nil for no bound.
    private typealias Bound = Result<[QueryValue]?, any Error>

    private let form: Form
    /// The keys inside: above the first and up to the second, of which each may be missing; nil for all.
    private var page: (after: Bound, through: Bound)?
    /// Of a list of changes, whether no other one follows that was asked for with it.
    var isLast = true

    /// All values of the model.
    public static var full: SynchronizeScope { SynchronizeScope(form: .full) }

    /// The values for which a predicate holds. It has to hold of each given value; a row outside that has
    /// the key of one is updated, and comes in.
    @_disfavoredOverload
    public static func matching(_ predicate: Predicate<Value>) -> SynchronizeScope {
        SynchronizeScope(form: .matching(predicate))
    }

    /// The same for a predicate that is written here.
    public static func matching(_ predicate: InlinePredicate<Value>) -> SynchronizeScope {
        .matching(predicate.predicate)
    }

    /// The values that belong to one row: those whose attribute holds its key.
    ///
    /// ```swift
    /// try context.synchronize(items, scope: .within(\.orderID, order.id))
    /// // SELECT … FROM "Item" WHERE ("orderID" = ?1)
    /// ```
    ///
    /// It costs what these rows cost, however many the table has, for an attribute with
    /// `@Attribute(.references(Order.self))` has an index. Each given value has to hold the key; one that
    /// belongs to another row by now comes in.
    ///
    /// - Parameters:
    ///   - reference: The attribute.
    ///   - owner: What it holds.
    /// - Throws: nothing here; `synchronize` throws ``QueryError`` for what is no stored attribute, and for a
    ///   value that has no form in its column.
    public static func within<Key: ModelValue & Equatable & Sendable>(
        _ reference: any KeyPath<Value, Key> & Sendable,
        _ owner: Key
    ) -> SynchronizeScope {
        SynchronizeScope(
            form: .within(
                Owner(
                    filter: { translator in
                        let column = try translator.column(of: reference)
                        let value = try translator.constant(owner, in: reference, for: column)
                        let attribute = QueryExpression.attribute(
                            column,
                            isOptional: translator.entity.attributes[column].isOptional
                        )
                        return .equal(attribute, .value(value))
                    },
                    contains: { $0[keyPath: reference] == owner }
                )
            )
        )
    }

    /// The same for an attribute that may hold none.
    public static func within<Key: ModelValue & Equatable & Sendable>(
        _ reference: any KeyPath<Value, Key?> & Sendable,
        _ owner: Key
    ) -> SynchronizeScope {
        within(reference, Optional(owner))
    }

    /// The values of one page of a list in the order of its keys: those that come after one identifier, and
    /// up to another one.
    ///
    /// ```swift
    /// var last: Int?
    /// for try await page in pages {                               // in the order of `id`, none of them empty
    ///     let next = page.map(\.id).max()
    ///     try context.synchronize(page, scope: .page(after: last, through: next))
    ///     last = next
    /// }
    /// try context.synchronize([], scope: SynchronizeScope<User>.page(after: last, through: nil))
    /// ```
    ///
    /// The last line deletes what is stored behind the last page.
    /// Identifiers have the order of the store: numbers by size, text by its bytes, dates by time; a key of
    /// several columns by the first one, and where that is equal by the next.
    ///
    /// - Parameters:
    ///   - first: The last identifier of the page before; nil for the first page.
    ///   - last: The last identifier of this page; nil for the last page, which goes to the end.
    /// - Throws: nothing here; `synchronize` throws ``QueryError`` for an identifier that has no form in a
    ///   column, or that lacks a member for a property of a key of several columns.
    public static func page(after first: Value.ID?, through last: Value.ID?) -> SynchronizeScope {
        func bound(_ id: Value.ID?) -> Bound {
            Bound { try id.map { try key($0, EntityBinding(Value.self)) } }
        }
        return SynchronizeScope(form: .full, page: (bound(first), bound(last)))
    }

    /// The same without a word about tokens: of a list of everything, all rows.
    var untold: SynchronizeScope {
        tokens == nil ? self : SynchronizeScope(form: .full, page: page)
    }

    /// Whether it is that of a list whose parts can be compared one after the other.
    var canBeParted: Bool {
        if case .changes(let tokens, _) = form { return page == nil && tokens.since == nil }
        return page == nil
    }

    /// The part of the scope whose keys are above the first and up to the second.
    func part(after first: QueryValue?, through last: QueryValue?) -> SynchronizeScope {
        SynchronizeScope(
            form: form,
            page: (.success(first.map { [$0] }), .success(last.map { [$0] }))
        )
    }

    /// What has changed since a token: the list has the new and changed values, and says which were deleted.
    /// All others stay.
    ///
    /// ```swift
    /// let token = try context.changeToken(of: User.self)
    /// let answer = try await backend.users(changedSince: token)
    /// try context.synchronize(
    ///     answer.users,
    ///     scope: .changesSince(token, next: answer.token, deleted: answer.deletedIDs)
    /// )
    /// try context.save()                  // the rows and the next token, or neither
    /// ```
    ///
    /// Without a token it is a list of everything, as with ``full``: the first one, and one with which a
    /// backend begins anew. A token that is not the stored one is refused: the changes between both would be
    /// missing.
    ///
    /// - Parameters:
    ///   - token: The token with which the list was asked for.
    ///   - next: The token that came with it, which is stored with the rows.
    ///   - deleted: The identifiers of the values that the backend has deleted. Those that no row has do not
    ///     matter.
    /// - Throws: nothing here; `synchronize` throws ``QueryError`` for an identifier that has no form in a
    ///   column, or that lacks a member for a property of a key of several columns.
    public static func changesSince(
        _ token: String?,
        next: String,
        deleted: [Value.ID] = []
    ) -> SynchronizeScope {
        let gone = Result { try keys(of: deleted) }
        let tokens = SynchronizePlan.Tokens(since: token, next: next)
        return SynchronizeScope(form: .changes(tokens, deleted: gone))
    }

    /// The form of an identifier in the key columns.
    private static func key(_ id: Value.ID, _ entity: EntityBinding) throws -> [QueryValue] {
        if let values = try KeyForm.values(of: id, of: entity) { return values }
        throw QueryError(
            expression: "\(Value.self).id",
            explanation: "the scope names an identifier that no row can have"
        )
    }

    /// The keys of rows, by their identifiers.
    ///
    /// - Throws: ``QueryError``.
    static func keys(of identifiers: [Value.ID]) throws -> [RowKey] {
        if identifiers.isEmpty { return [] }
        let entity = EntityBinding(Value.self)
        return try identifiers.map { RowKey(try key($0, entity)) }
    }

    /// Of a list of changes, where it begins and ends.
    var tokens: SynchronizePlan.Tokens? {
        if case .changes(let tokens, _) = form { tokens } else { nil }
    }

    /// The keys that a list of changes says were deleted; nil for a list of everything in its scope.
    ///
    /// - Throws: ``QueryError``.
    func deletedKeys() throws -> [RowKey]? {
        guard case .changes(let tokens, let keys) = form else { return nil }
        let deleted = try keys.get()
        return tokens.since == nil ? nil : deleted
    }

    /// Whether all rows of the model are inside.
    var isWhole: Bool {
        switch form {
        case .full: page == nil
        case .changes(let tokens, _): page == nil && tokens.since == nil
        case .matching, .within: false
        }
    }

    /// Whether the other side has no row of a key inside that the list does not name, unless it had one before: a
    /// list of changes would name it.
    var tellsOfAbsentKeys: Bool {
        switch form {
        case .full: true
        case .changes(let tokens, _): tokens.since == nil || isLast
        case .matching, .within: false
        }
    }

    /// Whether it is that of a page, or of a part, of which another one may have more.
    var isPage: Bool { page != nil }

    /// Whether a row outside can have the key of a value inside.
    var letsRowsIn: Bool {
        switch form {
        case .matching, .within: true
        case .full, .changes: false
        }
    }

    /// The filter of the rows inside; nil for all.
    ///
    /// - Throws: ``QueryError`` for a predicate that no store understands.
    func filter(in context: ModelContext, _ entity: EntityBinding) throws -> QueryExpression? {
        var parts: [QueryExpression] = []
        switch form {
        case .full, .changes: break
        case .matching(let predicate):
            if let filter = try context.query(FetchDescriptor(predicate: predicate)).filter {
                parts.append(filter)
            }
        case .within(let owner):
            parts.append(try owner.filter(QueryTranslator(entity, in: context.container.schema)))
        }
        if let page {
            if let after = try page.after.get() {
                parts.append(Self.filter(entity.keyColumns[...], .greater, .greater, after[...]))
            }
            if let through = try page.through.get() {
                parts.append(Self.filter(entity.keyColumns[...], .less, .lessOrEqual, through[...]))
            }
        }
        guard let first = parts.first else { return nil }
        return parts.dropFirst().reduce(first) { .and($0, $1) }
    }

    /// What holds of keys on one side of another one.
    ///
    /// - Parameters:
    ///   - comparison: How a column compares whose next ones do not count then.
    ///   - last: How the last column does.
    private static func filter(
        _ columns: ArraySlice<Int>,
        _ comparison: QueryComparison,
        _ last: QueryComparison,
        _ values: ArraySlice<QueryValue>
    ) -> QueryExpression {
        guard let column = columns.first, let value = values.first else {
            return .value(.bool(true))
        }
        let (key, bound) = (
            QueryExpression.attribute(column, isOptional: false), QueryExpression.value(value)
        )
        if columns.count == 1 { return .comparison(last, key, bound) }
        let rest = filter(columns.dropFirst(), comparison, last, values.dropFirst())
        let isBeyond = QueryExpression.or(
            .comparison(comparison, key, bound),
            .and(.equal(key, bound), rest)
        )
        // Outside of `OR`, where a database looks for an index.
        return .and(
            .comparison(comparison == .greater ? .greaterOrEqual : .lessOrEqual, key, bound),
            isBeyond
        )
    }

    /// Which of some keys in their order can be those of rows inside.
    ///
    /// - Complexity: O(log n).
    /// - Throws: ``QueryError`` for an identifier that has no form in a column.
    func range(in keys: [RowKey]) throws -> Range<Int> {
        func place(_ bound: Bound, _ none: Int) throws -> Int {
            guard let bound = try bound.get().map({ RowKey($0) }) else { return none }
            var (low, high) = (0, keys.count)
            while low < high {
                let middle = low + (high - low) / 2
                if keys[middle].order(relativeTo: bound) <= 0 {
                    low = middle + 1
                } else {
                    high = middle
                }
            }
            return low
        }
        guard let page else { return 0..<keys.count }
        let first = try place(page.after, 0)
        return first..<max(first, try place(page.through, keys.count))
    }

    /// Whether a row with a key can be inside.
    ///
    /// - Throws: ``QueryError`` for an identifier that has no form in a column.
    private func mayContain(_ key: RowKey) throws -> Bool {
        guard let page else { return true }
        if let after = try page.after.get(), key.order(relativeTo: RowKey(after)) <= 0 {
            return false
        }
        guard let through = try page.through.get() else { return true }
        return key.order(relativeTo: RowKey(through)) <= 0
    }

    /// The places in the list of values that are outside.
    ///
    /// - Throws: what `evaluate` of the predicate throws, and ``ModelEncodingError`` for a key that has no
    ///   form in a column.
    func places(outside values: [Value], _ entity: EntityBinding) throws -> [Int] {
        var outside: [Int] = []
        switch form {
        case .full, .changes: break
        case .matching(let predicate):
            outside = try values.indices.filter { try !predicate.evaluate(values[$0]) }
        case .within(let owner):
            outside = values.indices.filter { !owner.contains(values[$0]) }
        }
        guard outside.isEmpty, let page else { return outside }
        if try page.after.get() == nil, try page.through.get() == nil { return [] }
        try KeySink.forEachKey(of: values, entity) { place, key in
            guard let key, try mayContain(key) else { return outside.append(place) }
        }
        return outside
    }
}
