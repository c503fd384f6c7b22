import DovetailContext
package import DovetailModel
import DovetailStore

/// The model whose values are references that are kept until they can be resolved: `MissingReference` of
/// Dovetail. No other type is to conform.
package protocol KeptReferenceModel: Model {}

/// A reference to what is not there, from a row or an object that holds nil instead.
struct KeptReference: Hashable {
    /// The table, or the class of an object.
    let source: String
    /// The key of the row, or the attribute by which documents name the object.
    let sourceKey: [QueryValue]
    let attribute: String
    let target: String
    let targetKey: [QueryValue]

    /// The properties of the model, in the order of ``values()``.
    private static let names = ["id", "source", "sourceKey", "attribute", "target", "targetKey"]

    /// What the properties hold.
    private func values() throws -> [QueryValue] {
        let keys = try [sourceKey, targetKey].map { QueryValue.text(try KeyText.text(of: $0)) }
        let id = try KeyText.text(of: [.text(source), keys[0], .text(attribute), keys[1]])
        return [.text(id), .text(source), keys[0], .text(attribute), .text(target), keys[1]]
    }

    /// The row of the model.
    fileprivate func row(_ entity: EntityBinding) throws -> RowImage {
        var row = [QueryValue](repeating: .null, count: entity.attributes.count)
        for (name, value) in zip(Self.names, try values()) {
            if let column = entity.attributes.firstIndex(where: { $0.name == name }) {
                row[column] = value
            }
        }
        return RowImage(row)
    }

    /// Reads a row of the model; nil for one that another program has written.
    fileprivate init?(_ row: any RowSource, _ entity: EntityBinding) throws {
        let texts = try Self.names.map { name -> String? in
            guard let column = entity.attributes.firstIndex(where: { $0.name == name }),
                case .text(let text) = try QueryValue(row, column, entity.attributes[column])
            else { return nil }
            return text
        }
        guard let source = texts[1], let attribute = texts[3], let target = texts[4],
            let sourceKey = texts[2].flatMap(KeyText.values),
            let targetKey = texts[5].flatMap(KeyText.values)
        else { return nil }
        self.init(
            source: source,
            sourceKey: sourceKey,
            attribute: attribute,
            target: target,
            targetKey: targetKey
        )
    }

    init(
        source: String,
        sourceKey: [QueryValue],
        attribute: String,
        target: String,
        targetKey: [QueryValue]
    ) {
        self.source = source
        self.sourceKey = sourceKey
        self.attribute = attribute
        self.target = target
        self.targetKey = targetKey
    }
}

extension KeptReference {
    /// The reference of an object in a document.
    ///
    /// - Throws: ``StoreError`` of kind `unsupported` for an object that has no name in documents.
    init(_ missing: MergedDocument.Missing, in context: ModelContext) throws {
        let source = type(of: missing.object).typeName
        guard let key = try context.documentKey(of: missing.object) else {
            throw StoreError(
                .unsupported,
                table: source,
                explanation: "an object without a name in documents cannot wait for another one; "
                    + "declare a key, or an attribute with `.unique`"
            )
        }
        self.init(
            source: source,
            sourceKey: [key],
            attribute: missing.relationship,
            target: missing.target.typeName,
            targetKey: [missing.key]
        )
    }
}

/// The references that a store keeps.
struct KeptReferences {
    private let context: ModelContext
    private let entity: EntityBinding

    /// Nil where the container was made without the model.
    init?(_ context: ModelContext) {
        guard
            let entity = context.container.schema.bindings.first(where: {
                $0.type is any KeptReferenceModel.Type
            })
        else { return nil }
        self.context = context
        self.entity = entity
    }

    /// All of them.
    ///
    /// - Throws: ``StoreError``.
    func all() throws -> [KeptReference] {
        var all: [KeptReference] = []
        try context.withRows(of: Query(entity), entity.type) { cursor, _ in
            while try cursor.next() {
                if let reference = try KeptReference(cursor, entity) { all.append(reference) }
            }
        }
        return all
    }

    /// Keeps references and forgets others, when the context is saved.
    func change(keeping new: [KeptReference], forgetting old: [KeptReference]) throws {
        if !old.isEmpty {
            let changes = try old.map { try RowChange(.delete, $0.row(entity), of: entity) }
            context.enqueue(RowBatch(entity.type, .delete, changes))
        }
        if !new.isEmpty {
            let changes = try new.map { try RowChange(.upsert, $0.row(entity), of: entity) }
            context.enqueue(RowBatch(entity.type, .upsert, changes))
        }
    }
}
