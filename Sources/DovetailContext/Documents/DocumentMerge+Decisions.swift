import DovetailModel
import DovetailStore

// What a document does where it is merged with what was changed here: some of what it says does not happen.

extension DocumentMerge {
    /// What is merged as a whole where the document replaces what is here: all of it becomes what the document has,
    /// also in its order.
    var replacing: DocumentDecisions {
        var decisions = DocumentDecisions()
        if bases?.isMerge != true { decisions.wholes = Set(wholes?.wholes.indices ?? 0..<0) }
        return decisions
    }

    /// The objects inside of that which the document does not have.
    ///
    /// - Complexity: linear in what is inside.
    /// - Throws: ``ModelEncodingError`` for an attribute that has no form in a column.
    func replacedParts() throws -> [any PersistentModel] {
        guard let wholes, bases?.isMerge != true else { return [] }
        var choices = WholeChoices()
        choices.taken = replacing.wholes
        let others = Set(try nodes.compactMap { try name(of: $0.object) })
        return try wholes.outcome(choices, self, besides: others).leaving
    }

    /// What becomes of the attributes of an object.
    typealias Change = (
        object: any PersistentModel, new: any PersistentModel,
        keyPaths: [any AnyKeyPath & Sendable]
    )

    /// What becomes of the attributes of an object; nil for nothing.
    ///
    /// - Throws: ``ModelDecodingError`` for a row of both sides that is no object of its class.
    func change(
        _ node: Node,
        _ keyPaths: [any AnyKeyPath & Sendable],
        _ decisions: DocumentDecisions
    ) throws -> Change? {
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
        let own = try parts(of: link).compactMap { try ownColumn($0) }
        if own.contains(where: { !decisions.takes($0, of: name) }) { return nil }
        let relationship = ObjectShape.of(type(of: link.object)).relationships[link.index]
        let held = ObjectGraph.held(by: link.object, link.index)
        let present = Set(held.lazy.map { ObjectIdentifier($0) })
        func takes(_ member: any PersistentModel) throws -> Bool {
            if let pair = try pair(link, member) { return !decisions.pairs.contains(pair) }
            guard let name = try self.name(of: member),
                let column = try memberColumn(link, of: type(of: member))?.column
            else { return true }
            return decisions.takes(column, of: name)
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
            ? Self.arranged(here, between: members)
            : Self.arranged(members, between: held, keeping: all)
        return Link(object: link.object, index: link.index, others: others)
    }

    /// Objects in their order, with others of a second list, each after the one before it there; at the end where all
    /// before it are gone.
    ///
    /// - Parameter staying: Those of the second list that are not gone; nil for all of them.
    private static func arranged(
        _ first: [any PersistentModel],
        between second: [any PersistentModel],
        keeping staying: Set<ObjectIdentifier>? = nil
    ) -> [any PersistentModel] {
        let known = Set(first.lazy.map { ObjectIdentifier($0) })
        var (beginning, end): ([any PersistentModel], [any PersistentModel]) = ([], [])
        var isFirst = true
        var followers: [ObjectIdentifier: [any PersistentModel]] = [:]
        var last: ObjectIdentifier?
        for object in second {
            let identifier = ObjectIdentifier(object)
            if known.contains(identifier) {
                last = identifier
            } else if staying?.contains(identifier) == false {
                isFirst = false
            } else if let last {
                followers[last, default: []].append(object)
            } else if isFirst {
                beginning.append(object)
            } else {
                end.append(object)
            }
        }
        return beginning + first.flatMap { [$0] + (followers[ObjectIdentifier($0)] ?? []) } + end
    }

    /// Whether the places of objects in a list were changed here.
    private func isReordered(_ link: Link, _ held: [any PersistentModel]) throws -> Bool {
        guard let bases else { return false }
        for member in held {
            let (index, relationship) = relationship(link, to: type(of: member))
            if let list = list(Link(object: link.object, index: index, others: [])) {
                let place = list.place(list.link(link.object, member, in: context))
                guard let name = try pair(link, member), let base = bases[name]?.values else {
                    continue
                }
                if base[list.order] != .null, base[list.order] != place { return true }
                continue
            }
            guard let name = try name(of: member), let base = bases[name]?.values,
                let column = try memberColumn(link, of: type(of: member))?.column,
                try base[column] == self.name(of: link.object)?.key.values.first
            else { continue }
            let entity = try context.entity(of: type(of: member))
            for case .member(let owner, index, _, let order) in entity.relationshipColumns
            where ObjectIdentifier(owner) == ObjectIdentifier(relationship.owner) {
                let place = member.persistentBacking.order(relationship.owner, index)
                let now = place.map { QueryValue.integer($0) } ?? .null
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
            if ObjectShape.of(type(of: link.object)).relationships[link.index].isToMany { continue }
            for part in parts(of: link) {
                if let rival = try rival(of: part, name, decisions) { clashes.append(rival) }
            }
            guard let final = try final(link, decisions)?.others.first else { continue }
            for rival in ObjectGraph.held(by: link.object, link.index) where rival !== final {
                guard let column = try memberColumn(link, of: type(of: rival))?.column,
                    let other = try self.name(of: rival), !decisions.takes(column, of: other)
                else { continue }
                clashes.append(other)
            }
        }
        return clashes
    }

    /// The row that stays and holds the object which the document puts into a relationship to one whose key
    /// its own rows hold, where that object can be in one of them only; nil for none.
    private func rival(
        of link: Link,
        _ name: RowName,
        _ decisions: DocumentDecisions
    ) throws -> RowName? {
        let relationship = ObjectShape.of(type(of: link.object)).relationships[link.index]
        guard let column = try ownColumn(link), decisions.takes(column, of: name),
            let other = link.others.first, let inverse = relationship.inverse,
            !ObjectShape.of(relationship.target).relationships[inverse].isToMany,
            other.persistentBacking.context === context,
            let present = ObjectGraph.held(by: other, inverse).first, present !== link.object,
            let rival = try self.name(of: present)
        else { return nil }
        let isTouched = decisions.kept[rival] != nil || decisions.staying.contains(rival)
        let stays = isTouched ? !decisions.takes(column, of: rival) : bases?[rival] != nil
        return stays ? rival : nil
    }
}
