import DovetailModel
package import DovetailStore

/// Names a row of a table of objects.
package struct RowName: Hashable {
    package let table: String
    package let key: RowKey

    package init(_ table: String, _ key: RowKey) {
        self.table = table
        self.key = key
    }
}

/// The rows that were changed here since a document brought them last, as they were then: what a document is
/// merged with.
package struct DocumentBases {
    /// By table, and by key.
    package let rows: [String: [RowKey: BaseRow]]
    /// Whether changes made here count. Otherwise the document replaces them, and what it says of rows is
    /// only noted.
    package let isMerge: Bool

    package init(_ rows: [String: [RowKey: BaseRow]], isMerge: Bool) {
        self.rows = rows
        self.isMerge = isMerge
    }

    /// What is known of a row; nil for one that was not changed.
    package subscript(name: RowName) -> BaseRow? { rows[name.table]?[name.key] }

    /// The same with references to other rows in the place of some.
    ///
    /// - Complexity: linear in the number of changed rows.
    func referring(_ others: [RowName: RowKey], _ schema: Schema) -> DocumentBases {
        var rows = rows
        for entity in schema.bindings where rows[entity.table] != nil {
            for reference in entity.description.references {
                rows[entity.table] = rows[entity.table]?.mapValues { base in
                    guard var values = base.values,
                        let other = others[
                            RowName(reference.table, RowKey([values[reference.column]]))
                        ]?.values.first
                    else { return base }
                    values[reference.column] = other
                    return BaseRow(key: base.key, values: values)
                }
            }
        }
        return DocumentBases(rows, isMerge: isMerge)
    }

    /// The keys of the rows that had a name in documents, by that name.
    ///
    /// - Complexity: linear in the number of changed rows of the table.
    func keys(
        of type: any PersistentModel.Type,
        in context: ModelContext
    ) throws -> [QueryValue: RowKey] {
        guard let column = try context.nameColumn(of: type),
            let rows = rows[try context.table(of: type).table]
        else { return [:] }
        var keys: [QueryValue: RowKey] = [:]
        for (key, base) in rows {
            guard let name = base.values?[column], name != .null else { continue }
            keys[name] = key
        }
        return keys
    }
}

extension ModelContext {
    /// The table of the objects of a class.
    package func table(of type: any PersistentModel.Type) throws -> EntityBinding {
        try container.schema.entity(type.modelRoot)
    }

    /// The column of the attribute by which documents name the objects of a class; nil for none.
    func nameColumn(of type: any PersistentModel.Type) throws -> Int? {
        guard let attribute = ObjectShape.of(type).reference else { return nil }
        return try entity(of: type).column(of: attribute.keyPath)
    }

    /// The name of the row of an object that has one, or will have.
    package func rowName(of object: any PersistentModel) throws -> RowName? {
        guard let key = object.persistentBacking.key else { return nil }
        return RowName(try table(of: type(of: object)).table, key)
    }

    /// The objects of some rows of a table, by their keys; those that are stored.
    ///
    /// - Complexity: one query.
    /// - Throws: what a fetch throws.
    func objects(
        of table: EntityBinding,
        with keys: some Collection<RowKey>
    ) throws -> [RowKey: any PersistentModel] {
        guard !keys.isEmpty, let type = table.type as? any PersistentModel.Type else { return [:] }
        func objects<Object: PersistentModel>(_ type: Object.Type) throws -> [Object] {
            var all: [Object] = []
            for part in table.parts(of: Array(keys)) {
                all += try self.objects(of: Query(table, filter: table.filter(of: part)))
            }
            return all
        }
        var found: [RowKey: any PersistentModel] = [:]
        for object in try objects(type) {
            if let key = object.persistentBacking.key { found[key] = object }
        }
        return found
    }

    /// The row of an object as it is stored, or will be.
    ///
    /// - Throws: ``ModelEncodingError`` for an attribute that has no form in a column.
    package func image(of object: any PersistentModel) throws -> RowImage { try row(of: object) }
}
