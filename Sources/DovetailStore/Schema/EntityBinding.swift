public import DovetailModel

/// What a store has to know of one model: the description of its table, and how its properties
/// stand for the columns.
///
/// ```swift
/// let entity = EntityBinding(User.self)
/// entity.table                        // "User"
/// entity.attributes.map(\.name)       // ["id", "name", "age"]
/// entity.keyColumns                   // [0]
/// ```
///
/// A column is named by its position in ``attributes``, here and in ``RowSource``, ``RowSink`` and
/// ``QueryExpression``.
public struct EntityBinding: Sendable {
    /// One reference, since every query holds a binding.
    private final class Content: Sendable {
        let type: any Model.Type
        let description: EntityDescription
        let attributes: [ModelAttribute]
        let fields: RowFields
        let generatedColumn: Int?
        let identifierColumn: Int?
        let hasPlainIdentifier: Bool

        init(_ type: any Model.Type) {
            self.type = type
            attributes = type.modelAttributes
            description = EntityDescription(type, attributes)
            fields = RowFields(attributes)
            generatedColumn = attributes.firstIndex(where: \.isGenerated)
            let key = description.key
            let isIdentifier = key.count == 1 && attributes[key[0]].isIdentifier
            identifierColumn = isIdentifier ? key[0] : nil
            hasPlainIdentifier = isIdentifier && attributes[key[0]].transform == nil
        }
    }

    private let content: Content

    /// The model.
    public var type: any Model.Type { content.type }
    /// The table, without a word about Swift.
    public var description: EntityDescription { content.description }
    /// The attributes in the order of their columns.
    public var attributes: [ModelAttribute] { content.attributes }
    /// The field keys of the columns, which readers of rows take.
    public var fields: RowFields { content.fields }
    /// The table's name.
    public var table: String { content.description.table }
    /// The positions of the attributes that make the primary key, in ascending order.
    public var keyColumns: [Int] { content.description.key }
    /// The column whose values the database gives; nil without one.
    public var generatedColumn: Int? { content.generatedColumn }
    /// The column of the model's `id`, where that alone is the key; nil for a key of several columns,
    /// and for one that is not `id`.
    public var identifierColumn: Int? { content.identifierColumn }

    /// Whether ``identifierColumn`` is one without a transform.
    public var hasPlainIdentifier: Bool { content.hasPlainIdentifier }

    /// Whether a key path is that of the key, which is one column and never nil.
    package func isPlainKey(_ path: AnyKeyPath) -> Bool {
        guard let column = content.identifierColumn else { return false }
        let attribute = content.attributes[column]
        return !attribute.isOptional && attribute.isAttribute(path)
    }

    /// Describes a model. ``validate()`` says whether it can be stored.
    ///
    /// - Complexity: O(number of attributes).
    public init(_ type: any Model.Type) {
        content = Content(type)
    }

    /// The column of a property; nil for a property without a column of its own, such as a computed
    /// one or a part of an embedded model.
    ///
    /// ```swift
    /// EntityBinding(User.self).column(of: \User.age)       // 2
    /// ```
    ///
    /// - Complexity: O(number of attributes).
    public func column(of keyPath: AnyKeyPath) -> Int? {
        attributes.firstIndex { $0.isAttribute(keyPath) }
    }
}

extension ModelAttribute {
    /// Whether the property is `id`, or the macro has made one that stands for it.
    fileprivate var isIdentifier: Bool { property == "id" || !aliases.isEmpty }

    /// Whether a key path is that of the attribute's property, or of one that stands for it.
    package func isAttribute(_ path: AnyKeyPath) -> Bool {
        keyPath == path || aliases.contains { $0 == path }
    }
}
