public import DovetailContext
public import DovetailModel
import DovetailStore

/// How a row was changed here since it was synchronized last: what a backend has to be told.
///
/// ```swift
/// let changes = try context.localChanges(of: User.self)
/// for change in changes {
///     switch change {
///     case .inserted(let user): try await backend.post(user)
///     case .updated(let user, let patch): try await backend.patch(user.id, patch.encoded(as: .json))
///     case .deleted(let id): try await backend.delete(id)
///     }
/// }
/// try context.confirm(changes)
/// try context.save()
/// ```
public enum LocalChange<Value: Model & Identifiable> {
    /// It is new.
    case inserted(Value)
    /// It is the value by now, and the patch is what has changed of it.
    case updated(Value, Patch<Value>)
    /// It is gone.
    case deleted(Value.ID)
}

extension LocalChange: Equatable where Value: Equatable {}
extension LocalChange: Sendable where Value: Sendable, Value.ID: Sendable {}

extension ModelContext {
    /// What was changed here of a model since its last list was synchronized, in the order of the keys. What
    /// waits to be saved is not in it.
    ///
    /// They are none any more when a list has them, or they are given to `confirm`.
    ///
    /// - Complexity: linear in the number of changed rows, with a look into the index of the key for each.
    /// - Throws: ``StoreError``, of kind `historyDisabled` where the store does not know what was changed, and
    ///   `unsupported` for classes with `@Model`; ``ModelDecodingError`` for a row that is no value of the
    ///   model.
    public func localChanges<Value: Model & Identifiable>(
        of model: Value.Type
    ) throws -> [LocalChange<Value>] {
        let entity = try entityOfValues(model)
        var (known, mine): ([RowKey: BaseRow], [RowKey: Value]) = ([:], [:])
        try withOneState(of: [model]) {
            known = try BaseUpdate.required(self, entity).known
            for part in entity.parts(of: Array(known.keys)) {
                try withRows(of: Query(entity, filter: entity.filter(of: part)), model, false) {
                    cursor,
                    _ in
                    while try cursor.next() {
                        mine[try RowKey(row: cursor, entity: entity)] = try entity.value(of: cursor)
                    }
                }
            }
        }
        let keys = known.keys.sorted { $0.order(relativeTo: $1) < 0 }
        return try keys.compactMap { key in
            let base = known[key]?.values.map { RowImage($0) }
            guard let base else { return mine[key].map { .inserted($0) } }
            guard let value = mine[key] else {
                return .deleted(try RowIdentifiers<Value>(entity).identifier(of: base))
            }
            let patch = try Patch(from: entity.value(of: base), to: value)
            return patch.isEmpty ? nil : .updated(value, patch)
        }
    }
}

extension ModelContext {
    /// Says, when the context is saved, that a backend has some changes, so that they are none any more. What
    /// was changed since they were asked for still is.
    ///
    /// - Complexity: linear in the number of changed rows.
    /// - Throws: ``QueryError`` for a deleted identifier that lacks a member for a property of the key,
    ///   ``StoreError``, of kind `unsupported` for classes with `@Model`, and ``ModelEncodingError``. The save
    ///   throws `historyDisabled` where the store does not know what was changed.
    public func confirm<Value: Model & Identifiable>(
        _ changes: some Sequence<LocalChange<Value>>
    ) throws {
        let entity = try entityOfValues(Value.self)
        var told: [RowKey: ToldRow] = [:]
        for change in changes {
            switch change {
            case .inserted(let value):
                let row = try RowImage(of: value, attributes: entity.attributes)
                told[try RowKey(row: row, entity: entity)] = .whole(try entity.values(of: row))
            case .updated(let value, let patch):
                let row = try RowImage(of: value, attributes: entity.attributes)
                let said = try patch.merged(into: value, entity.attributes).said
                let columns = entity.attributes.indices.filter {
                    said.contains(entity.attributes[$0].path)
                        || entity.attributes[$0].name == "\(UnknownFields.columnName)"
                }
                told[try RowKey(row: row, entity: entity)] = .columns(
                    try columns.map { ($0, try QueryValue(row, $0, entity.attributes[$0])) }
                )
            case .deleted(let id):
                for key in try SynchronizeScope<Value>.keys(of: [id]) { told[key] = .gone }
            }
        }
        try confirm(told, of: Value.self)
    }

    /// Notes, when the context is saved, what a backend was told of rows: conflicts about that are over.
    ///
    /// - Throws: ``StoreError``.
    func confirm(_ told: [RowKey: ToldRow], of model: any Model.Type) throws {
        if told.isEmpty { return }
        let entity = try container.schema.entity(model)
        try KeptConflicts.forget(in: self) { conflict in
            guard conflict.table == entity.table, let row = told[RowKey(conflict.key)] else {
                return false
            }
            return row.says(conflict.attribute, entity)
        }
        enqueue(
            RowlessBatch(model) { connection, entity in
                var bases = try BaseUpdate.all(of: entity, on: connection) ?? [:]
                for (key, row) in told {
                    // What a list has brought in step meanwhile is so.
                    guard let base = bases[key] else { continue }
                    let values = row.applied(to: base.values, entity)
                    bases[key] = BaseRow(key: base.key, values: values)
                }
                var confirmed = bases.filter { told[$0.key] != nil }
                let keys = confirmed.keys
                try BaseUpdate.dropEqual(&confirmed, entity, on: connection) { _ in true }
                for key in keys where confirmed[key] == nil { bases[key] = nil }
                try connection.setBases(Array(bases.values), of: entity)
            }
        )
    }
}

/// What a backend was told of a row.
enum ToldRow {
    case whole([QueryValue])
    case columns([(Int, QueryValue)])
    case gone

    /// Whether it is something about an attribute; nil for the row as a whole.
    func says(_ attribute: String?, _ entity: EntityBinding) -> Bool {
        switch self {
        case .whole, .gone: true
        case .columns(let columns):
            columns.contains { entity.comparedName(of: $0.0) == attribute }
        }
    }

    /// The row of the backend.
    func applied(to base: [QueryValue]?, _ entity: EntityBinding) -> [QueryValue]? {
        switch self {
        case .gone: return nil
        case .whole(let values): return values
        case .columns(let columns):
            guard var values = base else { return nil }
            for (column, value) in columns { values[column] = value }
            // The place that it had in another list is none in this one.
            for (order, holder) in entity.placeColumns
            where columns.contains(where: { $0.0 == holder }) {
                values[order] = .null
            }
            return values
        }
    }
}
