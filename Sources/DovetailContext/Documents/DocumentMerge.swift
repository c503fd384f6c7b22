import DovetailModel
import DovetailStore

/// Finds the objects of a document in a context, and then changes these and inserts the others.
///
/// Everything that can fail is done when it is made; ``apply()`` only changes.
struct DocumentMerge {
    typealias Node = DocumentGraph.Node

    let context: ModelContext
    private(set) var nodes: [Node]
    /// The objects of the document by class, and by the value that names them.
    private var named: [ObjectIdentifier: [QueryValue: Node]] = [:]
    /// Those of the context and the store that were looked for.
    private var found: [ObjectIdentifier: [QueryValue: any PersistentModel]] = [:]
    /// What the relationships of the objects will hold.
    private(set) var links: [Link] = []
    /// References that lead nowhere, where these are left out.
    private(set) var missing: [MergedDocument.Missing] = []
    private let leavesOut: Bool
    /// Objects whose attributes the document changes, and which.
    private(set) var changed: [(node: Node, keyPaths: [any AnyKeyPath & Sendable])] = []
    /// What was changed here since the last document; nil where nobody asks.
    private(set) var bases: DocumentBases?
    /// The keys of the objects of the document that have no row: new ones, and those that were deleted here.
    private(set) var keys: [ObjectIdentifier: RowKey] = [:]
    /// The rows that were deleted here and whose name another object has by now, with the key of that.
    private(set) var replaced: [RowName: RowKey] = [:]
    /// Objects of the document whose name was given here to another one.
    private(set) var taken: [(node: Node, row: RowName)] = []
    /// References to objects that were deleted here and that the document only names, which are left out.
    private(set) var dropped: [Dropped] = []
    /// The rows that were deleted here, by class and name.
    private var absent: [ObjectIdentifier: [QueryValue: RowKey]] = [:]
    /// What is merged as a whole; nil where nothing is.
    private(set) var wholes: WholeForms?
    /// The objects of the document inside of that, which are not among the others.
    private(set) var inside: [Node] = []
    /// The list that holds the objects of the document.
    private(set) var filled: Link?

    /// What a relationship will hold.
    struct Link {
        let object: any PersistentModel
        let index: Int
        let others: [any PersistentModel]
    }

    /// A reference of an object to one that was deleted here.
    struct Dropped {
        let object: any PersistentModel
        /// The relationship; of one to a protocol the part.
        let index: Int
        /// The row that is not there any more.
        let row: RowName
    }

    /// Some values of the attribute that names the objects of a class.
    private struct Wanted {
        let type: any PersistentModel.Type
        var keys: Set<QueryValue> = []
    }

    /// - Parameters:
    ///   - list: A relationship to several, by its object and index, that is to hold some objects of the
    ///     document, and these.
    ///   - leavesOut: Whether references that lead nowhere are left out.
    ///   - bases: What was changed here, where the document is merged with that or that is noted.
    ///   - findsParts: Whether objects inside of others that documents have no name for stay those that they are,
    ///     where they are the same. With what was changed here they always do.
    /// - Complexity: linear in the size of the graph, two queries for each class, and up to three for each
    ///   of its relationships.
    /// - Throws: ``ModelDecodingError`` for what cannot be found or is there twice, and what a fetch
    ///   throws.
    init(
        of graph: DocumentGraph,
        filling list: (object: any PersistentModel, index: Int, nodes: [DocumentGraph.Node])? = nil,
        leavingOut leavesOut: Bool = false,
        over bases: DocumentBases? = nil,
        findingParts findsParts: Bool = false,
        in context: ModelContext
    ) throws {
        self.context = context
        self.leavesOut = leavesOut
        self.bases = bases
        var graph = graph
        named = try graph.unite { node in
            try Self.name(of: node, in: context)
        } _: { reference in
            let key = try DocumentKey(reference)
            return (ObjectIdentifier(Self.namingClass(of: key.type)), key.value)
        }
        nodes = graph.nodes
        try findObjects()
        try findNameless()
        if bases != nil { try findKeys() }
        try findReferences()
        if !replaced.isEmpty {
            self.bases = bases?.referring(replaced, context.container.schema)
        }
        if let list {
            var seen: Set<ObjectIdentifier> = []
            let others = list.nodes.map(\.object).filter {
                seen.insert(ObjectIdentifier($0)).inserted
            }
            let link = Link(object: list.object, index: list.index, others: others)
            links.append(link)
            filled = link
        }
        for node in nodes where node.object !== node.alone {
            let keyPaths = try context.differences(of: node.object, to: node.alone)
            if !keyPaths.isEmpty { changed.append((node, keyPaths)) }
        }
        try loadLinks()
        if let bases, bases.isMerge {
            try separate(over: bases)
        } else if findsParts {
            do {
                try separate(over: bases ?? DocumentBases([:], isMerge: false))
            } catch let error as StoreError where error.kind == .unsupported {
                // What cannot be compared is replaced by new objects.
            }
        }
    }

    /// Separates what is merged as a whole from the other objects.
    ///
    /// - Throws: ``StoreError`` of kind `unsupported`, and what a fetch throws; nothing is separated then.
    private mutating func separate(over bases: DocumentBases) throws {
        let separated = separated()
        if separated.wholes.isEmpty { return }
        if self.bases == nil { try findKeys() }
        wholes = try WholeForms(self, separated, over: bases)
        (nodes, links, inside) = (separated.nodes, separated.links, separated.inside)
    }

    // MARK: Finding

    /// Finds the objects of the context, by the attribute that names them.
    private mutating func findObjects() throws {
        var wanted: [ObjectIdentifier: Wanted] = [:]
        for (identifier, nodes) in named {
            guard let first = nodes.values.first else { continue }
            let type = Self.namingClass(of: type(of: first.alone))
            wanted[identifier] = Wanted(type: type, keys: Set(nodes.keys))
        }
        for wanted in wanted.values { try fetch(wanted, isOwn: true) }
        for (identifier, absent) in absent {
            for (key, row) in absent {
                guard let node = named[identifier]?[key] else { continue }
                keys[ObjectIdentifier(node.alone)] = row
            }
        }
        for (identifier, objects) in found {
            for (key, object) in objects {
                guard let node = named[identifier]?[key] else { continue }
                guard type(of: object) == type(of: node.alone) else {
                    throw ModelDecodingError(
                        kind: .rejected,
                        path: node.path,
                        expected: "an object of \(type(of: object)), which has this key",
                        found: "one of \(type(of: node.alone))"
                    )
                }
                node.object = object
            }
        }
    }

    /// What names the object of a node: a class, and the value of its attribute; nil for nothing.
    private static func name(
        of node: Node,
        in context: ModelContext
    ) throws -> (type: ObjectIdentifier, value: QueryValue)? {
        guard let key = try context.documentKey(of: node.alone) else { return nil }
        return (ObjectIdentifier(namingClass(of: type(of: node.alone))), key)
    }

    /// The class by which objects of a class are named: the one at the top, where that has the attribute.
    private static func namingClass(
        of type: any PersistentModel.Type
    ) -> any PersistentModel.Type {
        guard let root = type.modelRoot as? any PersistentModel.Type,
            ObjectShape.of(root).reference != nil
        else { return type }
        return root
    }

    /// Finds what relationships will hold: objects of the document first.
    private mutating func findReferences() throws {
        var references: [(node: Node, index: Int, keys: [DocumentKey])] = []
        var wanted: [ObjectIdentifier: Wanted] = [:]
        for node in nodes {
            let shape = ObjectShape.of(type(of: node.alone))
            for (index, field) in node.fields {
                switch field {
                case .owned(let nodes):
                    links.append(
                        Link(object: node.object, index: index, others: nodes.map(\.object))
                    )
                case .keys(let parts):
                    let keys = try parts.map { try DocumentKey($0) }
                    references.append((node, index, keys))
                    for key in keys {
                        let naming = Self.namingClass(of: key.type)
                        let identifier = ObjectIdentifier(naming)
                        if named[identifier]?[key.value] != nil { continue }
                        if found[identifier]?[key.value] != nil { continue }
                        wanted[identifier, default: Wanted(type: naming)].keys.insert(key.value)
                    }
                }
            }
            try requireAll(of: node, shape)
        }
        for wanted in wanted.values { try fetch(wanted, isOwn: false) }
        for (node, index, keys) in references {
            let relationship = ObjectShape.of(type(of: node.alone)).relationships[index]
            let isNeeded = !relationship.isToMany && !relationship.isOptional
            let others = try keys.compactMap { key -> (any PersistentModel)? in
                let identifier = ObjectIdentifier(Self.namingClass(of: key.type))
                let other =
                    named[identifier]?[key.value]?.object ?? found[identifier]?[key.value]
                guard let other, type(of: other).inherits(from: key.type) else {
                    if !isNeeded, let row = absent[identifier]?[key.value] {
                        try drop(row, of: key.type, from: node.object, index)
                        return nil
                    }
                    guard leavesOut, !isNeeded else { throw key.leadsNowhere }
                    missing.append(
                        MergedDocument.Missing(
                            object: node.object,
                            relationship: relationship.name,
                            target: key.type,
                            key: key.value
                        )
                    )
                    return nil
                }
                return other
            }
            links.append(Link(object: node.object, index: index, others: others))
        }
    }

    /// Leaves out a reference to an object that was deleted here.
    private mutating func drop(
        _ key: RowKey,
        of type: any PersistentModel.Type,
        from object: any PersistentModel,
        _ index: Int
    ) throws {
        let shape = ObjectShape.of(Swift.type(of: object))
        let part = shape.union(of: index).flatMap { shape.part(of: $0, to: type) }
        let row = RowName(try context.table(of: type).table, key)
        dropped.append(Dropped(object: object, index: part ?? index, row: row))
    }

    /// Asks for what a new object cannot be without.
    private func requireAll(of node: Node, _ shape: ObjectShape) throws {
        guard node.object === node.alone else { return }
        for (index, relationship) in shape.relationships.enumerated()
        where !relationship.isToMany && !relationship.isOptional && !shape.isLaterPart(index) {
            let parts = shape.union(of: index)?.parts ?? index..<index + 1
            if node.ownedBy.contains(where: parts.contains)
                || node.fields.contains(where: { $0.index == index })
            {
                continue
            }
            let name = DocumentPath.component(of: relationship.name)
            throw ModelDecodingError(
                kind: .missingField,
                path: DocumentPath.joined(node.path, name),
                expected: "a value",
                found: "no such field"
            )
        }
    }

    /// Fetches the objects that some values name.
    ///
    /// - Parameter isOwn: Whether the document has them.
    private mutating func fetch(_ wanted: Wanted, isOwn: Bool) throws {
        guard let attribute = ObjectShape.of(wanted.type).reference else { return }
        let entity = try context.entity(of: wanted.type)
        guard let column = entity.column(of: attribute.keyPath) else { return }
        // One list of any length: each query would go over all objects that wait to be saved.
        let query = Query(entity, filter: entity.filter(of: wanted.keys.map { [$0] }, in: [column]))
        for object in try objects(of: wanted.type, query) {
            guard let key = try context.documentKey(of: object) else { continue }
            found[ObjectIdentifier(wanted.type), default: [:]][key] = object
        }
        guard let bases, bases.isMerge || isOwn else { return }
        let known = try bases.keys(of: wanted.type, in: context)
        if bases.isMerge { try match(wanted, known) }
        try matchDeleted(wanted, known)
    }

    /// Finds objects by the names that they had when a document brought them last, where these are others here.
    private mutating func match(_ wanted: Wanted, _ known: [QueryValue: RowKey]) throws {
        let identifier = ObjectIdentifier(wanted.type)
        let table = try context.table(of: wanted.type)
        let names = Dictionary(known.map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        for (name, object) in found[identifier] ?? [:] where wanted.keys.contains(name) {
            guard let key = object.persistentBacking.key, let old = names[key], old != name else {
                continue
            }
            // It is the object of another name there.
            found[identifier]?[name] = nil
            if let node = named[identifier]?[name] {
                taken.append((node, RowName(table.table, key)))
            }
        }
        let rows = known.filter { wanted.keys.contains($0.key) }
        for (name, object) in try live(rows, of: wanted.type) {
            found[identifier, default: [:]][name] = object
        }
    }

    /// Finds the rows that some values named and that were deleted here.
    private mutating func matchDeleted(_ wanted: Wanted, _ known: [QueryValue: RowKey]) throws {
        let identifier = ObjectIdentifier(wanted.type)
        let table = try context.table(of: wanted.type).table
        let rows = known.filter { wanted.keys.contains($0.key) }
        let live = try live(rows, of: wanted.type)
        for (name, key) in rows where live[name] == nil {
            if let other = found[identifier]?[name]?.persistentBacking.key {
                replaced[RowName(table, key)] = other
            } else if found[identifier]?[name] == nil {
                absent[identifier, default: [:]][name] = key
            }
        }
    }

    /// The objects of some rows, by the names that these had.
    private func live(
        _ rows: [QueryValue: RowKey],
        of type: any PersistentModel.Type
    ) throws -> [QueryValue: any PersistentModel] {
        let live = try context.objects(of: context.table(of: type), with: Array(rows.values))
        return rows.compactMapValues { live[$0] }
    }

    /// Gives the objects of the document that are new the keys that they will have.
    private mutating func findKeys() throws {
        for node in nodes where node.object === node.alone {
            let identifier = ObjectIdentifier(node.alone)
            if keys[identifier] == nil { keys[identifier] = try context.newKey(of: node.alone) }
        }
    }

    private func objects<Object: PersistentModel>(
        of type: Object.Type,
        _ query: Query
    ) throws -> [any PersistentModel] {
        try context.objects(of: query) as [Object]
    }

    /// Loads what the relationships hold now, and what holds the objects that they will hold, here where
    /// an error can still be thrown: those of one class together.
    private func loadLinks() throws {
        struct Relation: Hashable {
            let type: ObjectIdentifier
            let index: Int
        }
        var waiting: [Relation: [any PersistentModel]] = [:]
        func add(_ object: any PersistentModel, _ index: Int) {
            guard context.isUnloaded(object, index) else { return }
            let relation = Relation(type: ObjectIdentifier(type(of: object)), index: index)
            waiting[relation, default: []].append(object)
        }
        for link in links {
            let shape = ObjectShape.of(type(of: link.object))
            let union = shape.union(of: link.index)
            for part in union?.parts ?? link.index..<link.index + 1 { add(link.object, part) }
            for other in link.others {
                let part = union.flatMap { shape.part(of: $0, to: type(of: other)) } ?? link.index
                let relationship = shape.relationships[part]
                guard let inverse = relationship.inverse,
                    !ObjectShape.of(relationship.target).relationships[inverse].isToMany
                else { continue }
                add(other, inverse)
            }
        }
        for (relation, objects) in waiting { try context.load(relation.index, of: objects) }
    }
}
