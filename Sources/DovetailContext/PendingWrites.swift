public import DovetailModel
public import DovetailStore

/// Values of one model that wait to be written in one way. A ``ModelContext`` owns them, in the
/// order in which they came.
///
/// The closures are made where the model is known, in the caller's module, so that the loop over
/// the values is specialized code although this class is not generic.
///
/// A value becomes a row twice at most: for the first fetch that has to see it, which keeps the row,
/// or when it is saved. What was kept is saved as it is, so hooks of the model run once.
///
/// Invariant: where `takesMore`, `values` is a ``PendingValues`` of `model`, and more values may be
/// appended to it. `ModelContext.enqueue` alone makes such ones.
@usableFromInline
final class PendingWrites {
    /// What is done with each value; nil for a deletion by a predicate.
    @usableFromInline let verb: WriteVerb?
    @usableFromInline let model: any Model.Type
    @usableFromInline let takesMore: Bool
    /// The values, which the closures hold too. Boxed, so that appending does not copy them.
    @usableFromInline let values: AnyObject
    /// Writes the values from a place on.
    private let writeValues: (any StoreConnection, EntityBinding, Int, inout Commit) throws -> Void
    /// Makes rows of the values from a place on.
    private let makeRows: (EntityBinding, Int) throws -> [RowImage]
    /// The rows of the first values. Empty for instances of classes, which may still change.
    private(set) var rows: [RowImage] = []
    /// Whether rows are being made, by code of the model that may fetch.
    private var isMakingRows = false

    @usableFromInline
    init(
        _ verb: WriteVerb?,
        _ model: any Model.Type,
        values: AnyObject,
        takesMore: Bool = false,
        write: @escaping (any StoreConnection, EntityBinding, Int, inout Commit) throws -> Void,
        rows: @escaping (EntityBinding, Int) throws -> [RowImage]
    ) {
        self.verb = verb
        self.model = model
        self.takesMore = takesMore
        self.values = values
        writeValues = write
        makeRows = rows
    }

    /// Whether rows that were made of the values stay what they are.
    private var keepsRows: Bool { !(model is AnyObject.Type) }

    /// The rows of all values, made as far as they were not.
    ///
    /// - Throws: ``ModelEncodingError`` for a value that has no form in a column.
    func allRows(of entity: EntityBinding) throws -> [RowImage] {
        // A model that fetches while it becomes a row sees those before it.
        if isMakingRows { return rows }
        isMakingRows = true
        defer { isMakingRows = false }
        let start = rows.count
        let made = try makeRows(entity, start)
        guard keepsRows else { return made }
        rows += made
        return rows
    }

    /// Writes all values.
    ///
    /// - Parameter commit: Takes the keys that were given.
    func write(
        to connection: any StoreConnection,
        _ entity: EntityBinding,
        _ commit: inout Commit
    ) throws {
        guard verb == .update || verb == .upsert else {
            return try writeOnce(to: connection, entity, &commit)
        }
        // Rows that are made here are not made again when they are written a second time, and nor are
        // hooks run again.
        if entity.description.indexes.contains(where: \.isUnique) { _ = try allRows(of: entity) }
        var given = Commit()
        do {
            try connection.transaction(keeping: true) {
                try writeOnce(to: connection, entity, &given)
            }
        } catch let error as StoreError where error.kind == .uniqueViolation {
            // Two rows of the list may swap a value. So all of them first give theirs up.
            let keys = try allRows(of: entity).map { row in
                try entity.keyColumns.map { try QueryValue(row, $0, entity.attributes[$0]) }
            }
            guard keys.count > 1 else { throw error }
            given = Commit()
            try connection.park(keys, of: entity)
            try writeOnce(to: connection, entity, &given)
        }
        commit.append(given)
    }

    private func writeOnce(
        to connection: any StoreConnection,
        _ entity: EntityBinding,
        _ commit: inout Commit
    ) throws {
        if let verb, !rows.isEmpty {
            let writer = try connection.writer(verb, into: entity)
            for row in rows {
                try row.write(to: writer)
                try writer.finishRow()
                if let key = writer.lastKey, verb.adds { commit.add(key, of: entity) }
            }
        }
        try writeValues(connection, entity, rows.count, &commit)
    }
}

/// The values of a ``PendingWrites``, in a box that its closures share.
@usableFromInline
final class PendingValues<Value> {
    @usableFromInline var array: [Value]

    @inlinable
    init(_ array: [Value]) {
        self.array = array
    }
}
