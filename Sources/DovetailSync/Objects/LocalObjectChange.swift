public import DovetailContext
public import DovetailModel
public import DovetailStore

/// How an object was changed here since a document brought it last: what a backend has to be told.
///
/// ```swift
/// let changes = try context.localChanges(of: Album.self)
/// for change in changes {
///     switch change.kind {
///     case .inserted(let album): try await backend.post(album.encoded(as: .json))
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
        /// It has changed: the patch has what, with relationships by what names the other objects. A list that
        /// others lead back from is in it as a whole, and so is what documents have no name for and is inside of the
        /// object; ``LocalObjectChange/lists`` has what was put in and taken out.
        case updated(Object, Patch<Object>)
        /// It is gone.
        case deleted
    }

    /// What has happened to it.
    public let kind: Kind
    /// What names it in documents of the backend: what has named it in the last one, or what names it where it
    /// is new. Null for an object without such a value, which the one that it is inside of tells, too.
    public let name: QueryValue
    /// The lists with a list on the other side whose objects have changed, of one that was there before, and the
    /// relationships to objects inside of it that documents have no name for. The document of a new object has all
    /// that is in its lists.
    public let lists: [ListChange]
    let key: RowKey
    let told: ToldRow
    let pairs: LocalPairs
    let wholes: [ChangedWhole]

    /// What was put into a list and taken out of it.
    public struct ListChange: Hashable, Sendable {
        /// What documents name the list by.
        public let name: String
        /// What names the objects that were put into it; none where documents have no name for them.
        public let added: [ModelDocument]
        /// What names those that were taken out. One that is gone, and that no document has named, is not among
        /// them.
        public let removed: [ModelDocument]
    }
}

extension ModelContext {
    /// What was changed here of the objects of a class since a document brought them last, in the order of the
    /// keys of their rows. What waits to be saved is not in it.
    ///
    /// They are none any more when a document has them, or they are given to `confirm`. Where two lists lead back
    /// to each other, a pair is told of both objects, and either tells it for both; that is so from the first
    /// document on that has one of the lists. What documents have no name for is told by the object that it is
    /// inside of, as a whole with all inside, and by its own class, and either tells it for both. Places in lists are
    /// not told.
    ///
    /// - Complexity: linear in the number of changed rows of the class's table, of the join tables of its lists, and
    ///   of the tables of what is inside and has no name, and in what is around and beside these inside of the object;
    ///   with a look into the index of the key for each, and for each object that a changed relationship, or a
    ///   list of which a pair has changed, leads to.
    /// - Throws: ``StoreError``, of kind `historyDisabled` where the store does not know what was changed, and
    ///   `unsupported` for an object without a name that is inside of two others;
    ///   ``ModelDecodingError`` for a row that is no object of the class; ``ModelEncodingError`` for an
    ///   attribute that has no form in a document, of kind `tooDeep` for what has more levels inside than documents
    ///   may have, and of kind `noKey` for a relationship to an object that documents have no name for.
    public func localChanges<Object: PersistentModel>(
        of type: Object.Type
    ) throws -> [LocalObjectChange<Object>] {
        let entity = try table(of: type)
        var (known, mine): ([RowKey: BaseRow], [RowKey: RowImage]) = ([:], [:])
        var objects: [RowKey: Object] = [:]
        var pairs: [QueryValue: LocalPairs] = [:]
        var wholes: [RowKey: [ChangedWhole]] = [:]
        try withOneState(of: [type]) {
            known = try BaseUpdate.required(self, entity).known
            pairs = try changedPairs(of: type)
            wholes = try changedWholes(of: type) { try changedRows(of: $0) }
            let others = Set(pairs.keys.map { RowKey([$0]) }).union(wholes.keys).filter {
                known[$0] == nil
            }
            for part in entity.parts(of: Array(known.keys) + others) {
                let query = Query(entity, filter: entity.filter(of: part))
                try withRows(of: query, entity.type, false) { cursor, _ in
                    while try cursor.next() {
                        let key = try RowKey(row: cursor, entity: entity)
                        mine[key] = RowImage(try entity.values(of: cursor))
                    }
                }
            }
            // Those of which only lists have changed.
            for key in others {
                guard let row = mine[key] else { continue }
                known[key] = BaseRow(key: key.values, values: try entity.values(of: row))
            }
            objects = try self.objects(type, with: Array(mine.keys), in: entity)
        }
        let keys = known.keys.sorted { $0.order(relativeTo: $1) < 0 }
        return try keys.compactMap { key in
            try change(
                of: key,
                known[key]?.values,
                mine[key],
                objects[key],
                key.values.first.flatMap { pairs[$0] } ?? LocalPairs(),
                wholes[key] ?? [],
                entity
            )
        }
    }

    /// One change; nil for none of the class.
    private func change<Object: PersistentModel>(
        of key: RowKey,
        _ base: [QueryValue]?,
        _ mine: RowImage?,
        _ object: Object?,
        _ pairs: LocalPairs,
        _ wholes: [ChangedWhole],
        _ entity: EntityBinding
    ) throws -> LocalObjectChange<Object>? {
        func change(
            _ kind: LocalObjectChange<Object>.Kind,
            _ row: [QueryValue],
            _ type: any PersistentModel.Type,
            _ told: ToldRow,
            _ lists: [LocalObjectChange<Object>.ListChange] = []
        ) throws -> LocalObjectChange<Object> {
            LocalObjectChange(
                kind: kind,
                name: try documentName(of: type).map { row[$0.column] } ?? .null,
                lists: lists,
                key: key,
                told: told,
                pairs: pairs,
                wholes: wholes
            )
        }
        guard let mine else {
            guard let base, try isRow(base, of: Object.self) else { return nil }
            return try change(.deleted, base, Object.self, .gone)
        }
        guard let object else { return nil }
        let type = Swift.type(of: object)
        let values = try entity.values(of: mine)
        guard let base else { return try change(.inserted(object), values, type, .whole(values)) }
        var (document, columns) = try patch(of: type, RowImage(base), mine)
        var lists = try pairs.lists.sorted { $0.key < $1.key }.map { name, list in
            try document.set(name, to: .array(list.members.compactMap(documentOfMember)))
            return LocalObjectChange<Object>.ListChange(
                name: name,
                added: try list.added.compactMap(documentOfMember),
                removed: try list.removed.compactMap(documentOfMember)
            )
        }
        for whole in wholes.sorted(by: { $0.name < $1.name }) {
            try document.set(whole.name, to: whole.document)
            columns += whole.columns
            lists.append(.init(name: whole.name, added: [], removed: []))
        }
        if columns.isEmpty, lists.isEmpty { return nil }
        let told = ToldRow.columns(columns.map { ($0, values[$0]) })
        return try change(.updated(object, Patch(document)), base, type, told, lists)
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
            let own = reference.columns.map(\.column)
            if reference.isWhole || own.allSatisfy({ after.holdsSame($0, as: before) }) { continue }
            columns += own
            if let value = try self.document(of: reference, in: after, entity) {
                try document.set(reference.name, to: value)
            }
        }
        return (document, columns)
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
        var told: [RowKey: ToldRow] = [:]
        var inside: [String: [RowKey: ToldRow]] = [:]
        for change in changes {
            told[change.key] = change.told
            for (model, rows) in change.pairs.told { try confirm(rows, of: model) }
            for (name, row) in change.wholes.lazy.flatMap(\.rows) {
                inside[name.table, default: [:]][name.key] = row.map { .whole($0) } ?? .gone
            }
        }
        for entity in container.schema.bindings {
            if let rows = inside[entity.table] { try confirm(rows, of: entity.type) }
        }
        try confirm(told, of: table(of: Object.self).type)
    }
}
