import DovetailModel
import DovetailStore

/// Reads the identifier of a stored row, for ``EntityChanges/deleted``.
struct RowIdentifiers<Value: Model & Identifiable> {
    private let entity: EntityBinding

    init(_ entity: EntityBinding) {
        self.entity = entity
    }

    /// Reads as few columns as it can, so that a row which is no value of the model any more still
    /// has an identifier.
    ///
    /// - A key of one column without a transform is read by itself, when it is `id` and a value
    ///   of documents (``ModelValue``).
    /// - A key of several columns is made by generated code, ``Model/modelIdentifier(of:)``.
    /// - For every other identifier the whole row is read as a value.
    ///
    /// - Throws: ``ModelDecodingError`` when the columns that are read do not hold what the model
    ///   says.
    func identifier(of row: any RowSource) throws -> Value.ID {
        if let type = Value.ID.self as? any ModelValue.Type, entity.hasPlainIdentifier,
            let column = entity.identifierColumn,
            let id = try ModelReader.readColumn(column, of: row, fields: entity.fields, as: type)
                as? Value.ID
        {
            return id
        }
        let key = ModelKeyRow(row, fields: entity.fields, columns: entity.keyColumns)
        if let id = try Value.modelIdentifier(of: key) as? Value.ID { return id }
        let value: Value = try entity.value(of: row)
        return value.id
    }
}
