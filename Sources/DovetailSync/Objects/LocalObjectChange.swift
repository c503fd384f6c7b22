public import DovetailContext
import DovetailModel
public import DovetailStore

/// How an object was changed here since a document brought it last: what a backend has to be told.
///
/// ```swift
/// let changes = try context.localChanges(of: Album.self)
/// for change in changes {
///     switch change.kind {
///     case .inserted(let album): try await backend.post(context.encode(album, as: .json))
///     case .updated(_, let patch): try await backend.patch(change.name, patch.encoded(as: .json))
///     case .deleted: try await backend.delete(change.name)
///     }
/// }
/// try context.confirm(changes)
/// try context.save()
/// ```
public struct LocalObjectChange<Object: PersistentModel> {
    /// What has happened to it.
    public enum Kind {
        /// It is new.
        case inserted(Object)
        /// It has changed: the patch has what, with relationships to one by what names the other object.
        case updated(Object, Patch<Object>)
        /// It is gone.
        case deleted
    }

    /// What has happened to it.
    public let kind: Kind
    /// What names it in documents of the backend: what has named it in the last one, or what names it where it
    /// is new. Null for an object without such a value.
    public let name: QueryValue
    let key: RowKey
    let told: ToldRow
}

extension ModelContext {
    /// What was changed here of the objects of a class since a document brought them last, in the order of the
    /// keys of their rows. What waits to be saved is not in it.
    ///
    /// They are none any more when a document has them, or they are given to `confirm`. Places in lists,
    /// pairs of two lists that lead back to each other, and relationships to protocols are not told.
    ///
    /// - Complexity: linear in the number of changed rows of the class's table, with a look into the index of
    ///   the key for each, and for each object that a changed relationship leads to.
    /// - Throws: ``StoreError``, of kind `historyDisabled` where the store does not know what was changed;
    ///   ``ModelDecodingError`` for a row that is no object of the class; ``ModelEncodingError`` for an
    ///   attribute that has no form in a document, and of kind `noKey` for a relationship to an object that
    ///   documents have no name for.
    public func localChanges<Object: PersistentModel>(
        of type: Object.Type
    ) throws -> [LocalObjectChange<Object>] {
        let entity = try table(of: type)
        var (known, mine): ([RowKey: BaseRow], [RowKey: RowImage]) = ([:], [:])
        var objects: [RowKey: Object] = [:]
        try withOneState(of: [type]) {
            known = try BaseUpdate.required(self, entity).known
            for part in entity.parts(of: Array(known.keys)) {
                let query = Query(entity, filter: entity.filter(of: part))
                try withRows(of: query, entity.type, false) { cursor, _ in
                    while try cursor.next() {
                        let key = try RowKey(row: cursor, entity: entity)
                        mine[key] = RowImage(try entity.values(of: cursor))
                    }
                }
            }
            objects = try self.objects(type, with: Array(mine.keys), in: entity)
        }
        let keys = known.keys.sorted { $0.order(relativeTo: $1) < 0 }
        return try keys.compactMap { key in
            try change(of: key, known[key]?.values, mine[key], objects[key], entity)
        }
    }

    /// One change; nil for none of the class.
    private func change<Object: PersistentModel>(
        of key: RowKey,
        _ base: [QueryValue]?,
        _ mine: RowImage?,
        _ object: Object?,
        _ entity: EntityBinding
    ) throws -> LocalObjectChange<Object>? {
        func name(_ values: [QueryValue], _ type: any PersistentModel.Type) throws -> QueryValue {
            try documentName(of: type).map { values[$0.column] } ?? .null
        }
        guard let mine else {
            guard let base, try isRow(base, of: Object.self) else { return nil }
            return LocalObjectChange(
                kind: .deleted,
                name: try name(base, Object.self),
                key: key,
                told: .gone
            )
        }
        guard let object else { return nil }
        let values = try entity.values(of: mine)
        guard let base else {
            return LocalObjectChange(
                kind: .inserted(object),
                name: try name(values, Swift.type(of: object)),
                key: key,
                told: .whole(values)
            )
        }
        let (document, columns) = try patch(of: Swift.type(of: object), RowImage(base), mine)
        if columns.isEmpty { return nil }
        return LocalObjectChange(
            kind: .updated(object, try Patch(document)),
            name: try name(base, Swift.type(of: object)),
            key: key,
            told: .columns(columns.map { ($0, values[$0]) })
        )
    }

    /// What has changed of an object, as a document, and in which columns.
    private func patch(
        of type: any PersistentModel.Type,
        _ before: RowImage,
        _ after: RowImage
    ) throws -> (document: ModelDocument, columns: [Int]) {
        let entity = try table(of: type)
        let changed = try after.columns(of: attributeColumns(of: type), differingFrom: before)
        let whole = try ModelDocument(detached(type, from: after))
        var document = try ModelDocument(
            changed,
            before: before,
            after: after,
            whole: whole,
            entity.attributes
        )
        var columns = Array(changed)
        for reference in try references(of: type) {
            guard !after.holdsSame(reference.column, as: before) else { continue }
            columns.append(reference.column)
            let attribute = entity.attributes[reference.column]
            let value = try QueryValue(after, reference.column, attribute)
            try document.set(reference.name, to: nameOfOther(value, reference.target))
        }
        return (document, columns)
    }

    /// What names an object in documents, by the key of its row.
    private func nameOfOther(
        _ key: QueryValue,
        _ type: any PersistentModel.Type
    ) throws -> ModelDocument {
        guard key != .null else { return .null }
        let entity = try table(of: type)
        if let other = try object(RowKey([key]), in: entity),
            let path = try documentName(of: Swift.type(of: other))?.path,
            let name = try ModelDocument(
                detached(Swift.type(of: other), from: image(of: other))
            )[path]
        {
            return name
        }
        throw ModelEncodingError(
            kind: .noKey,
            explanation: "documents have no name for the object that a relationship leads to",
            path: ""
        )
    }

    /// Says, when the context is saved, that a backend has some changes, so that they are none any more. What
    /// was changed since they were asked for still is.
    ///
    /// - Complexity: linear in the number of changed rows.
    /// - Throws: nothing here; the save throws ``StoreError``, of kind `historyDisabled` where the store does not
    ///   know what was changed.
    public func confirm<Object: PersistentModel>(
        _ changes: some Sequence<LocalObjectChange<Object>>
    ) throws {
        let told = changes.map { ($0.key, $0.told) }
        try confirm(
            Dictionary(told, uniquingKeysWith: { _, last in last }),
            of: table(of: Object.self).type
        )
    }
}
