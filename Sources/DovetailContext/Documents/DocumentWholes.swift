import DovetailModel
import DovetailStore

// Objects inside of others that documents have no name for. Which of them is which nobody can tell, so what one
// object has in a list is merged as a whole: by what they are, and not by who they are.

/// What an object has inside of it of a class that documents have no name for, on both sides.
package struct DocumentWhole {
    /// The row of the object.
    package let owner: RowName
    /// The name of its relationship in documents.
    package let name: String
    /// Whether the store has other objects in it than the last document.
    package let isChangedHere: Bool
    /// Whether the document has.
    package let isChangedThere: Bool
    /// Whether both have the same.
    package let isSame: Bool
    /// Those that are in it here and not in the document.
    package let leaving: [any PersistentModel]
    /// Those that are on both sides.
    package let staying: [any PersistentModel]
    /// The rows of it that were changed here.
    package let changed: Set<RowName>
}

/// A relationship whose objects are merged as a whole.
struct WholeLink {
    let link: DocumentMerge.Link
    /// The objects of the document.
    let nodes: [DocumentGraph.Node]
    /// What these refer to.
    let links: [DocumentMerge.Link]
}

/// What an object without a name is: its class, and its columns but for its key and its place.
private struct WholeContent: Hashable {
    let type: String
    let values: [QueryValue]
}

extension ObjectShape.Relationship {
    /// Whether what it owns is merged as a whole: objects without a name in documents that hold nothing but
    /// references to others.
    func isWhole(in context: ModelContext) -> Bool {
        guard isOwning, union == nil, join == nil, let table = try? context.table(of: target) else {
            return false
        }
        return table.objectTypes.allSatisfy { type in
            let shape = ObjectShape.of(type)
            return shape.reference == nil
                && shape.relationships.allSatisfy { other in
                    !other.isToMany && !other.isOwning && (other.holdsKey || other.isOwned)
                }
        }
    }
}

extension DocumentMerge {
    /// The links of a document that is merged, and those of them that are merged as a whole with what is inside.
    func separated() -> (nodes: [Node], links: [Link], wholes: [WholeLink]) {
        var inside: [ObjectIdentifier: [Link]] = [:]
        var found: [(owner: Node, index: Int, nodes: [Node])] = []
        for node in nodes {
            let shape = ObjectShape.of(type(of: node.alone))
            for case (let index, .owned(let nodes)) in node.fields
            where shape.relationships[index].isWhole(in: context) {
                found.append((node, index, nodes))
                for child in nodes { inside[ObjectIdentifier(child.alone)] = [] }
            }
        }
        if found.isEmpty { return (nodes, links, []) }
        let lists = Set(found.map { WholeName($0.owner.object, $0.index) })
        var others: [Link] = []
        for link in links where !lists.contains(WholeName(link.object, link.index)) {
            if inside[ObjectIdentifier(link.object)]?.append(link) == nil { others.append(link) }
        }
        let wholes = found.map { owner, index, nodes in
            WholeLink(
                link: Link(object: owner.object, index: index, others: nodes.map(\.alone)),
                nodes: nodes,
                links: nodes.flatMap { inside[ObjectIdentifier($0.alone)] ?? [] }
            )
        }
        return (nodes.filter { inside[ObjectIdentifier($0.alone)] == nil }, others, wholes)
    }

    /// What objects have inside of them that documents have no name for.
    ///
    /// - Complexity: linear in what they have, and in the number of rows that were changed here of its classes.
    /// - Throws: ``StoreError``, and ``ModelEncodingError`` for an attribute that has no form in a column.
    func wholeRows() throws -> [DocumentWhole] {
        var known: [String: [QueryValue: [(key: RowKey, values: [QueryValue])]]] = [:]
        return try wholes.compactMap { whole in
            let relationship = ObjectShape.of(type(of: whole.link.object))
                .relationships[whole.link.index]
            guard let owner = try name(of: whole.link.object), let key = owner.key.values.first,
                let (table, column) = try memberColumn(whole.link, of: relationship.target),
                let entity = entity(of: table)
            else { return nil }
            let place = "\(column) \(table)"
            if known[place] == nil {
                let rows = (bases?.rows[table] ?? [:]).compactMap { key, base in
                    base.values.map { (key: key, values: $0) }
                }
                known[place] = Dictionary(grouping: rows) { $0.values[column] }
            }
            let held =
                isHere(whole) ? ObjectGraph.held(by: whole.link.object, whole.link.index) : []
            let names = try held.map { try name(of: $0) }
            let before = known[place]?[key] ?? []
            var base = try before.map { try content(of: $0.values, entity) }
            let mine = try held.map { try content(of: $0) }
            for (content, name) in zip(mine, names) where name.map({ bases?[$0] == nil }) ?? true {
                base.append(content)
            }
            let theirs = try whole.nodes.map { try content(of: $0, whole) }
            let (staying, leaving) = try matched(whole, held)
            let changed = names.compactMap { $0 }.filter { bases?[$0] != nil }
            return DocumentWhole(
                owner: owner,
                name: relationship.name,
                isChangedHere: !Self.areSame(mine, base),
                isChangedThere: !Self.areSame(theirs, base),
                isSame: Self.areSame(mine, theirs),
                leaving: leaving,
                staying: staying,
                changed: Set(changed).union(before.map { RowName(table, $0.key) })
            )
        }
    }

    /// Whether the context has the object that a whole is inside of.
    private func isHere(_ whole: WholeLink) -> Bool {
        whole.link.object.persistentBacking.context === context
    }

    /// The objects of a whole that the document has, too, and the others.
    private func matched(
        _ whole: WholeLink,
        _ held: [any PersistentModel]
    ) throws -> (staying: [any PersistentModel], leaving: [any PersistentModel]) {
        let others = try final(whole).others
        let kept = Set(others.lazy.map { ObjectIdentifier($0) })
        return (
            held.filter { kept.contains(ObjectIdentifier($0)) },
            held.filter { !kept.contains(ObjectIdentifier($0)) }
        )
    }

    /// What a relationship holds where the document's objects are taken: those that are here and the same stay.
    func final(_ whole: WholeLink) throws -> (others: [any PersistentModel], new: [Node]) {
        let held = isHere(whole) ? ObjectGraph.held(by: whole.link.object, whole.link.index) : []
        var free = try Dictionary(grouping: held) { try content(of: $0) }
        var others: [any PersistentModel] = []
        var new: [Node] = []
        for node in whole.nodes {
            let content = try content(of: node, whole)
            if let known = free[content]?.first {
                free[content]?.removeFirst()
                others.append(known)
            } else {
                others.append(node.alone)
                new.append(node)
            }
        }
        return (others, new)
    }

    private static func areSame(_ left: [WholeContent], _ right: [WholeContent]) -> Bool {
        func counted(_ all: [WholeContent]) -> [WholeContent: Int] {
            all.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        }
        return counted(left) == counted(right)
    }

    // MARK: What an object is

    private func content(of object: any PersistentModel) throws -> WholeContent {
        try content(of: context.image(of: object), type(of: object))
    }

    private func content(of node: Node, _ whole: WholeLink) throws -> WholeContent {
        let entity = try context.entity(of: type(of: node.alone))
        let row = RowImage(columns: entity.columnCount)
        try entity.writeAttributes(of: node.alone, to: row)
        for link in whole.links.flatMap(parts) where link.object === node.alone {
            guard let column = try ownColumn(link), let other = link.others.first else { continue }
            try RowKey.set(column, of: row, to: name(of: other)?.key)
        }
        return try content(of: row, type(of: node.alone))
    }

    private func content(of values: [QueryValue], _ entity: EntityBinding) throws -> WholeContent {
        let row = RowImage(values)
        let model: any Model.Type = try entity.classTable?.model(of: row) ?? entity.type
        guard let type = model as? any PersistentModel.Type else {
            return WholeContent(type: entity.table, values: values)
        }
        return try content(of: row, type)
    }

    private func content(
        of row: RowImage,
        _ type: any PersistentModel.Type
    ) throws -> WholeContent {
        let entity = try context.entity(of: type)
        var columns = ColumnSet(entity.classColumns)
        let shape = ObjectShape.of(type)
        for case .key(let index, let column) in entity.relationshipColumns
        where !shape.relationships[index].isOwned {
            columns.insert(column)
        }
        return WholeContent(
            type: type.typeName,
            values: try columns.map { try QueryValue(row, $0, entity.attributes[$0]) }
        )
    }
}

/// Names a relationship of an object.
private struct WholeName: Hashable {
    let object: ObjectIdentifier
    let index: Int

    init(_ object: any PersistentModel, _ index: Int) {
        self.object = ObjectIdentifier(object)
        self.index = index
    }
}
