public import DovetailContext
public import DovetailModel
import DovetailStore

extension ModelContext {
    /// Makes the tables of all models of the container that conform to a model protocol hold exactly the
    /// given values. It is part of the unit of work, so ``ModelContext/save()`` writes it.
    ///
    /// ```swift
    /// let pets: [any Pet] = [Dog(id: 1, name: "Rex"), Cat(id: 1, name: "Tom")]
    /// try context.synchronize(pets)
    /// // SELECT … FROM "Cat"; SELECT … FROM "Dog"
    /// ```
    ///
    /// Each table is compared as by ``synchronize(_:scope:deletionLimit:unknownReferences:localChanges:)`` with the values of its model;
    /// one for which there are none is emptied. All are compared before the first change.
    ///
    /// - Parameters:
    ///   - values: What there is to be.
    ///   - deletionLimit: What part of the rows of each table may be deleted, from 0 to 1.
    ///   - table: How the values are read, which the compiler finds.
    /// - Returns: What is written, table by table in the order of their names.
    /// - Complexity: as of ``synchronize(_:scope:deletionLimit:unknownReferences:localChanges:)`` for each table.
    /// - Throws: as ``synchronize(_:scope:deletionLimit:unknownReferences:localChanges:)``; ``StoreError`` of kind `invalidSchema` for a
    ///   value of a model that the container was made without, such as one that was kept because its type
    ///   is unknown, and `unsupported` for conformers that have no identity and for classes.
    @_disfavoredOverload
    @discardableResult
    public func synchronize<Value>(
        _ values: some Sequence<Value>,
        deletionLimit: Double = 1,
        by table: RootCoding<Value> = #_rootCoding
    ) throws -> EntityChanges<AnyHashable> {
        let entities = try conformerEntities(table)
        let known = Set(entities.map { ObjectIdentifier($0.type) })
        var groups: [ObjectIdentifier: [(place: Int, value: any Model)]] = [:]
        for (place, value) in values.enumerated() {
            guard let model = value as? any Model,
                known.contains(ObjectIdentifier(type(of: model)))
            else {
                let reason =
                    value is any UnknownModel
                    ? "keeps a value of a type that this program does not know, and has no table; leave such "
                        + "elements out"
                    : "the container was made without; name it in ModelContainer(for:)"
                throw StoreError(
                    .invalidSchema,
                    explanation:
                        "the element at \(place) is of \(type(of: value as Any)), which \(reason)"
                )
            }
            groups[ObjectIdentifier(type(of: model)), default: []].append((place, model))
        }
        let parts = try entities.map { entity in
            guard let type = entity.type as? any (Model & Identifiable).Type else {
                throw StoreError(
                    .unsupported,
                    table: entity.table,
                    explanation: "values without `id` cannot be synchronized; declare one, or a key"
                )
            }
            return try part(type, groups[ObjectIdentifier(type)] ?? [], deletionLimit)
        }
        try requireTargets(parts)
        for part in parts { part.begin() }
        if parts.contains(where: \.deletes) {
            let reach = DeletionReach(of: entities, container.schema)
            if !reach.isEmpty { for part in parts { try part.leave(reach) } }
        }
        let changes = try parts.map { try $0.write() }
        return EntityChanges(
            inserted: changes.flatMap(\.inserted),
            updated: changes.flatMap(\.updated),
            deleted: changes.flatMap(\.deleted),
            unchanged: changes.reduce(0) { $0 + $1.unchanged }
        )
    }

    /// Sees that no value refers to a row that goes with what the list deletes, of whatever table.
    ///
    /// - Throws: ``SynchronizeError``, and ``StoreError``.
    private func requireTargets(_ parts: [ConformerPart]) throws {
        guard parts.contains(where: \.deletes) else { return }
        let reach = DeletionReach(of: parts.map(\.entity), container.schema)
        if reach.isEmpty { return }
        let found = try reach.positions(in: try parts.map { try $0.list(reach) }, self)
        for (part, positions) in zip(parts, found) where !positions.isEmpty {
            throw SynchronizeError(
                table: part.entity.table,
                positions: positions.map { part.places[$0] }.sorted(),
                reason: .deletedReference
            )
        }
    }

    /// Compares the values of one model.
    ///
    /// - Throws: as ``synchronize(_:scope:deletionLimit:unknownReferences:localChanges:)``, with places in the list of all models.
    private func part<Value: Model & Identifiable>(
        _ model: Value.Type,
        _ group: [(place: Int, value: any Model)],
        _ deletionLimit: Double
    ) throws -> ConformerPart {
        do {
            let values = group.compactMap { $0.value as? Value }
            let merge = try LocalMerge<Value>(self, isWhole: true)
            let comparison = try compare(values, .full, deletionLimit, merging: merge)
            return ConformerPart(
                entity: comparison.entity,
                places: group.map(\.place),
                deletes: !comparison.deleted.isEmpty,
                list: { try comparison.list(for: $0) },
                begin: { [self] in begin(comparison, merge) },
                leave: { [self] in try leave(comparison.updatedValues, $0) },
                write: { [self] in
                    let changes = try write(comparison, merge)
                    return EntityChanges(
                        inserted: changes.inserted.map { AnyHashable($0) },
                        updated: changes.updated.map { AnyHashable($0) },
                        deleted: changes.deleted.map { AnyHashable($0) },
                        unchanged: changes.unchanged
                    )
                }
            )
        } catch let error as SynchronizeError where error.plan == nil {
            throw SynchronizeError(
                table: error.table,
                positions: error.positions.map { group[$0].place },
                reason: error.reason
            )
        }
    }
}

/// What a list has of the rows of one model, without its type.
private struct ConformerPart {
    let entity: EntityBinding
    /// The places of the values in the list of all models.
    let places: [Int]
    let deletes: Bool
    let list: (DeletionReach) throws -> DeletionReach.List
    /// Puts what comes before the rows of all models to what waits.
    let begin: () -> Void
    /// Lets rows leave those that any part deletes.
    let leave: (DeletionReach) throws -> Void
    /// Puts the rows to what waits.
    let write: () throws -> EntityChanges<AnyHashable>
}
