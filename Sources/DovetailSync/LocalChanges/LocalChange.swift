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
    /// They are none any more when a list has them, or they are given to ``confirm(_:)``.
    ///
    /// - Complexity: linear in the number of changed rows, with a look into the index of the key for each.
    /// - Throws: ``StoreError``, of kind `historyDisabled` where the store does not know what was changed, and
    ///   `unsupported` for classes with `@Model`; ``ModelDecodingError`` for a row that is no value of the
    ///   model.
    public func localChanges<Value: Model & Identifiable>(
        of model: Value.Type
    ) throws -> [LocalChange<Value>] {
        let entity = try entityOfValues(model)
        let bases = try BaseUpdate.required(self, entity)
        var mine: [RowKey: Value] = [:]
        let keys = bases.known.keys.sorted { $0.order(relativeTo: $1) < 0 }
        for part in entity.parts(of: keys) {
            try withRows(of: Query(entity, filter: entity.filter(of: part)), model, false) {
                cursor,
                _ in
                while try cursor.next() {
                    mine[try RowKey(row: cursor, entity: entity)] = try entity.value(of: cursor)
                }
            }
        }
        return try keys.compactMap { key in
            let base = bases.known[key]?.values.map { RowImage($0) }
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
    /// - Throws: ``QueryError`` for a deleted value of a model whose key is not the one attribute `id`,
    ///   ``StoreError``, of kind `unsupported` for classes with `@Model`, and ``ModelEncodingError``. The save
    ///   throws `historyDisabled` where the store does not know what was changed.
    public func confirm<Value: Model & Identifiable>(
        _ changes: some Sequence<LocalChange<Value>>
    ) throws {
        let entity = try entityOfValues(Value.self)
        let told = try changes.flatMap { change in
            switch change {
            case .inserted(let value), .updated(let value, _):
                let row = try RowImage(of: value, attributes: entity.attributes)
                return [BaseRow(key: try entity.key(of: row), values: try entity.values(of: row))]
            case .deleted(let id):
                return try SynchronizeScope<Value>.keys(of: [id]).map {
                    BaseRow(key: $0.values, values: nil)
                }
            }
        }
        if told.isEmpty { return }
        enqueue(
            RowlessBatch(Value.self) { connection, entity in
                var bases: [[QueryValue]: BaseRow] = [:]
                for row in try connection.bases(of: entity) ?? [] { bases[row.key] = row }
                for row in told { bases[row.key] = row }
                try connection.setBases(Array(bases.values), of: entity)
            }
        )
    }
}

extension EntityBinding {
    /// The value of the row where a cursor is, or of an image.
    ///
    /// - Throws: ``ModelDecodingError`` when the row is no value of the model.
    func value<Value: Model>(of row: any RowSource) throws -> Value {
        var values: [Value] = []
        var isFirst = true
        try ModelReader.readRows(of: Value.self, from: row, fields: fields, into: &values) {
            defer { isFirst = false }
            return isFirst
        }
        return values[0]
    }
}
