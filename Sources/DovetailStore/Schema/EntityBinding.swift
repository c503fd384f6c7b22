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
    /// The model.
    public let type: any Model.Type
    /// The table, without a word about Swift.
    public let description: EntityDescription
    /// The attributes in the order of their columns.
    public let attributes: [ModelAttribute]
    /// The field keys of the columns, which readers of rows take.
    public let fields: RowFields

    /// The table's name.
    public var table: String { description.table }
    /// The positions of the attributes that make the primary key, in ascending order.
    public var keyColumns: [Int] { description.key }

    /// Describes a model. ``validate()`` says whether it can be stored.
    ///
    /// - Complexity: O(number of attributes).
    public init(_ type: any Model.Type) {
        self.type = type
        attributes = type.modelAttributes
        description = EntityDescription(type, attributes)
        fields = RowFields(attributes)
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
        attributes.firstIndex { attribute in
            attribute.keyPath == keyPath || attribute.aliases.contains { $0 == keyPath }
        }
    }

    /// The values of the key columns of a row, in their order: what names the row in its table.
    ///
    /// ```swift
    /// let cursor = try connection.rows(of: query)
    /// while try cursor.next() { keys.append(try entity.key(of: cursor)) }
    /// ```
    ///
    /// - Parameter row: A row that holds all columns, such as a cursor that is positioned at one.
    /// - Throws: ``ModelDecodingError`` when a column does not hold what its kind says. It never
    ///   quotes what is stored.
    public func key(of row: any RowSource) throws -> [QueryValue] {
        try keyColumns.map { try QueryValue(row, $0, attributes[$0]) }
    }

    /// The column whose values the database gives; nil without one.
    public var generatedColumn: Int? { attributes.firstIndex(where: \.isGenerated) }
}
