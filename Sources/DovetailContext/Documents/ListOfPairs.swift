import DovetailModel
package import DovetailStore

/// A list of the objects of a class to which another list leads back: a join table has a row for each pair of
/// objects that are in each other's lists.
package struct ListOfPairs {
    /// What documents name it by.
    package let name: String
    /// The join table.
    package let entity: EntityBinding
    /// The class of the objects in the list.
    package let target: any PersistentModel.Type
    /// The protocol that the list is of; nil for one of a class.
    let coding: (any ProtocolCoding.Type)?
    private let join: JoinColumns

    /// The column of the key of the object that has the list.
    package var own: Int { join.own }
    /// The column of the key of an object in it.
    package var other: Int { join.other }
    /// The column of the place in it.
    package var order: Int { join.order }

    /// Whether the list leads back to itself.
    package var isOwnInverse: Bool { join.isOwnInverse }

    /// Nil for a relationship without a join table, and for one whose other class the container was made
    /// without.
    init?(_ relationship: ObjectShape.Relationship, of shape: ObjectShape, in context: ModelContext)
    {
        guard let join = relationship.join, let entity = try? context.entity(of: join.table) else {
            return nil
        }
        name = relationship.name
        self.entity = entity
        target = relationship.target
        coding = relationship.union.map { shape.unions[$0].coding }
        self.join = join
    }

    /// The keys of the rows that stand for a pair: of a list that leads back to itself two.
    package func keys(_ own: QueryValue, _ other: QueryValue) -> [RowKey] {
        [key(own, other)] + (join.isOwnInverse && own != other ? [key(other, own)] : [])
    }

    /// The key of the row in which an object has another one in this list.
    func key(_ own: QueryValue, _ other: QueryValue) -> RowKey {
        RowKey(join.isOwner ? [own, other] : [other, own])
    }

    /// The place of an object in the list; null where it has none.
    func place(_ link: JoinLink?) -> QueryValue {
        join.place(link?.places).map { .integer($0) } ?? .null
    }

    /// What the context knows of the row of two objects; nil for none.
    func link(
        _ object: any PersistentModel,
        _ other: any PersistentModel,
        in context: ModelContext
    ) -> JoinLink? {
        context.registry.joins.link(join, object, other)
    }

    /// The row of two objects that are in each other's lists.
    ///
    /// - Parameter key: One of ``keys(_:_:)``.
    func row(_ key: RowKey, _ link: JoinLink?) -> [QueryValue] {
        link?.row(key, of: entity)
            ?? key.values + entity.valueSet.map { _ in .null }
    }
}

extension JoinLink {
    /// Its row.
    fileprivate func row(_ key: RowKey, of entity: EntityBinding) -> [QueryValue] {
        key.values
            + [places.ofMember, places.ofOwner].prefix(entity.valueSet.count)
            .map { place in place.map { .integer($0) } ?? .null }
    }
}

extension ModelContext {
    /// The rows of join tables that wait to be written with other places in lists, as they will be.
    ///
    /// - Complexity: linear in what waits.
    /// - Throws: ``StoreError``.
    package func movedPairs() throws -> [(name: RowName, row: [QueryValue])] {
        guard let registry = madeRegistry else { return [] }
        return try registry.joins.changed.compactMap { join, link in
            let keys = [link.owner, link.member].compactMap {
                $0.persistentBacking.key?.values.first
            }
            guard link.isWanted, !link.isSet, keys.count == 2 else { return nil }
            let entity = try entity(of: join.table)
            return (RowName(entity.table, RowKey(keys)), link.row(RowKey(keys), of: entity))
        }
    }

    /// The lists of a class, and of those below it, that other lists lead back to.
    package func listsOfPairs(of type: any PersistentModel.Type) throws -> [ListOfPairs] {
        var lists: [ListOfPairs] = []
        for below in try table(of: type).objectTypes where below.inherits(from: type) {
            let shape = ObjectShape.of(below)
            for relationship in shape.relationships {
                guard let list = ListOfPairs(relationship, of: shape, in: self),
                    !lists.contains(where: {
                        $0.entity.table == list.entity.table && $0.own == list.own
                    })
                else { continue }
                lists.append(list)
            }
        }
        return lists
    }

    /// Puts the objects of some rows into a list, after those that it holds; those that are not there are left
    /// out.
    ///
    /// - Complexity: a query, and one for a list that was not loaded.
    /// - Throws: what a fetch throws.
    package func put(
        _ keys: [RowKey],
        into list: ListOfPairs,
        of object: any PersistentModel
    ) throws {
        let shape = ObjectShape.of(type(of: object))
        let index = shape.relationships.firstIndex { $0.name == list.name }
        guard let index, !keys.isEmpty else { return }
        let others = try objects(of: table(of: list.target), with: keys)
        let held = ObjectGraph.held(by: object, index)
        let new = keys.compactMap { others[$0] }.filter { other in
            !held.contains { $0 === other }
        }
        if !new.isEmpty { ObjectGraph.replace(object, index, with: held + new) }
    }
}
