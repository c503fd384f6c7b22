public import DovetailModel

/// Values of one model that are written in one way.
///
/// The closures are made where the model is known, in the user's module, so that the loop over the
/// values is specialized code although this class is not generic. (A method of a generic class is not
/// specialized across modules.)
///
/// A value becomes a row twice at most: for the first fetch that has to see it, which keeps the row,
/// or when it is written. What was kept is written as it is, so hooks of the model run once.
public final class ValueBatch: ChangeBatch {
    /// The model of the values.
    public let model: any Model.Type
    /// What happens to each value.
    public let verb: WriteVerb?
    /// The values: a ``Values`` of `model`, which the closures hold too.
    @usableFromInline let values: AnyObject
    private let valueCount: () -> Int
    /// Writes the values from a place on.
    private let writeValues: (any StoreConnection, EntityBinding, Int, inout Commit) throws -> Void
    /// Makes rows of the values from a place on.
    private let makeRows: (EntityBinding, Int) throws -> [RowImage]
    /// The rows of the first values. Empty for instances of classes, which may still change.
    private var kept: [RowImage] = []
    /// Whether rows are being made, by code of the model that may fetch.
    private var isMakingRows = false

    /// The values, in a box that the closures share, so that appending does not copy them.
    @usableFromInline
    final class Values<Value> {
        @usableFromInline var array: [Value]

        @inlinable
        init(_ array: [Value]) {
            self.array = array
        }
    }

    @usableFromInline
    init(
        _ verb: WriteVerb,
        _ model: any Model.Type,
        _ values: AnyObject,
        count: @escaping () -> Int,
        write: @escaping (any StoreConnection, EntityBinding, Int, inout Commit) throws -> Void,
        rows: @escaping (EntityBinding, Int) throws -> [RowImage]
    ) {
        self.verb = verb
        self.model = model
        self.values = values
        valueCount = count
        writeValues = write
        makeRows = rows
    }

    /// Makes a batch of values.
    @inlinable
    public convenience init<Value: Model>(_ verb: WriteVerb, _ values: [Value]) {
        let box = Values(values)
        self.init(
            verb,
            Value.self,
            box,
            count: { box.array.count },
            write: { connection, entity, start, commit in
                guard start < box.array.count else { return }
                let writer = try connection.writer(verb, into: entity)
                if verb == .delete {
                    try ModelWriter.writeColumns(
                        entity.keyColumns,
                        of: box.array[start...],
                        to: writer,
                        attributes: entity.attributes
                    ) { value in
                        do {
                            try writer.finishRow()
                        } catch {
                            throw connection.naming(value, in: error, of: entity)
                        }
                    }
                    return try writer.finish()
                }
                let givesKeys = verb.adds && entity.generatedColumn != nil
                try ModelWriter.writeRows(
                    box.array[start...],
                    to: writer,
                    attributes: entity.attributes
                ) { value in
                    do {
                        try writer.finishRow()
                    } catch {
                        throw connection.naming(value, in: error, of: entity)
                    }
                    if givesKeys, let key = writer.lastKey { commit.add(key, of: entity) }
                }
                try writer.finish()
            },
            rows: { entity, start in
                try box.array[start...].map { value in
                    verb == .delete
                        ? try entity.keyRow(of: value)
                        : try RowImage(of: value, attributes: entity.attributes)
                }
            }
        )
    }

    /// Adds values, if they are of the batch's model and for its verb; otherwise false.
    ///
    /// - Complexity: linear in the number of values.
    @inlinable
    public func append<Value: Model>(_ verb: WriteVerb, _ values: some Sequence<Value>) -> Bool {
        guard verb == self.verb, model == Value.self else { return false }
        // Invariant: `init(_:_:)` alone makes batches, with a box of the type of `model`.
        unsafeDowncast(self.values, to: Values<Value>.self).array.append(contentsOf: values)
        return true
    }

    /// How many values there are.
    public var count: Int? { valueCount() }

    /// The rows of all values, made as far as they were not.
    public func rows(of entity: EntityBinding) throws -> [RowImage] {
        // A model that fetches while it becomes a row sees those before it.
        if isMakingRows { return kept }
        isMakingRows = true
        defer { isMakingRows = false }
        let made = try makeRows(entity, kept.count)
        guard !(model is AnyObject.Type) else { return made }
        kept += made
        return kept
    }

    /// Writes all values.
    public func apply(
        to connection: any StoreConnection,
        of entity: EntityBinding,
        _ commit: inout Commit
    ) throws {
        guard verb == .update || verb == .upsert else {
            return try write(to: connection, entity, &commit)
        }
        // Rows that are made here are not made again when they are written a second time, and nor are
        // hooks run again.
        if entity.description.indexes.contains(where: \.isUnique) { _ = try rows(of: entity) }
        try writeSwapping(on: connection, entity, &commit) {
            try rows(of: entity).map { try entity.key(of: $0) }
        } _: { commit in
            try write(to: connection, entity, &commit)
        }
    }

    private func write(
        to connection: any StoreConnection,
        _ entity: EntityBinding,
        _ commit: inout Commit
    ) throws {
        if let verb, !kept.isEmpty {
            let writer = try connection.writer(verb, into: entity)
            for row in kept {
                try row.write(to: writer)
                do {
                    try writer.finishRow()
                } catch let error as StoreError {
                    throw connection.naming(row, in: error, of: entity)
                }
                if let key = writer.lastKey, verb.adds { commit.add(key, of: entity) }
            }
            try writer.finish()
        }
        try writeValues(connection, entity, kept.count, &commit)
    }
}
