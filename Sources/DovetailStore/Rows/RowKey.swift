public import DovetailModel
import Foundation

/// The primary key of a row, made of an element or of a stored row, comparable between both.
///
/// Integers and text, which most keys are, take no array. Text is compared byte by byte, as the
/// store compares it. Invariant: ``init(_:)`` alone chooses the case, so equal keys have the same
/// case.
package enum RowKey: Hashable, Sendable {
    /// A key of one column that is an integer.
    case integer(Int64)
    /// A key of one column that is text.
    case text(StoredText)
    /// A key of several columns, or of another kind.
    case other([QueryValue])

    package init(_ values: [QueryValue]) {
        switch values.first {
        case .integer(let value)? where values.count == 1: self = .integer(value)
        case .text(let value)? where values.count == 1: self = .text(StoredText(value))
        default: self = .other(values)
        }
    }

    /// The values of the key columns, in their order.
    package var values: [QueryValue] {
        switch self {
        case .integer(let value): [.integer(value)]
        case .text(let value): [.text(value.string)]
        case .other(let values): values
        }
    }

    /// How many columns it has.
    package var count: Int {
        if case .other(let values) = self { values.count } else { 1 }
    }

    /// Sets the key columns of an entity, of which there are ``count``.
    ///
    /// - Throws: what `sink` throws.
    package func write(to sink: any RowSink, _ entity: EntityBinding) throws {
        if case .integer(let value) = self, let column = entity.integerKeyColumn {
            return try sink.set(column, integer: value)
        }
        for (column, value) in zip(entity.keyColumns, values) {
            try value.set(column, of: sink)
        }
    }

    /// Sets a column that refers to a key of one column; NULL for none.
    ///
    /// - Throws: what `sink` throws.
    package static func set(_ column: Int, of sink: any RowSink, to key: RowKey?) throws {
        switch key {
        case .integer(let value)?: try sink.set(column, integer: value)
        case let key?: try (key.values.first ?? .null).set(column, of: sink)
        case nil: try sink.setNull(column)
        }
    }

    /// The key of the row at which a cursor is positioned.
    ///
    /// - Throws: ``ModelDecodingError`` when a column does not hold what its kind says. It never
    ///   quotes what is stored.
    package init(row: any RowSource, entity: EntityBinding) throws {
        // Most keys: no array is made for them.
        if let column = entity.integerKeyColumn, let value = row.integer(column) {
            self = .integer(value)
            return
        }
        self.init(try entity.key(of: row))
    }
}

extension EntityBinding {
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
        try values(of: row, in: keyColumns)
    }

    /// The value of the row where a cursor is, or of an image.
    ///
    /// - Complexity: that of reading a row.
    /// - Throws: ``ModelDecodingError`` when the row is no value of the model.
    package func value<Value: Model>(of row: any RowSource) throws -> Value {
        try ModelReader.readRow(of: Value.self, from: row, fields: fields)
    }

    /// The values of all columns of a row, in their order: a row that is made of them is the same.
    ///
    /// - Throws: ``ModelDecodingError`` when a column does not hold what its kind says.
    public func values(of row: any RowSource) throws -> [QueryValue] {
        try attributes.enumerated().map { try QueryValue(exactly: row, $0, $1) }
    }

    /// The values of some columns of a row, in the order of these, to be compared with those of others.
    ///
    /// - Throws: ``ModelDecodingError`` when a column does not hold what its kind says.
    package func values(
        of row: any RowSource,
        in columns: some Collection<Int>
    ) throws -> [QueryValue] {
        try columns.map { try QueryValue(row, $0, attributes[$0]) }
    }
}
