public import DovetailContext
import DovetailModel
import DovetailStore

extension ModelContext {
    /// Sets the references that `synchronize(…, unknownReferences: .keep)` has kept to the rows that are
    /// there by now, stored or waiting to be saved. It is part of the unit of work.
    ///
    /// `synchronize` calls it; a program does after it has inserted such rows in another way.
    ///
    /// - Returns: How many references lead to their rows now.
    /// - Complexity: linear in the number of references that are kept, with a look into the index of a key
    ///   for each.
    /// - Throws: ``StoreError``, and ``ModelDecodingError`` for a row that cannot be read.
    @discardableResult
    public func resolveMissingReferences() throws -> Int {
        guard let kept = KeptReferences(self) else { return 0 }
        var settled: [KeptReference] = []
        var count = 0
        let all = Dictionary(
            grouping: try kept.all(),
            by: { [$0.source, $0.attribute, $0.target] }
        )
        for references in all.values {
            let part =
                try resolveObjects(references) ?? resolveRows(references) ?? (settled: [], count: 0)
            settled += part.settled
            count += part.count
        }
        try kept.change(keeping: [], forgetting: settled)
        return count
    }

    /// Resolves references of one relationship of a class; nil for those of a table.
    private func resolveObjects(
        _ references: [KeptReference]
    ) throws -> (settled: [KeptReference], count: Int)? {
        let models = [container.schema.bindings, container.schema.subclasses].lazy.joined()
        let types = models.compactMap { $0.type as? any PersistentModel.Type }
        guard let source = types.first(where: { $0.typeName == references[0].source }),
            let target = types.first(where: { $0.typeName == references[0].target })
        else { return nil }
        let resolved = try resolve(
            references.map { (source: $0.sourceKey[0], target: $0.targetKey[0]) },
            of: source,
            references[0].attribute,
            to: target
        )
        return (resolved.settled.map { references[$0] }, resolved.count)
    }

    /// Resolves references of one column of a table; nil where the container has no such table.
    private func resolveRows(
        _ references: [KeptReference]
    ) throws -> (settled: [KeptReference], count: Int)? {
        let schema = container.schema
        guard let source = schema.entity(ofTable: references[0].source),
            let target = schema.entity(ofTable: references[0].target),
            let column = source.attributes.firstIndex(where: { $0.name == references[0].attribute })
        else { return nil }
        var known: Set<[QueryValue]> = []
        try withRows(of: target.type, keys: references.map { RowKey($0.targetKey) }) { cursor in
            while try cursor.next() {
                known.insert(try RowKey(row: cursor, entity: target).values)
            }
        }
        // Rows that are gone, or have another reference by now, are settled.
        var rows: [[QueryValue]: [QueryValue]] = [:]
        let keys = Set(references.map(\.sourceKey)).map { RowKey($0) }
        try withRows(of: source.type, keys: keys) { cursor in
            while try cursor.next() {
                guard cursor.isNull(column) else { continue }
                let key = try RowKey(row: cursor, entity: source).values
                rows[key] = try source.values(of: cursor)
            }
        }
        var settled: [KeptReference] = []
        var changes: [RowChange] = []
        var resolved: [(RowKey, QueryValue)] = []
        for reference in references {
            guard var row = rows[reference.sourceKey] else {
                settled.append(reference)
                continue
            }
            guard known.contains(reference.targetKey) else { continue }
            row[column] = reference.targetKey[0]
            resolved.append((RowKey(reference.sourceKey), reference.targetKey[0]))
            changes.append(try RowChange(updating: [column], of: source, to: RowImage(row)))
            settled.append(reference)
        }
        if !changes.isEmpty {
            // Both sides have these references by then: nobody has changed them here.
            let bases = try BaseUpdate(self, source)
            for (key, value) in resolved { bases?.resolve(key, column, value) }
            if let bases { enqueue(bases.beginning) }
            enqueue(RowBatch(source.type, .update, changes))
            if let bases { enqueue(bases.end) }
        }
        return (settled, changes.count)
    }

    /// A list without references to what is not there; nil where nothing is to be done about these.
    ///
    /// - Parameter merge: Knows which rows of the list were deleted here and stay so: references to them are
    ///   taken out in any case where their rule is to be nil.
    /// - Throws: ``SynchronizeError`` where such an attribute cannot be nil, and ``StoreError``.
    func references<Value: Model & Identifiable>(
        of values: [Value],
        _ scope: SynchronizeScope<Value>,
        _ policy: UnknownReferences,
        merging merge: LocalMerge<Value>
    ) throws -> GivenReferences<Value>? {
        let absent = try merge.stayingDeleted(values)
        if policy == .fail, absent.isEmpty { return nil }
        let entity = try entityOfValues(Value.self)
        try requireKept(policy, entity.table)
        return try GivenReferences(
            values,
            entity,
            isWhole: scope.isWhole,
            keeping: policy == .keep,
            deleting: try scope.deletedKeys() ?? [],
            without: absent,
            andOnly: policy == .fail,
            in: self
        )
    }

    /// Sees that references can be kept where they are to be.
    ///
    /// - Throws: ``StoreError`` of kind `invalidSchema`.
    func requireKept(_ policy: UnknownReferences, _ table: String) throws {
        if policy == .keep, KeptReferences(self) == nil {
            throw StoreError(
                .invalidSchema,
                table: table,
                explanation: "references are kept in a table of their own; name "
                    + "MissingReference.self in ModelContainer(for:)"
            )
        }
    }

    /// Keeps what was taken out of a list, where that is the policy, and forgets what was kept of its values
    /// before.
    ///
    /// - Parameter resolving: Whether to resolve what can be; false where rows wait that nobody sees yet, which
    ///   would look as if they were gone.
    func keepReferences<Value>(
        _ given: GivenReferences<Value>?,
        of comparison: ListComparison<Value>,
        _ policy: UnknownReferences,
        resolving: Bool = true
    ) throws {
        try keepReferences(
            policy == .keep ? given?.missing ?? [] : [],
            resolving: resolving
        ) { reference in
            reference.source == comparison.entity.table
                && comparison.contains(RowKey(reference.sourceKey))
        }
    }

    /// Keeps references, forgets the others that were kept of the same rows and objects, and resolves what
    /// can be.
    ///
    /// - Parameter isGiven: Whether a row or an object was given, and refers to what it says by now.
    func keepReferences(
        _ missing: [KeptReference],
        resolving: Bool = true,
        of isGiven: (KeptReference) -> Bool
    ) throws {
        guard let kept = KeptReferences(self) else { return }
        let (new, known) = (Set(missing), Set(try kept.all()))
        try kept.change(
            keeping: missing.filter { !known.contains($0) },
            forgetting: known.filter { !new.contains($0) && isGiven($0) }
        )
        if resolving { try resolveMissingReferences() }
    }
}
