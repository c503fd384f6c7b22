/// The key columns of one stored row, from which generated code makes the identifier of a model
/// whose key has several: see ``Model/modelIdentifier(of:)``.
///
/// Only the key is read, so a row that is no longer a value of the model can still be named, for
/// example when `synchronize` deletes it. A view of the cursor's current row, not a copy: use it
/// before the cursor moves.
///
/// ```swift
/// static func modelIdentifier(of row: ModelKeyRow) throws -> (any Hashable)? {
///     ID(order: try row.value(0), line: try row.value(1))
/// }
/// ```
public struct ModelKeyRow {
    private let row: any RowSource
    private let fields: RowFields
    private let columns: [Int]

    /// Looks at the current row of a cursor.
    ///
    /// - Parameters:
    ///   - row: The cursor, positioned at a row.
    ///   - fields: The columns of the model.
    ///   - columns: The positions of the key columns, in the order of the attributes.
    public init(_ row: any RowSource, fields: RowFields, columns: [Int]) {
        self.row = row
        self.fields = fields
        self.columns = columns
    }

    /// The value of one of the key columns.
    ///
    /// - Parameter position: Which of the key columns, from 0; not the position in the row.
    /// - Throws: ``ModelDecodingError`` when the column holds something else, and one that says
    ///   `missingField` when the key has fewer columns.
    public func value<Value: ModelValue>(_ position: Int) throws -> Value {
        var reader = try reader(position)
        return try Value(modelValue: &reader)
    }

    /// The value of one of the key columns that is of a plain `Codable` type: an enum with a raw type, and
    /// no model.
    ///
    /// - Parameter position: Which of the key columns, from 0; not the position in the row.
    /// - Throws: ``ModelDecodingError`` as for values of models.
    @_disfavoredOverload
    public func value<Value: Decodable>(_ position: Int) throws -> Value {
        var reader = try reader(position)
        return try reader.readCodable(Value.self)
    }

    /// A reader at one of the key columns.
    private func reader(_ position: Int) throws -> ModelReader {
        guard columns.indices.contains(position) else {
            throw ModelDecodingError(
                kind: .missingField,
                path: "",
                expected: "a key of \(position + 1) columns",
                found: "\(columns.count)"
            )
        }
        return ModelReader(columns[position], of: row, fields: fields)
    }

    /// The value of one of the key columns, read by a coding: for attributes with a transform.
    ///
    /// - Parameters:
    ///   - position: Which of the key columns, from 0; not the position in the row.
    ///   - coding: The coding that the attribute is declared with.
    /// - Throws: ``ModelDecodingError`` when the column holds something else.
    public func value<Coding: ModelCoding>(
        _ position: Int,
        by coding: Coding.Type
    ) throws -> Coding.Value {
        let coded: Coded<Coding> = try value(position)
        return coded.value
    }

    /// A value that reads itself by a coding, so that one path serves both kinds of attributes.
    private struct Coded<Coding: ModelCoding>: ModelValue {
        let value: Coding.Value

        init(modelValue reader: inout ModelReader) throws {
            value = try Coding.decode(from: &reader)
        }

        func encode(to writer: inout ModelWriter) throws {
            try Coding.encode(value, to: &writer)
        }
    }
}
