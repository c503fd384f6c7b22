public import DovetailModel
import DovetailStore

extension ModelContext {
    /// Fetches some columns of a model as values of another one, which needs no table.
    ///
    /// ```swift
    /// @Model struct NameAndAge { var name: String; var age: Int? }
    /// let adults = FetchDescriptor<User>(predicate: #Predicate { $0.age >= 18 })
    /// let found = try context.fetch(adults, as: NameAndAge.self)
    /// // SELECT "name", "age" FROM "User" WHERE ("age" >= ?1)
    /// ```
    ///
    /// A property has the column of the property with its name, or, where there is none, the column
    /// with the name that it has in documents. No other column is read. Values that wait to be saved
    /// are seen: everything that waits is written in a transaction that is rolled back.
    ///
    /// - Complexity: linear in the number of rows that the store goes over.
    /// - Throws: ``QueryError`` for a property that has no column, or one of another kind or with
    ///   another transform, and for predicates that no store understands; ``StoreError``; and
    ///   ``ModelDecodingError`` for a row that is no value of the model, such as one with NULL where
    ///   the property is not optional.
    public func fetch<Source: Model, Value: Model>(
        _ descriptor: FetchDescriptor<Source>,
        as model: Value.Type
    ) throws -> [Value] {
        let query = try query(descriptor)
        let target = EntityBinding(model)
        let columns = try target.attributes.map { attribute in
            let column = try query.entity.column(for: attribute, of: model)
            let isOptional = query.entity.attributes[column].isOptional
            return QueryColumn.value(.attribute(column, isOptional: isOptional))
        }
        let selection = QuerySelection(query, columns)
        let read = { (connection: any StoreQuerying) throws -> [Value] in
            let cursor = try connection.rows(of: selection)
            defer { cursor.close() }
            var values: [Value] = []
            try ModelReader.readRows(
                of: model,
                from: cursor,
                fields: target.fields,
                into: &values
            ) { try cursor.next() }
            return values
        }
        return !hasChanges || !descriptor.includePendingChanges
            ? try withReadConnection(read) : try withPendingWritten(read)
    }
}

extension EntityBinding {
    /// The column that an attribute of another model is filled from.
    ///
    /// - Throws: ``QueryError``.
    fileprivate func column(
        for attribute: ModelAttribute,
        of model: any Model.Type
    ) throws -> Int {
        // Another class of the table may have a property of the name.
        let own = attributes.indices.filter { !foreignColumns.contains($0) }
        let found =
            own.first { attributes[$0].property == attribute.property }
            ?? own.first { attributes[$0].name == attribute.name }
        guard let found else {
            throw QueryError(
                expression: "\(model).\(attribute.property)",
                explanation: "\(table) has no column for it"
            )
        }
        let source = attributes[found]
        guard source.columnType == attribute.columnType else {
            throw QueryError(
                expression: "\(model).\(attribute.property)",
                explanation: "is of kind \(attribute.columnType), and the column of \(table) of "
                    + "kind \(source.columnType)"
            )
        }
        guard source.isStored(like: attribute) else {
            throw QueryError(
                expression: "\(model).\(attribute.property)",
                explanation: "has another transform than the column of \(table)"
            )
        }
        return found
    }
}
