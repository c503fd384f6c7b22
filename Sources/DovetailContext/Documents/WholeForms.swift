import DovetailModel
import DovetailStore

/// What is merged as a whole in its three forms, compared with each other.
struct WholeForms {
    let wholes: [WholeLink]
    let here: WholeForest
    let before: WholeForest
    let there: WholeForest
    /// The objects of the document, in the order of ``there``.
    let nodes: [DocumentGraph.Node]
    /// What they refer to, by the objects.
    let references: [ObjectIdentifier: [DocumentMerge.Link]]
    /// The rows that the wholes are inside of.
    let owners: [RowName]
    let lists: [WholeList]
    /// The positions of ``here`` by the objects.
    let positions: [ObjectIdentifier: Int]
    let reader: WholeReader

    /// Reads the three forms.
    ///
    /// - Parameter bases: What was changed here, with references to rows that were deleted as they were.
    /// - Complexity: linear in the number of the objects inside, and in that of the rows that were changed here of
    ///   their classes; a query for each relationship of a level.
    /// - Throws: ``StoreError`` of kind `unsupported` for what has no meaning as a part of a whole,
    ///   ``ModelEncodingError`` for an attribute that has no form in a column, and what a fetch throws.
    init?(
        _ merge: DocumentMerge,
        _ separated: SeparatedLinks,
        over bases: DocumentBases
    ) throws {
        if separated.wholes.isEmpty { return nil }
        let context = merge.context
        let others = Set(try separated.nodes.compactMap { try merge.name(of: $0.object) })
        let reader = WholeReader(context, over: bases, besides: others)
        let links = separated.wholes.map(\.link)
        let owners = try links.map { link in
            guard let name = try merge.name(of: link.object) else {
                throw ModelContext.unmergeable(
                    type(of: link.object).modelTable,
                    "are inside of one without a row"
                )
            }
            return name
        }
        let lists = try links.map { try context.wholeList($0.index, of: type(of: $0.object)) }
        let stored = links.map { link in
            link.object.persistentBacking.context === context ? link.object : nil
        }
        var here = try reader.here(
            zip(stored, links).map { object, link in object.map { ($0, link.index) } }
        )
        var before = try reader.before(
            links.indices.map {
                (owners[$0], type(of: links[$0].object), links[$0].index, stored[$0])
            },
            here
        )
        let known = separated.inside.filter { $0.object !== $0.alone }.map(\.object)
        try reader.add(known, to: &here)
        let named = try separated.inside.compactMap { node in
            try merge.name(of: node.object).map { name in
                (name: name, object: node.object === node.alone ? nil : node.object)
            }
        }
        try reader.add(before: named, to: &before, here)
        var numbers = WholeNumbers()
        // What refers to a row that was deleted here refers to nothing, or to the one with its name.
        var targets = merge.replaced.mapValues { $0.values.first ?? .null }
        for reference in merge.dropped { targets[reference.row] = .null }
        func values(_ part: WholeForest.Part) throws -> [QueryValue] {
            let about = try reader.about(part.type)
            var row = part.row
            for (column, table) in targets.isEmpty ? [] : about.references {
                row[column] = targets[RowName(table, RowKey([row[column]]))] ?? row[column]
            }
            return about.columns.map { row[$0] }
        }
        try here.number(&numbers, values)
        try before.number(&numbers, values)
        var reading = WholesOfDocument(merge, separated, reader, here)
        try reading.read(owners, lists)
        var there = reading.forest
        nodes = reading.nodes
        try there.number(&numbers, values) { [before, here] part in
            if let known = before[part.name] {
                return before.numbers(inside: known, in: part.silent)
            }
            return here[part.name].map { here.numbers(inside: $0, in: part.silent) } ?? []
        }
        positions = Dictionary(
            here.parts.enumerated().compactMap { position, part in
                part.object.map { (ObjectIdentifier($0), position) }
            },
            uniquingKeysWith: { first, _ in first }
        )
        (self.here, self.before, self.there) = (here, before, there)
        (self.owners, self.lists, self.reader) = (owners, lists, reader)
        wholes = separated.wholes
        references = separated.references
    }

    /// What each is on both sides.
    ///
    /// - Throws: ``ModelEncodingError``.
    func all(_ merge: DocumentMerge) throws -> [DocumentWhole] {
        try wholes.indices.map { place in
            let link = wholes[place].link
            let (mine, base, theirs) = (
                here.counts(of: place), before.counts(of: place), there.counts(of: place)
            )
            var needed: Set<RowName> = []
            var isTaken = false
            for position in there.members[place] {
                let part = there.parts[position]
                // What was changed here elsewhere is in the document inside of this.
                if merge.bases?[part.name] != nil,
                    nodes[position].object !== nodes[position].alone,
                    before[part.name]?.whole != place, here[part.name]?.whole != place
                {
                    isTaken = true
                }
                needed.formUnion(try self.needed(nodes[position], merge))
            }
            let new = there.members[place].filter { nodes[$0].object === nodes[$0].alone }
            let known = there.members[place].filter { nodes[$0].object !== nodes[$0].alone }
            return DocumentWhole(
                place: place,
                owner: owners[place],
                name: ObjectShape.of(type(of: link.object)).relationships[link.index].name,
                isChangedHere: mine != base || isTaken,
                isChangedThere: theirs != base,
                isSame: mine == theirs,
                isReplaced: before.members[place].contains {
                    merge.replaced[before.parts[$0].name] != nil
                },
                document: wholes[place].document ?? .null,
                new: new.map { there.parts[$0].name },
                known: known.map { there.parts[$0].name },
                held: here.members[place].map { here.parts[$0] }
                    .filter { ObjectShape.of($0.type).reference != nil }.map(\.name),
                needed: needed
            )
        }
    }

    private func needed(
        _ node: DocumentGraph.Node,
        _ merge: DocumentMerge
    ) throws -> [RowName] {
        let shape = ObjectShape.of(type(of: node.alone))
        return try (references[ObjectIdentifier(node.object)] ?? []).compactMap { link in
            if shape.relationships[link.index].isOptional { return nil }
            return try link.others.first.flatMap { try merge.name(of: $0) }
        }
    }
}

/// Reads what a document has in wholes.
private struct WholesOfDocument {
    private let merge: DocumentMerge
    private let wholes: [WholeLink]
    private let references: [ObjectIdentifier: [DocumentMerge.Link]]
    private let reader: WholeReader
    private let here: WholeForest
    private(set) var forest: WholeForest
    private(set) var nodes: [DocumentGraph.Node] = []

    /// Objects of a relationship.
    private struct Place {
        let whole: Int
        let parent: Int?
        let owner: RowName
        let list: WholeList
        let nodes: [DocumentGraph.Node]
    }

    init(
        _ merge: DocumentMerge,
        _ separated: SeparatedLinks,
        _ reader: WholeReader,
        _ here: WholeForest
    ) {
        self.merge = merge
        self.reader = reader
        self.here = here
        wholes = separated.wholes
        references = separated.references
        forest = WholeForest(wholes: separated.wholes.count)
    }

    mutating func read(_ owners: [RowName], _ lists: [WholeList]) throws {
        var places = wholes.enumerated().map { whole, link in
            Place(
                whole: whole,
                parent: nil,
                owner: owners[whole],
                list: lists[whole],
                nodes: link.nodes
            )
        }
        while !places.isEmpty {
            var next: [Place] = []
            for place in places {
                for node in place.nodes { next += try add(node, place) }
            }
            places = next
        }
    }

    private mutating func add(
        _ node: DocumentGraph.Node,
        _ place: Place
    ) throws -> [Place] {
        let type = type(of: node.alone)
        let about = try reader.about(type)
        guard let name = try merge.name(of: node.object),
            let target = place.list.target(name.table)
        else { return [] }
        var part = WholeForest.Part(
            type: type,
            name: name,
            object: node.object,
            row: try row(of: node, name, about),
            index: place.list.index,
            parent: place.parent,
            whole: place.whole
        )
        if let member = target.member, let key = place.owner.key.values.first {
            part.row[member] = key
        }
        if let order = target.order { part.row[order] = .integer(Int64(nodes.count)) }
        if node.object !== node.alone || merge.bases?[name]?.values != nil {
            part.silent = Set(about.lists.map(\.index)).subtracting(node.fields.map(\.index))
        }
        let position = forest.add(part)
        nodes.append(node)
        if let own = target.own, let parent = place.parent, let key = name.key.values.first {
            forest.set(own, of: parent, to: key)
        }
        return about.lists.compactMap { list in
            for case (list.index, .owned(let nodes)) in node.fields {
                return Place(
                    whole: place.whole,
                    parent: position,
                    owner: name,
                    list: list,
                    nodes: nodes
                )
            }
            return nil
        }
    }

    /// The row of an object of the document, which is inside of nothing yet.
    private func row(
        of node: DocumentGraph.Node,
        _ name: RowName,
        _ about: WholeClass
    ) throws -> [QueryValue] {
        let row: RowImage
        if let known = merge.bases?[name]?.values ?? here[name]?.row {
            row = RowImage(known)
        } else {
            row = RowImage(columns: about.entity.columnCount)
        }
        try merge.context.entity(of: type(of: node.alone)).writeAttributes(of: node.alone, to: row)
        if about.entity.hasHiddenKey {
            try RowKey.set(about.entity.keyColumns[0], of: row, to: name.key)
        }
        for holder in about.holders { row.setNull(holder) }
        for list in about.lists where node.fields.contains(where: { $0.index == list.index }) {
            for own in list.targets.compactMap(\.own) { row.setNull(own) }
        }
        for link in (references[ObjectIdentifier(node.object)] ?? []).flatMap(merge.parts) {
            guard let column = try merge.ownColumn(link) else { continue }
            let other = try link.others.first.flatMap { try merge.name(of: $0) }
            try RowKey.set(column, of: row, to: other?.key)
        }
        return try about.entity.values(of: row)
    }
}
