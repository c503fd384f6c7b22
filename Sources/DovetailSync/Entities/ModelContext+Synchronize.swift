public import DovetailContext
public import DovetailModel
import DovetailStore

extension ModelContext {
    /// Makes the store hold exactly the given values of a model, or of a part of them: new ones are
    /// inserted, different ones are updated, and the others are deleted. It is part of the unit of work,
    /// so ``ModelContext/save()`` writes it.
    ///
    /// ```swift
    /// let changes = try context.synchronize(users)
    /// // SELECT "id", "name", "age" FROM "User"
    /// try context.save()
    /// // DELETE FROM "User" WHERE "id" = ?1
    /// // UPDATE "User" SET "name" = ?2, "age" = ?3 WHERE "id" = ?1
    /// // INSERT INTO "User" ("id", "name", "age") VALUES (?1, ?2, ?3)
    /// ```
    ///
    /// Each statement runs once for each row that differs, and for no other. "Different" means that
    /// at least one column is. What waits to be saved counts as stored. A stored row that is no
    /// value of the model any more is deleted or repaired like every other, as long as its key can
    /// be read.
    ///
    /// - Parameters:
    ///   - values: What there is to be.
    ///   - scope: Which rows they are all of; others are not deleted.
    /// - Complexity: linear: two passes over the given values, one to find their keys, and one over
    ///   the stored rows in the scope, which are compared in place. In a scope, the keys that it does not
    ///   have are looked up. Memory holds the given values and keys.
    /// - Throws: ``SynchronizeError`` when two given values have one key and are not equal, and for values
    ///   outside of the scope, ``QueryError`` for a scope that no store understands, ``StoreError``, of kind `unsupported` for classes with `@Model`, whose objects belong to their
    ///   context, ``ModelEncodingError`` for a value that has no form in a column, and
    ///   ``ModelDecodingError`` for a stored key that cannot be read. Nothing waits to be saved
    ///   then that did not before.
    @discardableResult
    public func synchronize<Value: Model & Identifiable>(
        _ values: some Sequence<Value>,
        scope: SynchronizeScope<Value> = .full
    ) throws -> EntityChanges<Value.ID> {
        guard !(Value.self is any PersistentModel.Type) else {
            throw StoreError(
                .unsupported,
                table: Value.modelTable,
                explanation: "objects belong to their context: set their properties, insert and "
                    + "delete them; values are synchronized"
            )
        }
        let entity = try container.schema.entity(Value.self)
        let values = Array(values)
        let outside = try scope.positions(outside: values)
        guard outside.isEmpty else {
            throw SynchronizeError(
                table: entity.table,
                positions: outside,
                reason: .outsideScope
            )
        }
        var plan = try SynchronizePlan(values, entity)
        try withRows(of: FetchDescriptor(predicate: scope.predicate)) { cursor, _ in
            try plan.compare(with: cursor)
        }
        if scope.predicate != nil {
            try withRows(of: Value.self, keys: plan.missingKeys) { try plan.compare(with: $0) }
        }
        // In this order a unique value may pass from a deleted row to any other one, and from an
        // updated row to a new one.
        if !plan.deletedKeys.isEmpty {
            let deletions = plan.deletedKeys.map { RowChange(deleting: $0) }
            enqueue(RowBatch(Value.self, .delete, deletions))
        }
        update(plan.updated.map { plan.values[$0] })
        insert(contentsOf: plan.inserted.map { plan.values[$0] })
        return EntityChanges(
            inserted: plan.inserted.map { plan.values[$0].id },
            updated: plan.updated.map { plan.values[$0].id },
            deleted: plan.deleted,
            unchanged: plan.unchanged
        )
    }
}

/// What has to happen to make the rows of an entity equal to a list.
///
/// ``ModelContext/synchronize(_:scope:)`` makes one for each call: the initializer indexes the list by
/// keys, and ``compare(with:)`` goes over the stored rows once. A value is named by its position in
/// ``values``.
struct SynchronizePlan<Value: Model & Identifiable> {
    let values: [Value]
    private let entity: EntityBinding
    /// The position of the first value with a key.
    private var positions: [RowKey: Int] = [:]
    /// By position, whether the value needs no insert: a row has its key, or it repeats a value.
    private var isStored: [Bool]

    /// The positions of values whose row differs.
    private(set) var updated: [Int] = []
    private(set) var deleted: [Value.ID] = []
    /// The keys of the rows of `deleted`, in the same order.
    private(set) var deletedKeys: [[QueryValue]] = []
    private(set) var unchanged = 0

    /// Takes the list and finds the key of each value. Equal values with one key count once.
    ///
    /// Keys are written by the model into a ``KeySink``, so they have the form that columns have.
    /// Only values that repeat a key are compared as whole rows.
    ///
    /// - Throws: ``SynchronizeError``, and ``ModelEncodingError``.
    init(_ values: [Value], _ entity: EntityBinding) throws {
        self.values = values
        self.entity = entity
        isStored = Array(repeating: false, count: values.count)
        positions.reserveCapacity(values.count)
        let sink = KeySink(entity)
        var position = 0
        var repeated: [(first: Int, second: Int)] = []
        try ModelWriter.writeRows(values, to: sink, attributes: entity.attributes) { _ in
            // A value whose key the database will give is a new one.
            if sink.isKeyMissing {
                position += 1
                return
            }
            if let first = positions.updateValue(position, forKey: sink.key) {
                positions[sink.key] = first
                repeated.append((first, position))
            }
            position += 1
        }
        for (first, second) in repeated {
            guard try row(values[first]) == row(values[second]) else {
                throw SynchronizeError(table: entity.table, positions: [first, second])
            }
            isStored[second] = true
        }
    }

    /// The positions of values whose key no row has.
    ///
    /// - Complexity: linear in the number of values, at each call.
    var inserted: [Int] { values.indices.filter { !isStored[$0] } }

    /// The keys of values that no row had yet.
    ///
    /// - Complexity: linear in the number of values, at each call.
    var missingKeys: [RowKey] {
        positions.lazy.filter { [isStored] in !isStored[$0.value] }.map(\.key)
    }

    /// All columns of a value.
    private func row(_ value: Value) throws -> [QueryValue] {
        let sink = ValueSink(columns: entity.attributes.count)
        try ModelWriter.writeRows(
            CollectionOfOne(value),
            to: sink,
            attributes: entity.attributes
        ) { _ in }
        return sink.values
    }

    /// Goes over the stored rows and finds what differs.
    ///
    /// No value is made of a row: its key is looked up, and the value that has it is written
    /// against the columns.
    ///
    /// - Throws: ``StoreError``, ``ModelEncodingError``, and ``ModelDecodingError`` for a key that
    ///   cannot be read.
    mutating func compare(with cursor: any RowCursor) throws {
        let comparison = RowComparison(cursor)
        let attributes = entity.attributes
        let identifiers = RowIdentifiers<Value>(entity)
        while try cursor.next() {
            let key = try RowKey(row: cursor, entity: entity)
            guard let position = positions[key] else {
                deleted.append(try identifiers.identifier(of: cursor))
                deletedKeys.append(key.values)
                continue
            }
            isStored[position] = true
            comparison.reset()
            try ModelWriter.writeRows(
                CollectionOfOne(values[position]),
                to: comparison,
                attributes: attributes
            ) { _ in }
            if comparison.differs {
                updated.append(position)
            } else {
                unchanged += 1
            }
        }
    }
}

/// Reads the identifier of a stored row, for ``EntityChanges/deleted``.
struct RowIdentifiers<Value: Model & Identifiable> {
    private let entity: EntityBinding

    init(_ entity: EntityBinding) {
        self.entity = entity
    }

    /// Reads as few columns as it can, so that a row which is no value of the model any more still
    /// has an identifier.
    ///
    /// - A key of one column without a transform is read by itself, when the identifier is a value
    ///   of documents (``ModelValue``).
    /// - A key of several columns is made by generated code, ``Model/modelIdentifier(of:)``.
    /// - For every other identifier the whole row is read as a value.
    ///
    /// - Throws: ``ModelDecodingError`` when the columns that are read do not hold what the model
    ///   says.
    func identifier(of row: any RowSource) throws -> Value.ID {
        if let type = Value.ID.self as? any ModelValue.Type, let column = entity.keyColumns.first,
            entity.keyColumns.count == 1, entity.attributes[column].transform == nil,
            let id = try ModelReader.readColumn(column, of: row, fields: entity.fields, as: type)
                as? Value.ID
        {
            return id
        }
        let key = ModelKeyRow(row, fields: entity.fields, columns: entity.keyColumns)
        if let id = try Value.modelIdentifier(of: key) as? Value.ID { return id }
        // Advances once, onto the row where the cursor is already: `values` gets one element.
        var values: [Value] = []
        var isFirst = true
        try ModelReader.readRows(of: Value.self, from: row, fields: entity.fields, into: &values) {
            defer { isFirst = false }
            return isFirst
        }
        return values[0].id
    }
}
