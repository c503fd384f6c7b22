import DovetailContext
import DovetailModel
import DovetailStore

/// How the lists of one object were changed here to which other lists lead back.
struct LocalPairs {
    /// One list.
    struct List {
        /// The objects that are in it, in their order, each with the class that the list leads to.
        var members: [Member] = []
        /// Those of them that were put into it, in the same order.
        var added: [Member] = []
        /// Those that were taken out, in the order of their keys.
        var removed: [Member] = []
    }

    /// An object of a list.
    struct Member {
        let key: QueryValue
        let order: QueryValue
        let list: ListOfPairs

        /// By the places in the list, and then by the keys.
        fileprivate static func isBefore(_ left: Member, _ right: Member) -> Bool {
            let order = QueryValue.order(left.order, right.order)
            return order == 0 ? QueryValue.order(left.key, right.key) < 0 : order < 0
        }
    }

    /// By the names of the lists in documents; a list of a protocol has objects of several tables.
    private(set) var lists: [String: List] = [:]
    /// What a backend is told of the rows of join tables.
    private(set) var told: [(model: any Model.Type, rows: [RowKey: ToldRow])] = []

    /// Adds a list, or a part of one.
    ///
    /// - Parameters:
    ///   - own: The object that has it.
    ///   - changed: The keys of the changed rows of it, each with whether it was there.
    ///   - rows: All rows of it; of one that leads back to itself also those of the other side.
    fileprivate mutating func add(
        _ list: ListOfPairs,
        of own: QueryValue,
        changed: [(key: RowKey, wasThere: Bool)],
        _ rows: [RowKey: [QueryValue]]
    ) {
        var told: [RowKey: ToldRow] = [:]
        var all = lists[list.name] ?? List()
        func member(_ key: RowKey) -> Member {
            Member(
                key: key.values[list.other],
                order: rows[key]?[list.order] ?? .null,
                list: list
            )
        }
        all.members += rows.keys.filter { $0.values[list.own] == own }.map(member)
        all.members.sort(by: Member.isBefore)
        for (key, wasThere) in changed where wasThere != (rows[key] != nil) {
            if wasThere { all.removed.append(member(key)) } else { all.added.append(member(key)) }
            // Of a list that leads back to itself, the other side is told with it.
            for row in list.keys(own, key.values[list.other]) {
                told[row] = rows[row].map { .whole($0) } ?? .gone
            }
        }
        all.added.sort(by: Member.isBefore)
        all.removed.sort(by: Member.isBefore)
        lists[list.name] = all
        if !told.isEmpty { self.told.append((list.entity.type, told)) }
    }

    /// Leaves out the lists of which nothing has changed.
    fileprivate var changed: LocalPairs {
        var pairs = self
        pairs.lists = lists.filter { !$0.value.added.isEmpty || !$0.value.removed.isEmpty }
        return pairs
    }
}

extension ModelContext {
    /// How the lists of the objects of a class were changed here since a document spoke of them, by the keys of the
    /// objects. Of lists of which none has spoken nothing is known.
    ///
    /// - Complexity: linear in the number of changed pairs, and in what the lists hold of which they are; a query
    ///   for each of the lists.
    /// - Throws: ``StoreError``, ``ModelDecodingError``.
    func changedPairs(of type: any PersistentModel.Type) throws -> [QueryValue: LocalPairs] {
        var pairs: [QueryValue: LocalPairs] = [:]
        for list in try listsOfPairs(of: type) {
            try withReadConnection { connection in
                guard case .rows(let bases) = try connection.bases(of: list.entity) else { return }
                let changed = Dictionary(grouping: bases) { $0.key[list.own] }
                let rows = try list.rows(of: Array(changed.keys), on: connection)
                for (own, bases) in changed {
                    pairs[own, default: LocalPairs()].add(
                        list,
                        of: own,
                        changed: bases.map { (RowKey($0.key), $0.values != nil) },
                        rows[own] ?? [:]
                    )
                }
            }
        }
        return pairs.mapValues(\.changed).filter { !$0.value.lists.isEmpty }
    }

    /// What names an object of a list in documents: one that is there, or was when a document had it; nil where
    /// nothing is known of it.
    ///
    /// - Throws: ``ModelEncodingError`` of kind `noKey` for an object without a name, and what a fetch throws.
    func documentOfMember(_ member: LocalPairs.Member) throws -> ModelDocument? {
        let key = RowKey([member.key])
        let entity = try table(of: member.list.target)
        if try object(key, in: entity) != nil { return try document(naming: key, in: member.list) }
        let bases = try withReadConnection { try $0.bases(of: entity) }
        guard case .rows(let rows) = bases,
            let row = rows.first(where: { RowKey($0.key) == key })?.values
        else { return nil }
        return try document(naming: RowImage(row), in: member.list)
    }
}

extension ListOfPairs {
    /// The rows of the lists of some objects, by these and by their keys; of a list that leads back to itself also
    /// those of the other side.
    ///
    /// - Complexity: a query for 500 objects.
    fileprivate func rows(
        of objects: [QueryValue],
        on connection: any StoreQuerying
    ) throws -> [QueryValue: [RowKey: [QueryValue]]] {
        var rows: [QueryValue: [RowKey: [QueryValue]]] = [:]
        for column in isOwnInverse ? [own, other] : [own] {
            for start in stride(from: 0, to: objects.count, by: 500) {
                let part = objects[start..<min(start + 500, objects.count)].map { [$0] }
                let filter = entity.filter(of: part, in: [column])
                let cursor = try connection.rows(of: Query(entity, filter: filter))
                defer { cursor.close() }
                while try cursor.next() {
                    let key = try RowKey(row: cursor, entity: entity)
                    rows[key.values[column], default: [:]][key] = try entity.values(of: cursor)
                }
            }
        }
        return rows
    }
}
