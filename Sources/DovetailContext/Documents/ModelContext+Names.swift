package import DovetailModel
package import DovetailStore

// What names an object in documents, and what the rows of a class say of others.

/// Where the rows of a class keep a relationship to one object.
package struct ReferenceColumns {
    /// What documents name it by. A list whose objects have no property that leads back has the name of the
    /// column.
    package let name: String
    /// The columns, of a relationship to a protocol several, and the class that each leads to.
    package fileprivate(set) var columns: [(column: Int, target: any PersistentModel.Type)]
    /// The protocol that it leads to; nil for a class.
    fileprivate let coding: (any ProtocolCoding.Type)?
    /// Whether it leads to the object that this one is inside of.
    fileprivate let isOwned: Bool
    /// Whether it leads to what is inside of this one and is merged as a whole.
    package let isWhole: Bool
}

extension ModelContext {
    /// Where the rows of a class keep relationships to one object.
    package func references(
        of type: any PersistentModel.Type
    ) throws -> [ReferenceColumns] {
        let entity = try entity(of: type)
        let shape = ObjectShape.of(type)
        var references: [ReferenceColumns] = []
        // By the relationship to a protocol.
        var places: [Int: Int] = [:]
        for part in entity.relationshipColumns {
            switch part {
            case .key(let index, let column):
                let relationship = shape.relationships[index]
                if let union = relationship.union {
                    if let place = places[union] {
                        references[place].columns.append((column, relationship.target))
                        continue
                    }
                    places[union] = references.count
                }
                references.append(
                    ReferenceColumns(
                        name: relationship.name,
                        columns: [(column, relationship.target)],
                        coding: shape.union(of: index)?.coding,
                        isOwned: relationship.isOwned,
                        isWhole: isWhole(index, of: shape)
                    )
                )
            case .member(let owner as any PersistentModel.Type, let index, let column?, _):
                references.append(
                    ReferenceColumns(
                        name: entity.attributes[column].name,
                        columns: [(column, owner)],
                        coding: nil,
                        isOwned: ObjectShape.of(owner).relationships[index].isOwning,
                        isWhole: false
                    )
                )
            default: continue
            }
        }
        return references
    }

    /// What a row says of a relationship, as documents do: what names the object, or null. Nil for the object around
    /// it where that is of a class without names, and tells it with what is inside.
    ///
    /// - Complexity: a look into the index of the key.
    /// - Throws: ``ModelEncodingError`` of kind `noKey` where nothing names the object, and what a fetch throws.
    package func document(
        of reference: ReferenceColumns,
        in row: RowImage,
        _ entity: EntityBinding
    ) throws -> ModelDocument? {
        for (column, target) in reference.columns {
            let key = try QueryValue(row, column, entity.attributes[column])
            if key == .null { continue }
            if reference.isOwned, ObjectShape.of(target).reference == nil { return nil }
            return try document(naming: RowKey([key]), of: target, in: reference.coding)
        }
        return .null
    }

    /// What names the object of a row in documents, alone or as one of a protocol.
    private func document(
        naming key: RowKey,
        of type: any PersistentModel.Type,
        in coding: (any ProtocolCoding.Type)?
    ) throws -> ModelDocument {
        if let other = try object(key, in: table(of: type)),
            let name = try name(of: detached(Swift.type(of: other), from: image(of: other)), coding)
        {
            return name
        }
        throw Self.nameless
    }

    /// What names an object of a list in documents.
    ///
    /// - Complexity: a look into the index of the key.
    /// - Throws: ``ModelEncodingError`` of kind `noKey` where nothing names it, and what a fetch throws.
    package func document(
        naming key: RowKey,
        in list: ListOfPairs
    ) throws -> ModelDocument {
        try document(naming: key, of: list.target, in: list.coding)
    }

    /// What names an object of a list in documents, by its row.
    ///
    /// - Throws: ``ModelEncodingError`` of kind `noKey` where nothing names it, and ``ModelDecodingError`` for a
    ///   row that is no object of its class.
    package func document(
        naming row: RowImage,
        in list: ListOfPairs
    ) throws -> ModelDocument {
        let table = try table(of: list.target)
        let model = try table.classTable?.model(of: row) ?? table.type
        guard let type = model as? any PersistentModel.Type,
            let name = try name(of: detached(type, from: row), list.coding)
        else { throw Self.nameless }
        return name
    }

    private func name<Object: PersistentModel>(
        of object: Object,
        _ coding: (any ProtocolCoding.Type)?
    ) throws -> ModelDocument? {
        guard let attribute = ObjectShape.of(Object.self).reference else { return nil }
        if let coding { return try coding.reference(to: object, by: attribute) }
        return try attribute.document(of: object)
    }

    private static var nameless: ModelEncodingError {
        ModelEncodingError(
            kind: .noKey,
            explanation: "documents have no name for the object that a relationship leads to",
            path: ""
        )
    }
}
