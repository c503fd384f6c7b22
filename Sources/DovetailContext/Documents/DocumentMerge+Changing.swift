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
        let (inside, references) = try taken(decisions)
        let changed = try changes(decisions, inside)
        let links = try links.compactMap { try final($0, decisions) }
        let cleared = try decisions.cleared.compactMap { name, columns in
            try entity(of: name.table).flatMap { try context.object(name.key, in: $0) }
                .map { ($0, columns) }
        }
        for node in nodes where node.object === node.alone {
            let key = keys[ObjectIdentifier(node.alone)]
            if let name = try name(of: node.alone), decisions.skipped.contains(name) { continue }
            context.insertObject(node.alone, key)
        }
        for node in inside.new {
            context.insertObject(node.alone, keys[ObjectIdentifier(node.alone)])
        }
        for (object, other, keyPaths) in changed {
            object.takeAttributes(of: other, changing: keyPaths)
        }
        for (object, columns) in cleared { try context.clear(object, columns) }
        for link in links + references + inside.links + inside.orders.map(\.link) {
            ObjectGraph.replace(link.object, link.index, with: link.others)
        }
        try takeOut(inside, decisions)
    }

    /// Takes objects that have moved into wholes, or out of them, out of what they were inside of.
    private func takeOut(_ inside: TakenWholes, _ decisions: DocumentDecisions) throws {
        let known = Set(inside.known.lazy.map { ObjectIdentifier($0.object) })
        for link in inside.links {
            for other in link.others where known.contains(ObjectIdentifier(other)) {
                let (place, relationship) = relationship(link, to: type(of: other))
                try context.leaveOwners(of: other, besides: relationship, place)
            }
        }
        let others = try nodes.filter { node in
            try name(of: node.object).map { !decisions.skipped.contains($0) } ?? true
        }
        let coming = Set(others.lazy.map { ObjectIdentifier($0.object) })
        for link in inside.leaving {
            let leaves = link.others.contains { coming.contains(ObjectIdentifier($0)) }
            if !leaves { continue }
            let held = ObjectGraph.held(by: link.object, link.index)
            let rest = held.filter { one in !link.others.contains { $0 === one } }
            ObjectGraph.replace(link.object, link.index, with: rest)
        }
    }

    /// What becomes that of the document as a whole, and what its objects refer to.
    private func taken(
        _ decisions: DocumentDecisions
    ) throws -> (inside: TakenWholes, references: [Link]) {
        guard let wholes, !decisions.wholes.isEmpty else { return (TakenWholes(), []) }
        let inside = wholes.taken(decisions.wholes, inOrder: bases?.isMerge != true)
        let references = try (inside.new + inside.known).flatMap { node in
            try (wholes.references[ObjectIdentifier(node.object)] ?? []).compactMap {
                try final($0, decisions)
            }
        }
        return (inside, references)
    }

    /// What becomes of the attributes of the objects that are there.
    private func changes(
        _ decisions: DocumentDecisions,
        _ inside: TakenWholes
    ) throws -> [Change] {
        let others = Set(self.inside.lazy.map { ObjectIdentifier($0) })
        let known = Set(inside.known.lazy.map { ObjectIdentifier($0) })
        return try changed.compactMap { node, keyPaths in
            let identifier = ObjectIdentifier(node)
            if others.contains(identifier), !known.contains(identifier) { return nil }
            return try change(node, keyPaths, decisions)
        }
    }

    /// The objects of the document, and what becomes of each; without those that do not come.
    ///
    /// - Throws: as ``apply(_:)``.
    func objects(
        _ decisions: DocumentDecisions = DocumentDecisions()
    ) throws -> [MergedDocument.Given] {
        let (inside, references) = try taken(decisions)
        // By the object, what has the attributes that it will have.
        var touched: [ObjectIdentifier: any PersistentModel] = [:]
        for change in try changes(decisions, inside) {
            touched[ObjectIdentifier(change.object)] = change.new
        }
        var relationships: [ObjectIdentifier: [String]] = [:]
        let links = try links.compactMap { try final($0, decisions) } + references + inside.links
        func add(_ link: Link) {
            let name = ObjectShape.of(type(of: link.object)).relationships[link.index].name
            let object = ObjectIdentifier(link.object)
            if relationships[object]?.contains(name) == true { return }
            relationships[object, default: []].append(name)
        }
        for link in links where !isSame(link) { add(link) }
        for (link, whole) in inside.orders where !isSame(link) {
            if let wholes { add(wholes.wholes[whole].link) }
        }
        func given(_ node: Node) -> MergedDocument.Given {
            let identifier = ObjectIdentifier(node.object)
            let isNew = node.object === node.alone
            return MergedDocument.Given(
                node.object,
                becoming: touched[identifier] ?? node.object,
                isNew: isNew,
                isChanged: touched[identifier] != nil || relationships[identifier] != nil,
                relationships: relationships[identifier] ?? []
            )
        }
        return try (self.inside.filter { $0.object !== $0.alone } + inside.new).map(given)
            + nodes.compactMap { node in
                let isSkipped = try name(of: node.object).map(decisions.skipped.contains)
                return isSkipped == true ? nil : given(node)
            }
    }

    /// Whether a relationship holds already what it will.
    private func isSame(_ link: Link) -> Bool {
        ObjectGraph.held(by: link.object, link.index).elementsEqual(link.others) { $0 === $1 }
    }
}

extension ModelContext {
    /// Takes an object out of all that it is inside of, but for one relationship.
    fileprivate func leaveOwners(
        of object: any PersistentModel,
        besides relationship: ObjectShape.Relationship,
        _ place: Int
    ) throws {
        let shape = ObjectShape.of(type(of: object))
        for part in try entity(of: type(of: object)).relationshipColumns {
            switch part {
            case .key(let index, _)
            where shape.relationships[index].isOwned && index != relationship.inverse:
                ObjectGraph.replace(object, index, with: [])
            case .member(let owner as any PersistentModel.Type, let index, _?, _)
            where ObjectShape.of(owner).relationships[index].isOwning
                && (index != place
                    || ObjectIdentifier(owner) != ObjectIdentifier(relationship.owner)):
                ObjectGraph.leaveList(object, of: owner, index)
            default: continue
            }
        }
    }

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
