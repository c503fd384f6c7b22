import DovetailModel
import DovetailStore

// An object that several others of a document own is one object. It is written in whole the first time, and named by
// its key after that; others may have written it in whole again.

extension DocumentGraph {
    /// The key of an object in the place of one that is owned.
    struct Mention {
        let owner: Node
        /// The relationship of the owner.
        let index: Int
        /// The position among what that owns.
        let position: Int
        let reference: Reference
        /// The relationship of the object by which the owner owns it.
        let inverse: Int?
        /// The document, where it may be the object in whole as well: it has the type key and the name, and the rest may
        /// have been left out.
        let whole: ModelDocument?
        let path: String
    }

    /// Lets nodes of one object be one, and puts them where their keys are.
    ///
    /// - Parameters:
    ///   - key: What names the object of a node; nil for nothing.
    ///   - mentioned: The class and the key of a mention.
    /// - Complexity: linear in the number of nodes, and in the size of those that are there again.
    /// - Throws: ``ModelDecodingError`` for an object that is there twice and not the same, or in one list, or owns
    ///   itself, and of kind `typeMismatch` for a key of none.
    mutating func unite(
        _ key: (Node) throws -> (type: ObjectIdentifier, value: QueryValue)?,
        _ mentioned: (Reference) throws -> (type: ObjectIdentifier, value: QueryValue)
    ) throws -> [ObjectIdentifier: [QueryValue: Node]] {
        try readWholes(key, mentioned)
        var named: [ObjectIdentifier: [QueryValue: Node]] = [:]
        var dropped: Set<ObjectIdentifier> = []
        var rest: [Node] = []
        for node in nodes {
            // What is inside of one that is there again is there again.
            if let owner = node.owner, dropped.contains(ObjectIdentifier(owner)) {
                dropped.insert(ObjectIdentifier(node))
            }
            guard let key = try key(node) else {
                if !dropped.contains(ObjectIdentifier(node)) { rest.append(node) }
                continue
            }
            if let known = named[key.type]?[key.value] {
                try node.giveWay(to: known)
                dropped.insert(ObjectIdentifier(node))
            } else {
                named[key.type, default: [:]][key.value] = node
                rest.append(node)
            }
        }
        // In the order in which they were read: each place is that among those before it.
        for mention in mentions where !dropped.contains(ObjectIdentifier(mention.owner)) {
            let key = try mentioned(mention.reference)
            guard let node = named[key.type]?[key.value],
                type(of: node.alone).inherits(from: mention.reference.type)
            else { throw mention.leadsNowhere }
            mention.owner.own(node, mention.index, at: mention.position)
            if let inverse = mention.inverse { node.ownedBy.append(inverse) }
        }
        let isOrdered = mentions.isEmpty && dropped.isEmpty
        nodes = isOrdered ? rest : try Self.ordered(rest)
        return named
    }

    /// Reads mentions of no other object of the document as objects.
    private mutating func readWholes(
        _ key: (Node) throws -> (type: ObjectIdentifier, value: QueryValue)?,
        _ mentioned: (Reference) throws -> (type: ObjectIdentifier, value: QueryValue)
    ) throws {
        guard mentions.contains(where: { $0.whole != nil }) else { return }
        var known: [ObjectIdentifier: Set<QueryValue>] = [:]
        for node in nodes {
            if let key = try key(node) { known[key.type, default: []].insert(key.value) }
        }
        var rest: [Mention] = []
        var next = 0
        // What is read may have others.
        while next < mentions.count {
            let mention = mentions[next]
            next += 1
            let key = try mentioned(mention.reference)
            guard let whole = mention.whole, known[key.type]?.contains(key.value) != true else {
                rest.append(mention)
                continue
            }
            let owner = mention.owner
            let node = try read(mention.reference.type, whole, at: mention.path, in: owner)
            if let inverse = mention.inverse { node.ownedBy.append(inverse) }
            owner.own(node, mention.index, at: mention.position)
            known[key.type, default: []].insert(key.value)
        }
        mentions = rest
    }

    /// Each node before those that it owns.
    private static func ordered(_ nodes: [Node]) throws -> [Node] {
        var owners: [ObjectIdentifier: Int] = [:]
        for node in nodes {
            for child in node.owned { owners[ObjectIdentifier(child), default: 0] += 1 }
        }
        var ordered = nodes.filter { owners[ObjectIdentifier($0)] == nil }
        var next = 0
        while next < ordered.count {
            for child in ordered[next].owned {
                let identifier = ObjectIdentifier(child)
                owners[identifier, default: 0] -= 1
                if owners[identifier] == 0 { ordered.append(child) }
            }
            next += 1
        }
        if ordered.count < nodes.count {
            let known = Set(ordered.lazy.map { ObjectIdentifier($0) })
            let first = nodes.first { !known.contains(ObjectIdentifier($0)) }
            throw ModelDecodingError(
                kind: .rejected,
                path: first?.path ?? "",
                expected: "an object that is not inside of itself",
                found: "one that is"
            )
        }
        return ordered
    }
}

extension DocumentGraph.Mention {
    fileprivate var leadsNowhere: ModelDecodingError {
        ModelDecodingError(
            kind: .typeMismatch,
            path: reference.path,
            expected:
                "an object of \(reference.type), or the key of one that the document has in whole",
            found: "another key"
        )
    }
}

extension DocumentGraph.Node {
    /// What it owns, as the document says.
    fileprivate var owned: [DocumentGraph.Node] {
        var all: [DocumentGraph.Node] = []
        for case (_, .owned(let nodes)) in fields { all += nodes }
        return all
    }

    /// Puts an object among those that a relationship owns.
    fileprivate func own(_ node: DocumentGraph.Node, _ index: Int, at position: Int) {
        for (place, field) in fields.enumerated() where field.index == index {
            guard case .owned(var nodes) = field.field else { continue }
            if nodes.contains(where: { $0 === node }) { return }
            nodes.insert(node, at: min(position, nodes.count))
            fields[place].field = .owned(nodes)
        }
    }

    /// Lets another node of the same object be in its place.
    ///
    /// - Throws: ``ModelDecodingError`` where they differ, or none is inside of another object.
    fileprivate func giveWay(to known: DocumentGraph.Node) throws {
        let isListedTwice = owner?.fields.contains { _, field in
            guard case .owned(let nodes) = field else { return false }
            return nodes.contains { $0 === self } && nodes.contains { $0 === known }
        }
        guard owner != nil || known.owner != nil, isListedTwice != true, source == known.source,
            type(of: alone) == type(of: known.alone)
        else {
            let name = ObjectShape.of(type(of: alone)).reference?.path ?? ""
            throw ModelDecodingError(
                kind: .rejected,
                path: DocumentPath.joined(path, name),
                expected: "a value that no other object of the document has",
                found: "that of another one"
            )
        }
        known.ownedBy += ownedBy
        sameAs = known
        guard let owner else { return }
        for (place, field) in owner.fields.enumerated() {
            guard case .owned(let nodes) = field.field, nodes.contains(where: { $0 === self })
            else { continue }
            owner.fields[place].field = .owned(nodes.map { $0 === self ? known : $0 })
        }
    }
}
