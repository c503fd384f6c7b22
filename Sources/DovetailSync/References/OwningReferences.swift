import DovetailContext
import DovetailModel
import DovetailStore

/// The references of rows to others of their own table, with which they are deleted (`.cascade`): those of a
/// tree.
///
/// A list deletes rows before it updates others, so that unique values are free again. What the database
/// deletes with these would be gone before its own update, or for good where the list has it as it is.
struct OwningReferences {
    private let entity: EntityBinding
    private let columns: [Int]

    /// Nil for an entity that has none.
    init?(_ entity: EntityBinding) {
        self.entity = entity
        columns = entity.description.references.lazy
            .filter { $0.table == entity.table && $0.deleteRule == .cascade }
            .map(\.column)
        if columns.isEmpty { return nil }
    }

    /// The keys of the rows that values belong to, with the positions of these values.
    ///
    /// - Complexity: linear in the number of values.
    /// - Throws: ``ModelEncodingError``.
    func owners<Value: Model>(of values: [Value]) throws -> [QueryValue: [Int]] {
        var owners: [QueryValue: [Int]] = [:]
        let sink = ValueSink(columns: entity.attributes.count)
        var position = 0
        try ModelWriter.writeRows(values, to: sink, attributes: entity.attributes) { _ in
            for column in columns where sink.values[column] != .null {
                owners[sink.values[column], default: []].append(position)
            }
            position += 1
        }
        return owners
    }

    /// Changes by which rows leave those that are deleted next. An attribute that may be nil is, until the
    /// rows are written: what they refer to may be unique, too.
    ///
    /// - Complexity: linear in the number of values.
    /// - Throws: ``ModelEncodingError``.
    func leaving<Value: Model>(_ values: [Value]) throws -> [RowChange] {
        try values.map { value in
            let row = try RowImage(of: value, attributes: entity.attributes)
            for column in columns where entity.attributes[column].isOptional {
                row.setNull(column)
            }
            return try RowChange(updating: ColumnSet(columns), of: entity, to: row)
        }
    }
}
