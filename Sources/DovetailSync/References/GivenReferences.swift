import DovetailContext
import DovetailModel
import DovetailStore

/// A list whose references all lead to rows that are there, and what was taken out of it.
struct GivenReferences<Value: Model & Identifiable> {
    /// The values, without references to what is not there.
    private(set) var values: [Value]
    /// What was taken out.
    private(set) var missing: [KeptReference] = []

    /// Looks for the rows that a list refers to.
    ///
    /// - Parameters:
    ///   - isWhole: Whether all rows of the table are to be those of the list.
    ///   - isKeeping: Whether what is taken out is to be kept, for which a value needs a key.
    ///   - gone: Rows that the list deletes.
    ///   - absent: Rows of the list that are not stored: they were deleted here.
    ///   - isOnlyAbsent: Whether only references to these are taken out, where their rule says so.
    /// - Complexity: linear in the number of values, and a look into the index of the key for each row that
    ///   is referred to. Nothing for a model without references.
    /// - Throws: ``SynchronizeError`` where a reference to what is not there cannot be nil, ``StoreError``,
    ///   and ``ModelEncodingError`` for a value that has no form in a column.
    init(
        _ given: [Value],
        _ entity: EntityBinding,
        isWhole: Bool,
        keeping isKeeping: Bool,
        deleting gone: [RowKey],
        without absent: Set<RowKey>,
        andOnly isOnlyAbsent: Bool,
        in context: ModelContext
    ) throws {
        values = given
        for reference in entity.description.references {
            let isOwn = reference.table == entity.table
            if isOnlyAbsent, !isOwn || reference.deleteRule != .nullify { continue }
            let targets = context.container.schema.bindings
            guard let target = targets.first(where: { $0.table == reference.table }) else {
                continue
            }
            var places: [QueryValue: [Int]] = [:]
            let sink = ValueSink(columns: entity.attributes.count)
            var place = 0
            try ModelWriter.writeRows(values, to: sink, attributes: entity.attributes) { _ in
                let key = sink.values[reference.column]
                defer { place += 1 }
                if key == .null { return }
                if !absent.isEmpty,
                    absent.contains(RowKey(entity.keyColumns.map { sink.values[$0] }))
                {
                    return
                }
                places[key, default: []].append(place)
            }
            if isOnlyAbsent {
                places = places.filter { absent.contains(RowKey([$0.key])) }
            } else if isOwn {
                try KeySink.forEachKey(of: values, entity) { _, key in
                    guard let key, !absent.contains(key) else { return }
                    if let key = key.values.first { places[key] = nil }
                }
            }
            let deleted = Set(isOwn ? gone : [])
            // Rows that are not in a list of all will be gone.
            if !isOnlyAbsent, !isOwn || !isWhole {
                let wanted = places.keys.map { RowKey([$0]) }
                try context.withRows(of: target.type, keys: wanted) { cursor in
                    while try cursor.next() {
                        let key = try RowKey(row: cursor, entity: target)
                        if let value = key.values.first, !deleted.contains(key) {
                            places[value] = nil
                        }
                    }
                }
            }
            try remove(reference, places, isKeeping, entity)
        }
    }

    /// Sets references to nil.
    private mutating func remove(
        _ reference: EntityDescription.Reference,
        _ places: [QueryValue: [Int]],
        _ isKeeping: Bool,
        _ entity: EntityBinding
    ) throws {
        if places.isEmpty { return }
        func refused(_ places: [Int]) -> SynchronizeError {
            SynchronizeError(
                table: entity.table,
                positions: places.sorted(),
                reason: .unknownReference
            )
        }
        guard entity.attributes[reference.column].isOptional else {
            throw refused(places.values.flatMap { $0 })
        }
        for (key, places) in places {
            for place in places {
                let row = try RowImage(of: values[place], attributes: entity.attributes)
                let source = try entity.key(of: row)
                if isKeeping, source.contains(.null) { throw refused([place]) }
                row.setNull(reference.column)
                values[place] = try ModelReader.readRow(
                    of: Value.self,
                    from: row,
                    fields: entity.fields
                )
                missing.append(
                    KeptReference(
                        source: entity.table,
                        sourceKey: source,
                        attribute: entity.attributes[reference.column].name,
                        target: reference.table,
                        targetKey: [key]
                    )
                )
            }
        }
    }
}
