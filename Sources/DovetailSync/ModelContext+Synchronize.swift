public import DovetailContext
public import DovetailModel
import DovetailStore

extension ModelContext {
    /// Makes the store hold exactly the given values of a model: new ones are inserted, different
    /// ones updated, the rest deleted. Part of the unit of work, so ``ModelContext/save()`` writes
    /// it.
    ///
    /// ```swift
    /// let changes = try context.synchronize(users)
    /// try context.save()      // UPDATE … WHERE "id" = ?1 for what differs, and no more
    /// ```
    ///
    /// - Complexity: linear: one pass over the given values and one over the stored rows, which are
    ///   compared in place. "Different" means that at least one column is.
    /// - Throws: ``SynchronizeError`` when two given values have one key and are not equal,
    ///   ``StoreError``, ``ModelEncodingError``. Nothing waits to be saved then that did not before.
    @discardableResult
    public func synchronize<Value: Model & Identifiable>(
        _ values: some Sequence<Value>
    ) throws -> EntityChanges<Value.ID> {
        let entity = try container.schema.entity(Value.self)
        var plan = try SynchronizePlan(Array(values), entity)
        try withRows(of: FetchDescriptor<Value>()) { cursor, _ in
            try plan.compare(with: cursor)
        }
        // What leaves goes first, so that a unique value may pass from one row to another.
        delete(rowsOf: entity, keys: plan.deletedKeys)
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
struct SynchronizePlan<Value: Model & Identifiable> {
    let values: [Value]
    private let entity: EntitySchema
    private var positions: [RowKey: Int] = [:]
    private var isStored: [Bool]

    private(set) var updated: [Int] = []
    private(set) var deleted: [Value.ID] = []
    private(set) var deletedKeys: [[QueryValue]] = []
    private(set) var unchanged = 0

    /// Takes the list; equal values with one key count once.
    init(_ values: [Value], _ entity: EntitySchema) throws {
        self.values = values
        self.entity = entity
        isStored = Array(repeating: false, count: values.count)
        positions.reserveCapacity(values.count)
        let sink = KeySink(entity)
        var position = 0
        var repeated: [(first: Int, second: Int)] = []
        try ModelWriter.writeRows(values, to: sink) { _ in
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

    /// The positions of values that no row has the key of.
    var inserted: [Int] { values.indices.filter { !isStored[$0] } }

    private func row(_ value: Value) throws -> [QueryValue] {
        let sink = ValueSink(columns: entity.attributes.count)
        try ModelWriter.writeRows(CollectionOfOne(value), to: sink) { _ in }
        return sink.values
    }

    /// Goes over the stored rows.
    mutating func compare(with cursor: any RowCursor) throws {
        let comparison = RowComparison(cursor)
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
            try ModelWriter.writeRows(CollectionOfOne(values[position]), to: comparison) { _ in }
            if comparison.differs {
                updated.append(position)
            } else {
                unchanged += 1
            }
        }
    }
}

/// Reads the identifier of a stored row.
struct RowIdentifiers<Value: Model & Identifiable> {
    private let entity: EntitySchema

    init(_ entity: EntitySchema) {
        self.entity = entity
    }

    /// Reads the key columns alone, unless the identifier is a type of the program's own or has a
    /// transform.
    ///
    /// - Throws: ``ModelDecodingError`` when the columns that are read are no value of the model.
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
        var values: [Value] = []
        var isFirst = true
        try ModelReader.readRows(of: Value.self, from: row, fields: entity.fields, into: &values) {
            defer { isFirst = false }
            return isFirst
        }
        return values[0].id
    }
}
