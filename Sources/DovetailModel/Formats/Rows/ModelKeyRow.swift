/// The key columns of one stored row, from which generated code makes the identifier of a model
/// whose key has several: see ``Model/modelIdentifier(of:)``.
public struct ModelKeyRow {
    private let row: any RowSource
    private let fields: RowFields
    private let columns: [Int]

    /// Looks at the row at which a cursor stands.
    ///
    /// - Parameter columns: The positions of the key columns, in the order of the attributes.
    public init(_ row: any RowSource, fields: RowFields, columns: [Int]) {
        self.row = row
        self.fields = fields
        self.columns = columns
    }

    /// The value of one of the key columns.
    ///
    /// - Throws: ``ModelDecodingError`` when the column holds something else.
    public func value<Value: ModelValue>(_ position: Int) throws -> Value {
        guard columns.indices.contains(position) else {
            throw ModelDecodingError(
                reason: .missingField,
                path: "",
                expected: "a key of \(position + 1) columns",
                found: "\(columns.count)"
            )
        }
        return try ModelReader.readColumn(
            columns[position],
            of: row,
            fields: fields,
            as: Value.self
        )
    }

    /// The value of one of the key columns, read by a coding.
    ///
    /// - Throws: ``ModelDecodingError`` when the column holds something else.
    public func value<Coding: ModelCoding>(
        _ position: Int,
        by coding: Coding.Type
    ) throws -> Coding.Value {
        let coded: Coded<Coding> = try value(position)
        return coded.value
    }

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
