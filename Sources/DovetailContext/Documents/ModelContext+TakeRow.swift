import DovetailModel
package import DovetailStore

extension ModelContext {
    /// Gives an object what a row has in some columns, or brings it back with that row where it was deleted.
    ///
    /// - Parameters:
    ///   - row: The row.
    ///   - columns: The columns that count.
    ///   - key: The key of the object.
    ///   - table: Its table.
    /// - Complexity: a look into the index of the key, and one for each object that the row refers to.
    /// - Throws: ``ModelDecodingError`` for a row that is no object of its class, ``StoreError`` of kind
    ///   `foreignKeyViolation` for one that refers to an object which is not there, and what a fetch throws.
    ///   Nothing is changed in the context then.
    package func take(
        _ row: RowImage,
        columns: ColumnSet,
        of key: RowKey,
        in table: EntityBinding
    ) throws {
        try enter()
        defer { leave() }
        try beginUse()
        let known = try objects(of: table, with: [key])[key]
        let model: any Model.Type =
            try known.map { Swift.type(of: $0) } ?? table.classTable?.model(of: row) ?? table.type
        guard let type = model as? any PersistentModel.Type else { return }
        let entity = try entity(of: type)
        var links: [(object: (any PersistentModel)?, index: Int, owner: (any PersistentModel)?)] =
            []
        var left: [(owner: any PersistentModel.Type, index: Int)] = []
        func other(_ column: Int, _ type: any PersistentModel.Type) throws -> (any PersistentModel)?
        {
            let value = try QueryValue(row, column, entity.attributes[column])
            if value == .null { return nil }
            let table = try self.table(of: type)
            if let found = try objects(of: table, with: [RowKey([value])]).values.first {
                return found
            }
            throw StoreError(
                .foreignKeyViolation,
                table: entity.table,
                column: entity.attributes[column].name,
                explanation: "the row refers to an object that is not there"
            )
        }
        for part in entity.relationshipColumns {
            switch part {
            case .key(let index, let column) where columns.contains(column):
                // Of a relationship to a protocol the one that has a key counts.
                if row.isNull(column), entity.hasOtherChoice(column, in: row) { continue }
                let target = ObjectShape.of(type).relationships[index].target
                links.append((try other(column, target), index, nil))
            case .member(let owner as any PersistentModel.Type, let index, let column?, _)
            where columns.contains(column):
                if row.isNull(column) {
                    left.append((owner, index))
                } else {
                    links.append((nil, index, try other(column, owner)))
                }
            default: continue
            }
        }
        let object = try merged(row, columns, of: known, type, entity)
        if known == nil { insertObject(object, key) }
        for (owner, index) in left { ObjectGraph.leaveList(object, of: owner, index) }
        for link in links {
            guard let owner = link.owner else {
                ObjectGraph.replace(object, link.index, with: link.object.map { [$0] } ?? [])
                continue
            }
            let held = ObjectGraph.held(by: owner, link.index)
            if held.contains(where: { $0 === object }) { continue }
            ObjectGraph.replace(owner, link.index, with: held + [object])
        }
    }

    /// An object with the attributes of a row in some columns: the one that is there, or a new one.
    private func merged(
        _ row: RowImage,
        _ columns: ColumnSet,
        of known: (any PersistentModel)?,
        _ type: any PersistentModel.Type,
        _ entity: EntityBinding
    ) throws -> any PersistentModel {
        guard let known else { return try newObject(type, from: row, entity) }
        let both = try image(of: known)
        let taken = entity.classColumns.filter(columns.contains)
        for column in taken { try row.write(column, to: both, at: column) }
        let attributes = try table(of: type).attributes
        let new = try newObject(type, from: both, entity)
        known.takeAttributes(of: new, changing: taken.map { attributes[$0].keyPath })
        return known
    }

    /// The object of a row, if it is there.
    ///
    /// - Complexity: a look into the index of the key.
    /// - Throws: what a fetch throws.
    package func object(
        _ key: RowKey,
        in table: EntityBinding
    ) throws -> (any PersistentModel)? {
        try objects(of: table, with: [key])[key]
    }

    /// The key of the object by which documents name what a row of a table was, if there is one.
    ///
    /// - Parameter values: What is known of the row, by the names of the columns.
    /// - Complexity: a look into the index of the name.
    /// - Throws: what a fetch throws.
    package func key(
        ofObjectNamedAs values: [String: QueryValue],
        in table: EntityBinding
    ) throws -> RowKey? {
        guard let type = table.type as? any PersistentModel.Type,
            let column = try nameColumn(of: type), let name = values[table.attributes[column].name],
            name != .null
        else { return nil }
        func found<Object: PersistentModel>(_ type: Object.Type) throws -> RowKey? {
            let isNamed = QueryExpression.equal(
                .attribute(column, isOptional: table.attributes[column].isOptional),
                .value(name)
            )
            let objects: [Object] = try objects(of: Query(table, filter: isNamed))
            return objects.first?.persistentBacking.key
        }
        return try found(type)
    }

    /// The objects of some rows of a table, by their keys.
    ///
    /// - Complexity: one query.
    /// - Throws: what a fetch throws.
    package func objects<Object: PersistentModel>(
        _ type: Object.Type,
        with keys: [RowKey],
        in table: EntityBinding
    ) throws -> [RowKey: Object] {
        try objects(of: table, with: keys).compactMapValues { $0 as? Object }
    }

    /// An object of a row that belongs to no context, and has no relationships.
    ///
    /// - Throws: ``ModelDecodingError`` for a row that is no object of the class.
    package func detached(
        _ type: any PersistentModel.Type,
        from row: RowImage
    ) throws -> any PersistentModel {
        try newObject(type, from: row, entity(of: type))
    }

    /// The columns of the attributes of a class.
    package func attributeColumns(of type: any PersistentModel.Type) throws -> ColumnSet {
        ColumnSet(try entity(of: type).classColumns)
    }

    /// The column of the attribute by which documents name the objects of a class, and its path there; nil for
    /// none.
    package func documentName(
        of type: any PersistentModel.Type
    ) throws -> (column: Int, path: String)? {
        guard let attribute = ObjectShape.of(type).reference, let column = try nameColumn(of: type)
        else { return nil }
        return (column, attribute.path)
    }
}
