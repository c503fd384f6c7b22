import DovetailModel
import DovetailStore

/// The objects of a document, as far as it says what they are without a context: each with its
/// attributes, and what its relationships are to hold.
struct DocumentGraph {
    /// One object of the document.
    final class Node {
        /// Has the attributes of the document. The object itself, unless the context has one already.
        let alone: any PersistentModel
        let path: String
        /// What the document says of its relationships, by their index.
        var fields: [(index: Int, field: Field)] = []
        /// What the document says of what it owns, as it stands there, by the same index.
        var sources: [Int: ModelDocument] = [:]
        /// The relationship of the object by which another one of the document owns it.
        var ownedBy: Int?
        /// The object of the context: ``alone`` where there is none yet.
        var object: any PersistentModel

        init(_ alone: any PersistentModel, _ path: String) {
            self.alone = alone
            self.path = path
            object = alone
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
    private(set) var nodes: [Node] = []

    init(_ schema: Schema) {
        self.schema = schema
    }

    /// Reads an object and those that it owns.
    ///
    /// - Complexity: linear in the size of the document.
    /// - Throws: ``ModelDecodingError`` with the path.
    mutating func read<Object: PersistentModel>(
        _ type: Object.Type,
        _ document: ModelDocument,
        at path: String
    ) throws -> Node {
        if let below = subclass(of: type, in: document) {
            return try read(below, document, at: path)
        }
        var document = document
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
        let node = Node(alone, path)
        nodes.append(node)
        for (index, relationship) in shape.relationships.enumerated()
        where !shape.isLaterPart(index) {
            let path = DocumentPath.joined(path, DocumentPath.component(of: relationship.name))
            guard let field = try read(relationship, of: shape, parts[index], at: path) else {
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
        of shape: ObjectShape,
        _ document: ModelDocument?,
        at path: String
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
                try parts.map { part in
                    guard let union else {
                        let node = try read(relationship.target, part.document, at: part.path)
                        node.ownedBy = relationship.inverse
                        return node
                    }
                    let found = try opened(part.document, union, shape, at: part.path)
                    let node = try read(found.type, found.document, at: part.path)
                    node.ownedBy = found.relationship.inverse
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
