import DovetailModel
import DovetailStore

/// The objects of a document, as far as it says what they are without a context: each with its
/// attributes, and what its relationships are to hold.
struct DocumentGraph {
    /// One object of the document.
    final class Node {
        /// Has the attributes of the document. The object itself, unless the context has one already.
        let alone: any PersistentModel
        /// What the document says of it.
        let source: ModelDocument
        let path: String
        /// The one that it is inside of; nil for an outermost one.
        unowned let owner: Node?
        /// Another node of the same object, which counts in its place.
        var sameAs: Node?
        /// What the document says of its relationships, by their index.
        var fields: [(index: Int, field: Field)] = []
        /// What the document says of what it owns, as it stands there, by the same index.
        var sources: [Int: ModelDocument] = [:]
        /// The relationships of the object by which others of the document own it.
        var ownedBy: [Int] = []
        private var found: any PersistentModel
        /// The object of the context: ``alone`` where there is none yet.
        var object: any PersistentModel {
            get { sameAs?.object ?? found }
            set { found = newValue }
        }

        init(
            _ alone: any PersistentModel,
            of source: ModelDocument,
            _ path: String,
            in owner: Node?
        ) {
            self.alone = alone
            self.source = source
            self.path = path
            self.owner = owner
            found = alone
        }
    }

    /// What a document says of a relationship.
    enum Field {
        /// Objects inside of this one.
        case owned([Node])
        /// The values of the attribute that names others, with their classes, and where they are.
        case keys([Reference])
    }

    /// What names another object.
    struct Reference {
        let type: any PersistentModel.Type
        let document: ModelDocument
        let path: String
    }

    /// The models of the context, by which documents of subclasses are known.
    let schema: Schema
    /// All objects, each before those that it owns.
    var nodes: [Node] = []
    /// The keys in the places of owned objects, in the order in which they were read.
    var mentions: [Mention] = []

    init(_ schema: Schema) {
        self.schema = schema
    }

    /// Reads an object and those that it owns.
    ///
    /// - Complexity: linear in the size of the document.
    /// - Throws: ``ModelDecodingError`` with the path.
    mutating func read<Object: PersistentModel>(
        _ type: Object.Type,
        _ source: ModelDocument,
        at path: String,
        in owner: Node? = nil
    ) throws -> Node {
        if let below = subclass(of: type, in: source) {
            return try read(below, source, at: path, in: owner)
        }
        var document = source
        do {
            try Self.migrate(type, &document)
        } catch let error as ModelDecodingError {
            throw error.inside(path)
        } catch {
            throw ModelDecodingError(
                kind: .rejected,
                path: path,
                expected: "\(type) that migrate(_:from:) accepts",
                found: "\(error)"
            )
        }
        let shape = ObjectShape.of(type)
        var parts: [Int: ModelDocument] = [:]
        if !shape.relationships.isEmpty, let members = document.members {
            var others: [ModelDocument.Member] = []
            for member in members {
                guard let index = shape.index(named: member.key) else {
                    others.append(member)
                    continue
                }
                if parts.updateValue(member.value, forKey: index) != nil {
                    throw ModelDecodingError(
                        kind: .repeatedField,
                        path: DocumentPath.joined(path, DocumentPath.component(of: member.key)),
                        expected: "each field once",
                        found: "\"\(member.key)\" again"
                    )
                }
            }
            document = .object(others)
        }
        let alone: Object
        do {
            alone = try ModelReader.decodeAlone(type, from: document)
        } catch let error as ModelDecodingError {
            throw error.inside(path)
        }
        let node = Node(alone, of: source, path, in: owner)
        nodes.append(node)
        for (index, relationship) in shape.relationships.enumerated()
        where !shape.isLaterPart(index) {
            let path = DocumentPath.joined(path, DocumentPath.component(of: relationship.name))
            guard
                let field = try read(
                    relationship,
                    index,
                    of: shape,
                    parts[index],
                    at: path,
                    in: node
                )
            else {
                continue
            }
            node.fields.append((index, field))
            if relationship.isOwning { node.sources[index] = parts[index] }
        }
        return node
    }

    /// The class below another one that a document names; nil for the class itself.
    private func subclass(
        of type: any PersistentModel.Type,
        in document: ModelDocument
    ) -> (any PersistentModel.Type)? {
        guard let table = (try? schema.entity(type))?.classTable, document.kind == .object,
            let name = document[key: "$type"]?.stringValue,
            let model = table.model(named: name) as? any PersistentModel.Type,
            model != type, model.inherits(from: type)
        else { return nil }
        return model
    }

    /// Reads what a document says of a relationship; nil where that says nothing of it.
    private mutating func read(
        _ relationship: ObjectShape.Relationship,
        _ index: Int,
        of shape: ObjectShape,
        _ document: ModelDocument?,
        at path: String,
        in owner: Node
    ) throws -> Field? {
        let union = relationship.union.map { shape.unions[$0] }
        let none: Field = relationship.isOwning ? .owned([]) : .keys([])
        guard let document else {
            // Nil is left out when an object is written. The owner of an object says that it is so.
            let isOwned =
                union?.parts.contains { shape.relationships[$0].isOwned } ?? relationship.isOwned
            return !relationship.isToMany && relationship.isOptional && !isOwned ? none : nil
        }
        if document.isNull, relationship.isOptional { return none }
        var parts = [(document: document, path: path)]
        if relationship.isToMany {
            guard let elements = document.arrayValue else {
                throw Self.mismatch("an array", document, at: path)
            }
            parts = elements.enumerated().map { ($1, "\(path)[\($0)]") }
        }
        if relationship.isOwning {
            return .owned(
                try parts.enumerated().compactMap { position, part in
                    func mention(
                        _ reference: Reference,
                        _ inverse: Int?,
                        whole: ModelDocument? = nil
                    ) -> Node? {
                        mentions.append(
                            Mention(
                                owner: owner,
                                index: index,
                                position: position,
                                reference: reference,
                                inverse: inverse,
                                whole: whole,
                                path: part.path
                            )
                        )
                        return nil
                    }
                    guard let union else {
                        let target = relationship.target
                        if part.document.kind != .object, ObjectShape.of(target).reference != nil {
                            let reference = Reference(
                                type: target,
                                document: part.document,
                                path: part.path
                            )
                            return mention(reference, relationship.inverse)
                        }
                        let node = try read(target, part.document, at: part.path, in: owner)
                        if let inverse = relationship.inverse { node.ownedBy.append(inverse) }
                        return node
                    }
                    let found = try opened(part.document, union, shape, at: part.path)
                    let name = ObjectShape.of(found.type).reference?.name
                    if let name, part.document.members?.count == 2,
                        found.document[key: name] != nil
                    {
                        let reference = try reference(part.document, union, shape, at: part.path)
                        let inverse = found.relationship.inverse
                        return mention(reference, inverse, whole: found.document)
                    }
                    let node = try read(found.type, found.document, at: part.path, in: owner)
                    if let inverse = found.relationship.inverse { node.ownedBy.append(inverse) }
                    return node
                }
            )
        }
        return .keys(
            try parts.map { part in
                if let union {
                    return try reference(part.document, union, shape, at: part.path)
                }
                try Self.requireReference(relationship.target, document, at: path)
                return Reference(
                    type: relationship.target,
                    document: part.document,
                    path: part.path
                )
            }
        )
    }

    /// Checks that documents have a name for the objects of a class.
    private static func requireReference(
        _ type: any PersistentModel.Type,
        _ document: ModelDocument,
        at path: String
    ) throws {
        if ObjectShape.of(type).reference != nil { return }
        throw ModelDecodingError(
            kind: .rejected,
            path: path,
            expected: "no objects: \(type) has neither @Attribute(.primaryKey) nor "
                + "@Attribute(.unique)",
            found: "\(document.kind)"
        )
    }

    /// What a document of a relationship to a protocol says: the part, the class, and the document for that.
    private func opened(
        _ document: ModelDocument,
        _ union: ObjectShape.Union,
        _ shape: ObjectShape,
        isReference: Bool = false,
        at path: String
    ) throws -> (
        relationship: ObjectShape.Relationship, type: any PersistentModel.Type,
        document: ModelDocument
    ) {
        let inherited = { name in self.subclass(named: name, of: union, shape) }
        do {
            let (type, content) =
                isReference
                ? try union.coding.openedReference(document, or: inherited)
                : try union.coding.opened(document, or: inherited)
            guard let type = type as? any PersistentModel.Type,
                let part = shape.part(of: union, to: type)
            else {
                throw ModelDecodingError(
                    kind: .rejected,
                    path: "",
                    expected: "an object of a class that contexts keep",
                    found: "one of \(type)"
                )
            }
            return (shape.relationships[part], type, content)
        } catch let error as ModelDecodingError {
            throw error.inside(path)
        }
    }

    /// The class of a name below one of those that a relationship to a protocol leads to.
    private func subclass(
        named name: String,
        of union: ObjectShape.Union,
        _ shape: ObjectShape
    ) -> (any Model.Type)? {
        for part in union.parts {
            let target = shape.relationships[part].target
            guard let table = (try? schema.entity(target))?.classTable,
                let model = table.model(named: name), model.inherits(from: target)
            else { continue }
            return model
        }
        return nil
    }

    /// Reads what names an object of a relationship to a protocol.
    private func reference(
        _ document: ModelDocument,
        _ union: ObjectShape.Union,
        _ shape: ObjectShape,
        at path: String
    ) throws -> Reference {
        let (_, type, content) = try opened(document, union, shape, isReference: true, at: path)
        try Self.requireReference(type, document, at: path)
        // Invariant: the call above has thrown without one.
        let name = ObjectShape.of(type).reference?.name ?? ""
        let inside = DocumentPath.joined(path, DocumentPath.component(of: name))
        guard let key = content[key: name] else {
            throw ModelDecodingError(
                kind: .missingField,
                path: inside,
                expected: "a value",
                found: "no such field"
            )
        }
        return Reference(type: type, document: key, path: inside)
    }

    /// Reads an object of an older version as one of this version. One that is not older stays.
    private static func migrate(
        _ type: any PersistentModel.Type,
        _ document: inout ModelDocument
    ) throws {
        guard type.modelVersion > 1, document.kind == .object else { return }
        let name = "$version"
        let found = document[key: name]
        guard found == nil || found?.kind == .integer, document.values(forKey: name).count < 2,
            case let version = found?.intValue ?? 1, 1..<type.modelVersion ~= version
        else { return }
        document[key: name] = nil
        for step in version..<type.modelVersion { try type.migrate(&document, from: step) }
        document[key: name] = .integer(type.modelVersion)
    }

    /// The error of a value of another kind.
    static func mismatch(
        _ expected: String,
        _ document: ModelDocument,
        at path: String
    ) -> ModelDecodingError {
        ModelDecodingError(
            kind: .typeMismatch,
            path: path,
            expected: expected,
            found: "\(document.kind)"
        )
    }
}

extension ObjectShape {
    /// The relationship of a name in documents.
    func index(named name: String) -> Int? { relationships.firstIndex { $0.name == name } }
}
