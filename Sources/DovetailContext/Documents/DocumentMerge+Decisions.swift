import DovetailModel
import DovetailStore

// What a document does where it is merged with what was changed here: some of what it says does not happen.

extension DocumentMerge {
    /// What becomes of the attributes of an object; nil for nothing.
    ///
    /// - Throws: ``ModelDecodingError`` for a row of both sides that is no object of its class.
    func change(
        _ node: Node,
        _ keyPaths: [any AnyKeyPath & Sendable],
        _ decisions: DocumentDecisions
    ) throws -> (
        object: any PersistentModel, new: any PersistentModel,
        keyPaths: [any AnyKeyPath & Sendable]
    )? {
        guard let name = try name(of: node.object), let kept = decisions.kept[name],
            !kept.isEmpty
        else { return (node.object, node.alone, keyPaths) }
        let type = type(of: node.object)
        let table = try context.table(of: type)
        let taken = keyPaths.filter { keyPath in
            table.column(of: keyPath).map { !kept.contains($0) } ?? true
        }
        if taken.isEmpty { return nil }
        let entity = try context.entity(of: type)
        let row = try context.image(of: node.object)
        let theirs = RowImage(columns: entity.columnCount)
        try entity.writeAttributes(of: node.alone, to: theirs)
        for column in entity.classColumns where !kept.contains(column) {
            try theirs.write(column, to: row, at: column)
        }
        return (node.object, try context.newObject(type, from: row, entity), taken)
    }

    /// What a relationship will hold; nil where it stays as it is.
    func final(_ link: Link, _ decisions: DocumentDecisions) throws -> Link? {
        guard bases?.isMerge == true, let name = try name(of: link.object) else { return link }
        if decisions.skipped.contains(name) { return nil }
        func comes(_ other: any PersistentModel) throws -> Bool {
            try self.name(of: other).map { !decisions.skipped.contains($0) } ?? true
        }
        if let column = try ownColumn(link) {
            guard decisions.takes(column, of: name) else { return nil }
            return Link(
                object: link.object,
                index: link.index,
                others: try link.others.filter(comes)
            )
        }
        let relationship = ObjectShape.of(type(of: link.object)).relationships[link.index]
        guard let column = try memberColumn(link, of: relationship.target)?.column else {
            return link
        }
        let held = ObjectGraph.held(by: link.object, link.index)
        let present = Set(held.lazy.map { ObjectIdentifier($0) })
        func takes(_ member: any PersistentModel) throws -> Bool {
            try self.name(of: member).map { decisions.takes(column, of: $0) } ?? true
        }
        let members = try link.others.filter {
            try comes($0) && (takes($0) || present.contains(ObjectIdentifier($0)))
        }
        let known = Set(members.lazy.map { ObjectIdentifier($0) })
        let staying = try held.filter { try !known.contains(ObjectIdentifier($0)) && !takes($0) }
        guard relationship.isToMany else {
            let one = members.first ?? staying.first
            return Link(object: link.object, index: link.index, others: one.map { [$0] } ?? [])
        }
        let all = known.union(staying.lazy.map { ObjectIdentifier($0) })
        let here = held.filter { all.contains(ObjectIdentifier($0)) }
        let others =
            try isReordered(link, held)
            ? Self.arranged(here, between: members) : Self.arranged(members, between: here)
        return Link(object: link.object, index: link.index, others: others)
    }

    /// Objects in their order, with others of a second list, each after the one before it there.
    private static func arranged(
        _ first: [any PersistentModel],
        between second: [any PersistentModel]
    ) -> [any PersistentModel] {
        let known = Set(first.lazy.map { ObjectIdentifier($0) })
        var beginning: [any PersistentModel] = []
        var followers: [ObjectIdentifier: [any PersistentModel]] = [:]
        var last: ObjectIdentifier?
        for object in second {
            let identifier = ObjectIdentifier(object)
            if known.contains(identifier) {
                last = identifier
            } else if let last {
                followers[last, default: []].append(object)
            } else {
                beginning.append(object)
            }
        }
        return beginning + first.flatMap { [$0] + (followers[ObjectIdentifier($0)] ?? []) }
    }

    /// Whether the places of objects in a list were changed here.
    private func isReordered(_ link: Link, _ held: [any PersistentModel]) throws -> Bool {
        guard let bases else { return false }
        let relationship = ObjectShape.of(type(of: link.object)).relationships[link.index]
        for member in held {
            guard let name = try name(of: member), let base = bases[name]?.values else { continue }
            let entity = try context.entity(of: type(of: member))
            for case .member(let owner, link.index, _, let order) in entity.relationshipColumns
            where ObjectIdentifier(owner) == ObjectIdentifier(relationship.owner) {
                let place = member.persistentBacking.order(relationship.owner, link.index)
                let now = place.map { QueryValue.integer($0) } ?? .null
                // One that has come here was in no place before.
                if base[order] != .null, base[order] != now { return true }
            }
        }
        return false
    }

    /// The rows that stay where the document puts another object, in relationships to one.
    func clashes(_ decisions: DocumentDecisions) throws -> [RowName] {
        var clashes: [RowName] = []
        for link in links {
            guard let name = try name(of: link.object), !decisions.skipped.contains(name) else {
                continue
            }
            let relationship = ObjectShape.of(type(of: link.object)).relationships[link.index]
            if relationship.isToMany { continue }
            if let column = try ownColumn(link) {
                guard decisions.takes(column, of: name), let other = link.others.first,
                    let inverse = relationship.inverse,
                    !ObjectShape.of(relationship.target).relationships[inverse].isToMany,
                    other.persistentBacking.context === context,
                    let present = ObjectGraph.one(other, inverse), present !== link.object,
                    let rival = try self.name(of: present)
                else { continue }
                let isTouched = decisions.kept[rival] != nil || decisions.staying.contains(rival)
                let stays = isTouched ? !decisions.takes(column, of: rival) : bases?[rival] != nil
                if stays { clashes.append(rival) }
                continue
            }
            guard let column = try memberColumn(link, of: relationship.target)?.column,
                let final = try final(link, decisions)?.others.first
            else { continue }
            for rival in ObjectGraph.held(by: link.object, link.index) where rival !== final {
                guard let other = try self.name(of: rival), !decisions.takes(column, of: other)
                else { continue }
                clashes.append(other)
            }
        }
        return clashes
    }

    /// Sees that everything the document says can be merged.
    ///
    /// - Throws: ``StoreError`` of kind `unsupported`.
    func requireMergeable() throws {
        for node in nodes {
            let type = type(of: node.alone)
            let shape = ObjectShape.of(type)
            guard shape.reference != nil else {
                throw Self.unmergeable(
                    type,
                    nil,
                    "objects without a name in documents cannot be merged; declare a key, or an "
                        + "attribute with `.unique`"
                )
            }
            for (index, _) in node.fields {
                let relationship = shape.relationships[index]
                if relationship.join == nil, relationship.union == nil { continue }
                throw Self.unmergeable(
                    type,
                    relationship.name,
                    relationship.join == nil
                        ? "relationships to a protocol cannot be merged"
                        : "two lists that lead back to each other cannot be merged; leave them out "
                            + "of the document"
                )
            }
        }
    }

    private static func unmergeable(
        _ type: any PersistentModel.Type,
        _ name: String?,
        _ explanation: String
    ) -> StoreError {
        StoreError(
            .unsupported,
            table: type.modelTable,
            column: name,
            explanation: explanation
        )
    }
}
