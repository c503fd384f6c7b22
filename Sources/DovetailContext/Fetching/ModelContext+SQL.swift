public import DovetailModel
public import DovetailStore
import Foundation

extension ModelContext {
    /// Fetches rows with a query in SQL, as values of any model: one of the container's, or one that
    /// is made for the query.
    ///
    /// ```swift
    /// @Model struct Total { var city: String; var orders: Int }
    /// let totals = try context.sql(
    ///     "SELECT city, count(*) AS orders FROM Orders WHERE day > \(day) GROUP BY city",
    ///     as: Total.self
    /// )
    /// ```
    ///
    /// Columns are found by their names, without regard to case. One that the query does not give is
    /// nil, or an error where the property is not optional; others are passed over. Of a class with
    /// `@Model` they are the objects of this context, and the query has to give all columns. Values that wait
    /// to be saved are seen: everything that waits is written in a transaction that is rolled back.
    ///
    /// - Complexity: what the database needs for the query.
    /// - Throws: ``StoreError``, of kind `unsupported` for a store without SQL, for a statement that
    ///   writes and for several statements; ``QueryError`` for a value that has no form in a column;
    ///   and ``ModelDecodingError`` for a row that is no value of the model.
    public func sql<Value: Model>(_ query: SQLQuery, as model: Value.Type) throws -> [Value] {
        if let problem = query.problem {
            throw QueryError(expression: "an interpolated value", explanation: problem)
        }
        let isObject = model is any PersistentModel.Type
        if isObject { try beginUse() }
        let entity = try isObject ? entity(of: model) : EntityBinding(model)
        let read = { (connection: any StoreQuerying) throws -> [Value] in
            let (cursor, columns) = try connection.rows(of: query)
            defer { cursor.close() }
            let names = columns.map { $0.lowercased() }
            let places = entity.attributes.map { names.firstIndex(of: $0.name.lowercased()) ?? -1 }
            for (attribute, place) in zip(entity.attributes, places)
            where place < 0 && (!attribute.isOptional || isObject) {
                throw ModelDecodingError(
                    kind: .missingField,
                    path: attribute.name,
                    expected: "a column of this name",
                    found: columns.joined(separator: ", ")
                )
            }
            let row = NamedColumns(cursor, places)
            var values: [Value] = []
            try self.readRows(of: model, from: row, entity, into: &values) { try cursor.next() }
            return values
        }
        return !hasChanges ? try withReadConnection(read) : try withPendingWritten(read)
    }
}

/// The columns of a cursor in the order of a model's attributes. One that is not there is NULL.
private final class NamedColumns: RowSource {
    private let cursor: any RowCursor
    private let places: [Int]

    init(_ cursor: any RowCursor, _ places: [Int]) {
        self.cursor = cursor
        self.places = places
    }

    private func place(_ column: Int) -> Int? {
        places.indices.contains(column) && places[column] >= 0 ? places[column] : nil
    }

    func cell(_ column: Int) -> RowCell { place(column).map { cursor.cell($0) } ?? .null }

    func isDecimal(_ column: Int) -> Bool { place(column).map { cursor.isDecimal($0) } ?? false }
}
