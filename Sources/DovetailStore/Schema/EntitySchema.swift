public import DovetailModel

/// What a store has to know of one model: its table, its columns and its key.
///
/// ```swift
/// let entity = EntitySchema(User.self)
/// entity.table                        // "User"
/// entity.attributes.map(\.name)       // ["id", "name", "age"]
/// entity.keyColumns                   // [0]
/// ```
///
/// A column is named by its position in ``attributes``, here and in ``RowSource``, ``RowSink`` and
/// ``QueryExpression``.
public struct EntitySchema: Sendable {
    /// The model.
    public let type: any Model.Type
    /// The model's name in documents, which is the table's name.
    public let table: String
    /// The attributes in the order of their columns.
    public let attributes: [ModelAttribute]
    /// The positions of the attributes that make the primary key, in ascending order.
    public let keyColumns: [Int]
    /// The field keys of the columns, which readers of rows take.
    public let fields: RowFields

    /// Describes a model. ``validate()`` says whether it can be stored.
    ///
    /// - Complexity: O(number of attributes).
    public init(_ type: any Model.Type) {
        self.type = type
        table = type.typeName
        attributes = type.modelAttributes
        keyColumns = attributes.indices.filter { [attributes] in attributes[$0].isPrimaryKey }
        fields = RowFields(attributes)
    }

    /// Checks what every store requires of a model.
    ///
    /// ```swift
    /// @Model struct Note { var text: String }
    /// try EntitySchema(Note.self).validate()      // throws: Note has no key
    /// ```
    ///
    /// - Complexity: O(number of attributes).
    /// - Throws: ``StoreError`` of kind `invalidSchema` when the model has no key or an optional
    ///   one, or when two names of columns differ in upper and lower case only, which SQL does not
    ///   tell apart.
    public func validate() throws {
        guard !keyColumns.isEmpty else {
            throw StoreError(
                .invalidSchema,
                table: table,
                explanation: "\(type) has no key: declare `id`, or mark a property with "
                    + "@Attribute(.primaryKey)"
            )
        }
        for column in keyColumns where attributes[column].isOptional {
            throw StoreError(
                .invalidSchema,
                table: table,
                column: attributes[column].name,
                explanation: "a key cannot be optional, because a row without one cannot be found"
            )
        }
        var names: Set<String> = []
        for attribute in attributes where !names.insert(attribute.name.lowercased()).inserted {
            throw StoreError(
                .invalidSchema,
                table: table,
                column: attribute.name,
                explanation: "two attributes have this name but for upper and lower case"
            )
        }
    }

    /// The column of a property; nil for a property without a column of its own, such as a computed
    /// one or a part of an embedded model.
    ///
    /// ```swift
    /// EntitySchema(User.self).column(of: \User.age)       // 2
    /// ```
    ///
    /// - Complexity: O(number of attributes).
    public func column(of keyPath: AnyKeyPath) -> Int? {
        attributes.firstIndex { attribute in
            attribute.keyPath == keyPath || attribute.aliases.contains { $0 == keyPath }
        }
    }
}
