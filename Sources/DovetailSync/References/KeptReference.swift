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

    /// The properties of the model, in the order of ``texts()``.
    fileprivate static let names = [
        "id", "source", "sourceKey", "attribute", "target", "targetKey",
    ]

    /// What the properties hold.
    fileprivate func texts() throws -> [String] {
        let keys = try [sourceKey, targetKey].map { try KeyText.text(of: $0) }
        let id = try KeyText.text(
            of: [.text(source), .text(keys[0]), .text(attribute), .text(keys[1])]
        )
        return [id, source, keys[0], attribute, target, keys[1]]
    }

    /// Reads what the properties hold; nil for what another program has written.
    fileprivate init?(_ texts: [String?]) {
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
    private let rows: KeptRows

    /// Nil where the container was made without the model.
    init?(_ context: ModelContext) {
        guard
            let rows = KeptRows(
                context,
                KeptReference.names,
                { $0 is any KeptReferenceModel.Type }
            )
        else { return nil }
        self.rows = rows
    }

    /// All of them.
    ///
    /// - Throws: ``StoreError``.
    func all() throws -> [KeptReference] { try rows.all().compactMap(KeptReference.init) }

    /// Keeps references and forgets others, when the context is saved.
    func change(keeping new: [KeptReference], forgetting old: [KeptReference]) throws {
        try rows.change(
            keeping: new.map { try $0.texts() },
            forgetting: old.map { try $0.texts() }
        )
    }
}
