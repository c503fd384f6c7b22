import DovetailModel
import DovetailStore

// What a document makes of the objects of a context.

extension DocumentMerge {
    /// Changes the context. Objects are inserted before anything leads to them.
    ///
    /// - Parameter decisions: What becomes of rows beside what the document says.
    /// - Throws: ``ModelDecodingError`` for a row of both sides that is no object of its class; nothing is
    ///   changed then.
    func apply(_ decisions: DocumentDecisions = DocumentDecisions()) throws {
        let changed = try changed.compactMap { try change($0.node, $0.keyPaths, decisions) }
        let links = try links.compactMap { try final($0, decisions) }
        let cleared = try decisions.cleared.compactMap { name, columns in
            try entity(of: name.table).flatMap { try context.object(name.key, in: $0) }
                .map { ($0, columns) }
        }
        let wholes = try decisions.wholes.sorted().map { place in
            let whole = self.wholes[place]
            return (whole: whole, final: try final(whole))
        }
        let references = try wholes.flatMap { whole, final in
            let new = Set(final.new.map { ObjectIdentifier($0.alone) })
            return try whole.links.filter { new.contains(ObjectIdentifier($0.object)) }
                .compactMap { try self.final($0, decisions) }
        }
        for node in nodes where node.object === node.alone {
            let key = keys[ObjectIdentifier(node.alone)]
            if let name = try name(of: node.alone), decisions.skipped.contains(name) { continue }
            context.insertObject(node.alone, key)
        }
        for node in wholes.flatMap({ $0.final.new }) {
            context.insertObject(node.alone, keys[ObjectIdentifier(node.alone)])
        }
        for (object, other, keyPaths) in changed { Self.take(object, other, keyPaths) }
        for (object, columns) in cleared { try context.clear(object, columns) }
        for link in links + references {
            ObjectGraph.replace(link.object, link.index, with: link.others)
        }
        for (whole, final) in wholes {
            ObjectGraph.replace(whole.link.object, whole.link.index, with: final.others)
        }
    }

    /// The objects of the document, and what becomes of each; without those that do not come.
    ///
    /// - Throws: as ``apply(_:)``.
    func objects(
        _ decisions: DocumentDecisions = DocumentDecisions()
    ) throws -> [MergedDocument.Given] {
        // By the object, what has the attributes that it will have.
        var touched: [ObjectIdentifier: any PersistentModel] = [:]
        for (node, keyPaths) in changed {
            guard let change = try change(node, keyPaths, decisions) else { continue }
            touched[ObjectIdentifier(change.object)] = change.new
        }
        var relationships: [ObjectIdentifier: [String]] = [:]
        for link in try links.compactMap({ try final($0, decisions) }) where !isSame(link) {
            let name = ObjectShape.of(type(of: link.object)).relationships[link.index].name
            relationships[ObjectIdentifier(link.object), default: []].append(name)
        }
        var inside: [MergedDocument.Given] = []
        for whole in decisions.wholes.sorted().map({ wholes[$0] }) {
            let (others, new) = try final(whole)
            let link = Link(object: whole.link.object, index: whole.link.index, others: others)
            if !isSame(link) {
                let name = ObjectShape.of(type(of: link.object)).relationships[link.index].name
                relationships[ObjectIdentifier(link.object), default: []].append(name)
            }
            inside += new.map {
                MergedDocument.Given(
                    $0.alone,
                    becoming: $0.alone,
                    isNew: true,
                    isChanged: false,
                    relationships: []
                )
            }
        }
        return try inside
            + nodes.compactMap { node in
                if let name = try name(of: node.object), decisions.skipped.contains(name) {
                    return nil
                }
                let identifier = ObjectIdentifier(node.object)
                return MergedDocument.Given(
                    node.object,
                    becoming: touched[identifier] ?? node.object,
                    isNew: node.object === node.alone,
                    isChanged: touched[identifier] != nil || relationships[identifier] != nil,
                    relationships: relationships[identifier] ?? []
                )
            }
    }

    /// Whether a relationship holds already what it will.
    private func isSame(_ link: Link) -> Bool {
        ObjectGraph.held(by: link.object, link.index).elementsEqual(link.others) { $0 === $1 }
    }

    /// Gives an object the attributes of another one.
    static func take<Object: PersistentModel>(
        _ object: Object,
        _ other: any PersistentModel,
        _ keyPaths: [any AnyKeyPath & Sendable]
    ) {
        let backing = object.persistentBacking
        for keyPath in keyPaths { backing.context?.registry.markChanged(object, keyPath) }
        backing.changing(object, keyPaths[...]) { object._$take(from: other) }
    }
}

extension ModelContext {
    /// Takes an object out of what some columns of its row refer to.
    ///
    /// - Throws: ``StoreError`` for a class that the container was made without.
    fileprivate func clear(_ object: any PersistentModel, _ columns: ColumnSet) throws {
        for part in try entity(of: type(of: object)).relationshipColumns {
            switch part {
            case .key(let index, let column) where columns.contains(column):
                ObjectGraph.replace(object, index, with: [])
            case .member(let owner as any PersistentModel.Type, let index, let column?, _)
            where columns.contains(column):
                ObjectGraph.leaveList(object, of: owner, index)
            default: continue
            }
        }
    }
}
