import DovetailModel
import DovetailStore

/// Rows that somebody has written: of classes, and of all models while somebody follows commits. Classes
/// that share a table are one: the one at the top.
struct TouchedRows: Sendable {
    /// The keys of changed and deleted rows, by type.
    private(set) var keys: [ObjectIdentifier: Set<RowKey>] = [:]
    /// The types of which any row may have changed.
    private(set) var all: Set<ObjectIdentifier> = []
    /// The types that have new rows, or rows in a join table that are.
    private(set) var added: Set<ObjectIdentifier> = []
    /// What may be held by lists of other classes in another way than before, by type.
    private(set) var moved: [ObjectIdentifier: Holders] = [:]
    /// The keys of new rows, while somebody follows.
    private var addedKeys: [ObjectIdentifier: Set<RowKey>] = [:]
    /// The types whose new rows are too many, or have keys that the store has given.
    private var manyAdded: Set<ObjectIdentifier> = []
    /// Whether it knows of all models and of new rows: somebody has followed all the time.
    private(set) var isComplete = true

    /// The objects whose relationships may hold other rows of one type than before.
    struct Holders: Sendable {
        /// Whether it may be any.
        var isAny = false
        /// Their keys by their types.
        var keys: [ObjectIdentifier: Set<RowKey>] = [:]

        static var any: Holders { Holders(isAny: true) }

        fileprivate mutating func add(_ other: Holders) {
            isAny = isAny || other.isAny
            keys = isAny ? [:] : keys.merging(other.keys) { $0.union($1) }
        }
    }

    /// Nobody knows which.
    static var unknown: TouchedRows {
        var rows = TouchedRows()
        rows.isComplete = false
        return rows
    }

    /// Any rows of all tables.
    static func any(of schema: Schema) -> TouchedRows {
        var rows = TouchedRows.unknown
        rows.all = Set(schema.bindings.map(\.tableIdentifier))
        for type in rows.all { rows.moved[type] = .any }
        return rows
    }

    /// More keys than these are not kept: any row may have changed.
    static let mostKeys = 1000

    /// Whether it names no row.
    var isEmpty: Bool { keys.isEmpty && all.isEmpty && added.isEmpty }

    /// Whether rows of a class were written at all.
    func contains(_ type: any PersistentModel.Type) -> Bool { contains(type.rootIdentifier) }

    /// Whether rows of a table were written at all, as far as it knows of it.
    func contains(_ type: ObjectIdentifier) -> Bool {
        keys[type] != nil || all.contains(type) || added.contains(type)
    }

    /// The keys of all rows of a table that were written; nil where that may be any.
    func keys(of type: ObjectIdentifier) -> Set<RowKey>? {
        guard isComplete, !all.contains(type), !manyAdded.contains(type) else { return nil }
        return (keys[type] ?? []).union(addedKeys[type] ?? [])
    }

    /// Adds what a batch has written, and what the rules of references may have changed with it.
    ///
    /// - Parameter isFollowed: Whether somebody wants to know of all models, and of new rows.
    /// - Throws: ``ModelEncodingError``; what was written cannot fail.
    mutating func add(
        _ batch: any ChangeBatch,
        of entity: EntityBinding,
        in schema: Schema,
        isFollowed: Bool
    ) throws {
        if !isFollowed { isComplete = false }
        let identifier = entity.tableIdentifier
        if entity.type is any PersistentModel.Type {
            moved[identifier, default: Holders()].add(Self.holders(of: batch, entity))
        }
        if isFollowed || entity.type is any PersistentModel.Type {
            if batch.verb?.adds == true { added.insert(identifier) }
            switch batch.verb {
            // Rows that others had deleted, and which are inserted again.
            case .insert where batch is RowBatch:
                insert(try Self.keys(of: batch, entity), identifier)
            case .insert where isFollowed:
                if let new = try Self.keys(of: batch, entity) {
                    addedKeys[identifier, default: []].formUnion(new)
                } else {
                    manyAdded.insert(identifier)
                }
            case .insert: break
            case .update, .delete, .upsert: insert(try Self.keys(of: batch, entity), identifier)
            case nil: all.insert(identifier)
            }
        }
        // What the lists of both sides hold.
        if entity.type is any JoinModel.Type {
            for attribute in entity.attributes {
                guard let target = attribute.reference?.target.tableIdentifier else { continue }
                added.insert(target)
                moved[target] = .any
            }
        }
        let isPredicate = batch as? PredicateBatch
        guard batch.verb == .delete || isPredicate.map({ $0.assignments == nil }) ?? false else {
            return
        }
        for other in schema.bindings
        where (isFollowed || other.type is any PersistentModel.Type)
            && schema.isDeletion(of: entity.type, seenIn: other.type)
        {
            all.insert(other.tableIdentifier)
            moved[other.tableIdentifier] = .any
        }
    }

    /// Adds what else was written.
    mutating func add(_ other: TouchedRows) {
        all.formUnion(other.all)
        added.formUnion(other.added)
        manyAdded.formUnion(other.manyAdded)
        isComplete = isComplete && other.isComplete
        for (type, holders) in other.moved { moved[type, default: Holders()].add(holders) }
        for (type, keys) in other.addedKeys { addedKeys[type, default: []].formUnion(keys) }
        for (type, keys) in other.keys { insert(keys, type) }
    }

    /// The objects whose relationships may hold others than before where a batch was written.
    private static func holders(of batch: any ChangeBatch, _ entity: EntityBinding) -> Holders {
        if let updates = batch as? ObjectUpdates {
            return updates.movesMembers ? .any : Holders()
        }
        let new = batch as? ObjectInsertions
        return new?.holders(of: entity, atMost: mostKeys).map { Holders(keys: $0) } ?? .any
    }

    /// The keys that a batch names; nil where they are too many, or the store has given some.
    private static func keys(
        of batch: any ChangeBatch,
        _ entity: EntityBinding
    ) throws -> Set<RowKey>? {
        if let updates = batch as? ObjectUpdates {
            if updates.identifiers.count > mostKeys { return nil }
            return Set(updates.identifiers.lazy.compactMap(\.key))
        }
        guard batch.count ?? .max <= mostKeys else { return nil }
        let keys = try batch.changes(of: entity).map(\.rowKey)
        return keys.contains(where: \.hasNull) ? nil : Set(keys)
    }

    private mutating func insert(_ new: Set<RowKey>?, _ type: ObjectIdentifier) {
        if all.contains(type) { return }
        guard let new else {
            all.insert(type)
            return
        }
        if new.isEmpty { return }
        keys[type, default: []].formUnion(new)
        if keys[type]?.count ?? 0 > Self.mostKeys { all.insert(type) }
    }
}

extension RowKey {
    /// Whether a part of it is NULL: the store gives it.
    fileprivate var hasNull: Bool {
        if case .other(let values) = self { values.contains(.null) } else { false }
    }
}
