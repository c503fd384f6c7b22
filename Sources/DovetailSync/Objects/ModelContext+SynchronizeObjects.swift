public import DovetailContext
public import DovetailModel
import DovetailStore
public import Foundation

extension ModelContext {
    /// Makes the objects of a class be those of a document: it brings new ones, changes others, and those
    /// that it does not have are deleted. It is part of the unit of work.
    ///
    /// ```swift
    /// let data = Data(#"[{"id":1,"title":"tools","owner":"ann@x.org"}]"#.utf8)
    /// let result = try context.synchronize([Box].self, from: data, as: .json)
    /// try context.save()
    /// print(result)               // 0 added, 1 updated, 2 removed, 0 unchanged
    /// ```
    ///
    /// The document is read as by `context.decode(_:from:as:)`, with the objects inside
    /// of others and references to others by what names them, also to those that come later in it. An object
    /// of the class that is anywhere in the document stays.
    ///
    /// - Parameters:
    ///   - type: The class, whose objects documents can name: by a declared key, or a unique attribute.
    ///   - data: An array of them.
    ///   - format: The format.
    ///   - deletionLimit: What part of the stored objects may be deleted, from 0 to 1.
    ///   - unknownReferences: What becomes of references that lead nowhere.
    ///   - localChanges: What becomes of what was changed here since the last document. Attributes, and
    ///     relationships to one by their columns, may have rules of their own in the class; objects inside of
    ///     others have the general one.
    /// - Complexity: as of `context.decode(_:from:as:)`, and the identifiers of all
    ///   objects of the class. In a store that knows what was changed here, each row that was is looked at, in
    ///   all tables of which the document may speak; a merge reads what is inside of objects that go.
    /// - Throws: ``ModelDecodingError``, ``SynchronizeError`` above the limit, for conflicts that are errors,
    ///   and for what refers to an object that the document deletes,
    ///   ``StoreError`` of kind `unsupported` for a class without a name in documents, and where changes that
    ///   wait would have to be merged, or objects without a name in documents that are inside of two others or to
    ///   which the rows of others refer,
    ///   `historyDisabled` where the store does not know what was changed, and `invalidSchema` where
    ///   references or conflicts are to be kept and the container has no `MissingReference` or
    ///   `MergeConflict`; ``QueryError`` for a rule of what is no column; and what a fetch throws. Nothing is
    ///   changed in the context then.
    @discardableResult
    public func synchronize<Object: PersistentModel>(
        _ type: [Object].Type,
        from data: Data,
        as format: ModelFormat,
        deletionLimit: Double = 1,
        unknownReferences: UnknownReferences = .fail,
        localChanges: LocalChangePolicy<Object> = .replace
    ) throws -> SynchronizeResult<Object> {
        try synchronizeObjects(
            from: data,
            as: format,
            nil,
            deletionLimit,
            unknownReferences,
            localChanges
        ) { given in
            try self.objects(of: Object.self, besides: given)
        }
        .result
    }

    /// Makes the children of one object be those of a document, in its order: it brings new ones, changes
    /// others, takes in those of other parents, and those that it does not have are deleted.
    ///
    /// ```swift
    /// let data = Data(#"[{"name":"hammer"},{"name":"saw"}]"#.utf8)
    /// try context.synchronize([Item].self, from: data, as: .json, within: \Box.items, of: box)
    /// ```
    ///
    /// - Parameters:
    ///   - type: The class of the children, whose objects documents can name.
    ///   - data: An array of them.
    ///   - format: The format.
    ///   - relationship: Where the parent has them.
    ///   - owner: The parent, an object of this context.
    ///   - deletionLimit: What part of the children may be deleted, from 0 to 1.
    ///   - unknownReferences: What becomes of references that lead nowhere.
    ///   - localChanges: What becomes of what was changed here since the last document.
    /// - Complexity: as of `context.decode(_:from:as:)`, and the children of this one
    ///   object, however many others there are; each row that was changed here is looked at, as for all
    ///   objects of a class.
    /// - Throws: as ``synchronize(_:from:as:deletionLimit:unknownReferences:localChanges:)``; ``QueryError`` for a key path
    ///   that is no relationship of an object of this context.
    @discardableResult
    public func synchronize<Object: PersistentModel, Owner: PersistentModel>(
        _ type: [Object].Type,
        from data: Data,
        as format: ModelFormat,
        within relationship: KeyPath<Owner, [Object]>,
        of owner: Owner,
        deletionLimit: Double = 1,
        unknownReferences: UnknownReferences = .fail,
        localChanges: LocalChangePolicy<Object> = .replace
    ) throws -> SynchronizeResult<Object> {
        try synchronizeObjects(
            from: data,
            as: format,
            (owner, relationship),
            deletionLimit,
            unknownReferences,
            localChanges
        ) { given in
            let known = Set(given.lazy.map { ObjectIdentifier($0) })
            return owner[keyPath: relationship].filter { !known.contains(ObjectIdentifier($0)) }
        }
        .result
    }

    /// Reads a document into the context, and deletes what it does not have.
    ///
    /// - Parameter others: The objects of the scope that are not among those of the document.
    /// - Returns: what happens, and what is known of changes; nil for that in a store which does not know.
    func synchronizeObjects<Object: PersistentModel>(
        from data: Data,
        as format: ModelFormat,
        _ list: (any PersistentModel, AnyKeyPath)?,
        _ deletionLimit: Double,
        _ policy: UnknownReferences,
        _ localChanges: LocalChangePolicy<Object>,
        others: ([Object]) throws -> [Object]
    ) throws -> (result: SynchronizeResult<Object>, bases: ObjectBases?) {
        let table = Object.typeName
        try requireNamed(Object.self)
        try requireKept(policy, table)
        let changes = try ObjectMerge(self, localChanges)
        var result = SynchronizeResult<Object>()
        var missing: [KeptReference] = []
        var sources: Set<[QueryValue]> = []
        var replaced: [any PersistentModel] = []
        var given: Set<ObjectIdentifier> = []
        try merge(
            Object.self,
            from: data,
            as: format,
            filling: list.map { (owner: $0.0, keyPath: $0.1) },
            leavingOut: policy != .fail,
            over: { try changes?.bases(with: $0) }
        ) { document in
            let known = document.known(Object.self)
            let absent = try others(known)
            replaced = document.replaced
            let decisions = try document.merge.flatMap {
                try changes?.decide($0, deleting: absent, isWhole: list == nil)
            }
            var objects = document.objects
            if localChanges.isMerge, let decisions, let merge = document.merge {
                objects = try merge.objects(decisions)
            }
            given = Set(objects.lazy.map { ObjectIdentifier($0.object) })
            try changes?.bases.speak(of: objects.lazy.map(\.object), in: self)
            let own = objects.filter { $0.object is Object }
            func all(where takes: (MergedDocument.Given) -> Bool) -> [Object] {
                own.lazy.filter(takes).compactMap { $0.object as? Object }
            }
            let removed = try absent.filter { try changes?.stays($0) != true }
            let stored = Double(absent.count + known.count)
            guard removed.isEmpty || Double(removed.count) <= deletionLimit * stored else {
                throw SynchronizeError(table: table, positions: [], reason: .tooManyDeletions)
            }
            let gone = removed + (changes?.removed ?? [])
            if policy == .fail { try Self.requireTargets(document, gone, table) }
            if policy == .keep {
                let coming = Set(objects.map { ObjectIdentifier($0.object) })
                missing = try (document.missing + document.references(to: gone)).filter {
                    coming.contains(ObjectIdentifier($0.object))
                }
                .map { try KeptReference($0, in: self) }
            }
            for object in objects.map(\.object) {
                guard let key = try self.documentKey(of: object) else { continue }
                sources.insert([.text(Swift.type(of: object).typeName), key])
            }
            result = SynchronizeResult(
                added: all { $0.isNew },
                updated: all { !$0.isNew && $0.isChanged },
                removals: removed.map { SynchronizeResult.Removal($0, .notGiven) },
                unchanged: all { !$0.isNew && !$0.isChanged }
            )
            return decisions ?? DocumentDecisions()
        }
        // What the document has stays, also where it belonged to an object that goes.
        for object in result.removed { delete(anyObject: object, keeping: given) }
        for object in replaced + (changes?.removed ?? []) { delete(anyObject: object) }
        try changes?.bases.enqueue(in: self)
        try changes?.keepConflicts()
        try keepReferences(missing) { sources.contains([.text($0.source)] + $0.sourceKey) }
        return (result, changes?.bases)
    }

    /// Sees that nothing of a document refers to an object that goes with what it does not have.
    ///
    /// - Throws: ``SynchronizeError`` with the positions of what does, and what a fetch throws.
    static func requireTargets(
        _ document: MergedDocument,
        _ gone: [any PersistentModel],
        _ table: String
    ) throws {
        let positions = document.positions(of: try document.references(to: gone))
        guard positions.isEmpty else {
            throw SynchronizeError(table: table, positions: positions, reason: .deletedReference)
        }
    }
}
