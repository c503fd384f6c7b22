package import DovetailModel
package import DovetailStore
package import Foundation

/// What reading the objects of a list into a context does.
package struct MergedDocument {
    /// One object of the document.
    package struct Given {
        /// The object of the context.
        package let object: any PersistentModel
        /// Whether the context and the store do not have it yet.
        package let isNew: Bool
        /// Whether an attribute or a relationship of it changes.
        package let isChanged: Bool
        /// Has the attributes that it will have.
        fileprivate let coming: any PersistentModel
        fileprivate let relationships: [String]

        init(
            _ object: any PersistentModel,
            becoming coming: any PersistentModel,
            isNew: Bool,
            isChanged: Bool,
            relationships: [String]
        ) {
            self.object = object
            self.coming = coming
            self.isNew = isNew
            self.isChanged = isChanged
            self.relationships = relationships
        }
    }

    /// What will become of an object of the document, in words and numbers.
    package struct Change {
        /// The names of the attributes and relationships that change.
        package let names: [String]
        /// The digest of the attributes as they are; nil of a new object.
        package let before: UInt64?
        /// The same as they will be.
        package let after: UInt64
    }

    /// A reference that leads nowhere.
    package struct Missing {
        /// Whose it is.
        package let object: any PersistentModel
        /// The name of the relationship in documents.
        package let relationship: String
        /// The class that it leads to.
        package let target: any PersistentModel.Type
        /// What names the object that is not there.
        package let key: QueryValue
    }

    /// The objects of the list.
    package let roots: [any PersistentModel]
    /// All objects of the document, each before those that it owns.
    package let objects: [Given]
    /// The references that were left out.
    package let missing: [Missing]
    /// What the document is merged with, where it is, or what it says of rows is to be known.
    package let merge: RowsOfDocument?
    /// The objects that documents have no name for and that are inside of those of the document, where this has
    /// others and replaces what is here.
    package let replaced: [any PersistentModel]
    /// The objects and references that it was made of.
    let source: DocumentMerge
}

extension MergedDocument {
    /// The references to objects that go, or that are inside of such. Those that the document has stay.
    ///
    /// - Complexity: linear in the number of references to objects that the document does not have, with a look into
    ///   the index of the key for each object around one; nothing where nothing goes.
    /// - Throws: what a fetch throws.
    package func references(to gone: [any PersistentModel]) throws -> [Missing] {
        if gone.isEmpty { return [] }
        let context = source.context
        let names = Set(try gone.compactMap { try context.rowName(of: $0) })
        let given = Set((source.nodes + source.inside).lazy.map { ObjectIdentifier($0.object) })
        var known: [ObjectIdentifier: Bool] = [:]
        func goes(_ object: any PersistentModel) throws -> Bool {
            if given.contains(ObjectIdentifier(object)) { return false }
            if let known = known[ObjectIdentifier(object)] { return known }
            // What is inside of itself goes with nothing.
            known[ObjectIdentifier(object)] = false
            guard let name = try context.rowName(of: object) else { return false }
            let goes = try names.contains(name) || context.owners(of: object).contains(where: goes)
            known[ObjectIdentifier(object)] = goes
            return goes
        }
        var references: [Missing] = []
        let inside = source.wholes?.references.values.flatMap { $0 } ?? []
        for link in source.links + inside where !link.others.isEmpty {
            let relationship = ObjectShape.of(Swift.type(of: link.object)).relationships[link.index]
            if relationship.isOwning { continue }
            for other in link.others {
                guard try goes(other), let key = try context.documentKey(of: other) else {
                    continue
                }
                references.append(
                    Missing(
                        object: link.object,
                        relationship: relationship.name,
                        target: Swift.type(of: other),
                        key: key
                    )
                )
            }
        }
        return references
    }

    /// The positions in the list of the objects with some references.
    ///
    /// - Complexity: linear in the number of objects; nothing without references.
    package func positions(of references: [Missing]) -> [Int] {
        if references.isEmpty { return [] }
        let referring = Set(references.lazy.map { ObjectIdentifier($0.object) })
        let paths = (source.nodes + source.inside)
            .filter { referring.contains(ObjectIdentifier($0.object)) }.map(\.path)
        return Set(paths.compactMap { Int($0.dropFirst().prefix { $0 != "]" }) }).sorted()
    }
}

extension ModelContext {
    /// The objects that one is inside of, by its row.
    fileprivate func owners(of object: any PersistentModel) throws -> [any PersistentModel] {
        let entity = try table(of: Swift.type(of: object))
        return try owners(of: entity.values(of: image(of: object)), in: entity).compactMap { name in
            let table = container.schema.entity(ofTable: name.table)
            return try table.flatMap { try self.object(name.key, in: $0) }
        }
    }
}

extension MergedDocument {
    /// The objects of a class that are in the document and were there before it.
    package func known<Object: PersistentModel>(_ type: Object.Type) -> [Object] {
        objects.lazy.filter { !$0.isNew }.compactMap { $0.object as? Object }
    }
}

extension ModelContext {
    /// What will become of an object of a document.
    ///
    /// - Throws: ``ModelEncodingError`` for an attribute that has no form in a column.
    package func change(of given: MergedDocument.Given) throws -> MergedDocument.Change {
        let (before, entity) = try attributes(of: given.object)
        let (after, _) = try attributes(of: given.coming)
        let columns = ColumnSet(entity.attributes.indices)
        let changed =
            given.isNew || !given.isChanged
            ? [] : after.columns(of: columns, differingFrom: before)
        return MergedDocument.Change(
            names: changed.map { entity.attributes[$0].name } + given.relationships.sorted(),
            before: given.isNew ? nil : RowDigest(before, of: entity).value,
            after: RowDigest(after, of: entity).value
        )
    }

    /// The digest of the attributes of an object.
    package func digest(of object: any PersistentModel) throws -> UInt64 {
        let (row, entity) = try attributes(of: object)
        return RowDigest(row, of: entity).value
    }

    private func attributes(
        of object: any PersistentModel
    ) throws -> (row: RowImage, entity: EntityBinding) {
        let entity = try entity(of: Swift.type(of: object))
        let row = RowImage(columns: entity.columnCount)
        try entity.writeAttributes(of: object, to: row)
        return (row, entity)
    }

    /// Reads the objects of an array into the context, as `decode(_:from:as:)` does.
    ///
    /// - Parameters:
    ///   - owner: An object whose relationship is to hold the objects of the list and no others.
    ///   - keyPath: That relationship.
    ///   - leavesOut: Whether references that lead nowhere are left out, and told.
    ///   - bases: Gives what was changed here, where that counts or is noted; it takes the join tables of the
    ///     lists that the document has.
    ///   - check: Is told what will be done, before anything is, and says what is not.
    /// - Throws: what `decode(_:from:as:)` and `check` throw, and ``QueryError`` for a key path that is no
    ///   relationship to several of the owner.
    package func merge<Object: PersistentModel>(
        _ type: Object.Type,
        from data: Data,
        as format: ModelFormat,
        filling list: (owner: any PersistentModel, keyPath: AnyKeyPath)?,
        leavingOut leavesOut: Bool,
        over bases: ([EntityBinding]) throws -> DocumentBases? = { _ in nil },
        _ check: (MergedDocument) throws -> DocumentDecisions
    ) throws {
        try enter()
        defer { leave() }
        try beginUse()
        let document = try ModelDocument(decoding: data, as: format)
        guard let elements = document.arrayValue else {
            throw DocumentGraph.mismatch("an array", document, at: "")
        }
        var graph = DocumentGraph(container.schema)
        let roots = try elements.enumerated().map { index, element in
            try graph.read(Object.self, element, at: "[\(index)]")
        }
        let filled = try list.map { list in
            let shape = ObjectShape.of(Swift.type(of: list.owner))
            guard list.owner.persistentBacking.context === self,
                let index = shape.relationships.firstIndex(where: {
                    $0.isToMany && $0.keyPath as AnyKeyPath == list.keyPath
                })
            else {
                throw QueryError(
                    expression: "\(list.keyPath)",
                    explanation: "is no relationship to several of an object of this context"
                )
            }
            if let inverse = shape.relationships[index].inverse {
                for root in roots { root.ownedBy.append(inverse) }
            }
            return (object: list.owner, index: index, nodes: roots)
        }
        let joins = graph.joinTables(with: filled.map { ($0.object, $0.index) }, in: self)
        let bases = try bases(joins)
        let merge = try DocumentMerge(
            of: graph,
            filling: filled,
            leavingOut: leavesOut,
            over: bases,
            findingParts: true,
            in: self
        )
        let replacing = merge.replacing
        var decisions = try check(
            MergedDocument(
                roots: roots.map(\.object),
                objects: try merge.objects(replacing),
                missing: merge.missing,
                merge: bases == nil ? nil : RowsOfDocument(merge),
                replaced: try merge.replacedParts(),
                source: merge
            )
        )
        decisions.wholes.formUnion(replacing.wholes)
        try merge.apply(decisions)
    }

    /// The value of the attribute by which documents name an object; nil for none.
    ///
    /// - Throws: ``ModelEncodingError`` for a value that has no form in a column.
    package func documentKey(of object: any PersistentModel) throws -> QueryValue? {
        guard let attribute = ObjectShape.of(type(of: object)).reference else { return nil }
        let sink = ValueSink(columns: 1)
        try attribute.setColumn(of: sink, to: object)
        return sink.values[0] == .null ? nil : sink.values[0]
    }

    /// The column of the attribute by which documents name objects of a class; nil for none.
    package static func nameInDocuments(of type: any PersistentModel.Type) -> String? {
        ObjectShape.of(type).reference?.name
    }

    /// Whether documents can name objects of a class.
    package func isNamed(_ type: any PersistentModel.Type) -> Bool {
        ObjectShape.of(type).reference != nil
    }

    /// The objects with some identifiers, of the context or made of their rows.
    ///
    /// - Complexity: one query.
    /// - Throws: what a fetch throws.
    package func objects<Object: PersistentModel>(
        _ type: Object.Type,
        with identifiers: some Sequence<PersistentIdentifier>
    ) throws -> [Object] {
        let entity = try entity(of: type)
        let keys = identifiers.compactMap { $0.key?.values }
        if keys.isEmpty { return [] }
        return try objects(of: Query(entity, filter: entity.filter(of: keys)))
    }
}
