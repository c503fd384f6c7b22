/// What a store has to keep true of one attribute: what generated code hands on of the options of
/// `@Attribute` that concern a table.
public enum AttributeTrait: Sendable {
    /// No two rows hold the same value: `@Attribute(.unique)`.
    case unique
    /// The database gives the value: `@Attribute(.primaryKey, .generated)`.
    case generated
    /// The value is the key of another model: `@Attribute(.references(Team.self))`.
    case references(any Model.Type, deleteRule: DeleteRule = .deny)
    /// The schema says that it was asked for: `@Attribute(.externalStorage)`.
    case marked(AttributeMark)
    /// The name that it had before: `@Attribute(originalName: "label")`.
    case originalName(String)
    /// What tells two versions of it from each other: `@Attribute(hashModifier: "2")`.
    case hashModifier(String)
    /// An object may be without its value until somebody reads the property:
    /// `@Attribute(.externalStorage)` in a class, of a ``DeferrableValue``.
    case deferrable

    var mark: AttributeMark? {
        if case .marked(let mark) = self { mark } else { nil }
    }

    var formerName: String? {
        if case .originalName(let name) = self { name } else { nil }
    }

    var modifier: String? {
        if case .hashModifier(let modifier) = self { modifier } else { nil }
    }

    var isDeferrable: Bool {
        if case .deferrable = self { true } else { false }
    }

    var isUnique: Bool {
        if case .unique = self { true } else { false }
    }

    var isGenerated: Bool {
        if case .generated = self { true } else { false }
    }

    var reference: AttributeReference? {
        guard case .references(let target, let rule) = self else { return nil }
        return AttributeReference(target: target, deleteRule: rule)
    }
}

/// An option of `@Attribute` that changes nothing of how a value is stored, and which a schema keeps.
public enum AttributeMark: String, Hashable, Codable, Sendable {
    /// The value is large: `.externalStorage`.
    case externalStorage
    /// The value stays in the history of deleted rows: `.preserveValueOnDeletion`.
    case preserveValueOnDeletion
    /// The value is to be found by a search: `.spotlight`.
    case spotlight
    /// The value is to be encrypted in iCloud: `.allowsCloudEncryption`.
    case allowsCloudEncryption
    /// A `ValueTransformer` makes the column: `.transformable(by:)`.
    case transformable
}

/// The model that an attribute refers to by its key.
public struct AttributeReference: Sendable {
    /// The model whose key the attribute holds.
    public let target: any Model.Type
    /// What becomes of the referring row when that one is deleted.
    public let deleteRule: DeleteRule

    package init(target: any Model.Type, deleteRule: DeleteRule) {
        self.target = target
        self.deleteRule = deleteRule
    }

    /// The key of the model: the column that it is, where it is one.
    package var key: ModelAttribute? {
        if let managed = target as? any ManagedModel.Type { return managed.keyColumn }
        let keys = target.modelAttributes.filter(\.isPrimaryKey)
        return keys.count == 1 ? keys[0] : nil
    }
}

/// What becomes of a row when the row that it refers to is deleted.
public enum DeleteRule: String, Hashable, Codable, Sendable {
    /// Nothing: the reference stays, and nobody checks it. No foreign key is made.
    case noAction
    /// The reference becomes nil; the attribute has to be optional. `ON DELETE SET NULL` in SQL.
    case nullify
    /// The row is deleted, too. `ON DELETE CASCADE` in SQL.
    case cascade
    /// A save that would leave the reference without its row throws ``StoreError`` of kind
    /// `foreignKeyViolation`. It is checked at the end of the save, so the order does not matter.
    case deny
}
