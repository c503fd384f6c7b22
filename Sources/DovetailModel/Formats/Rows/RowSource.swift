public import Foundation

/// The columns of one row, as a store's cursor offers them to a ``ModelReader``.
///
/// Columns are numbered from 0 in the order of ``Model/modelAttributes``. Bytes that are handed out
/// stay valid until the cursor moves.
public protocol RowSource: AnyObject {
    /// Whether the column holds NULL.
    func isNull(_ column: Int) -> Bool
    /// The whole number in the column; nil when it holds something else.
    func integer(_ column: Int) -> Int64?
    /// The number in the column; nil when it holds something else.
    func double(_ column: Int) -> Double?
    /// The text in the column, in UTF-8 not yet validated; nil when it holds something else.
    func text(_ column: Int) -> UnsafeBufferPointer<UInt8>?
    /// The bytes in the column; nil when it holds something else.
    func data(_ column: Int) -> UnsafeBufferPointer<UInt8>?
    /// The moment in the column; nil when it holds something else.
    func date(_ column: Int) -> Date?
    /// What the column holds, in one word for error messages ("TEXT"), never the content.
    func kind(_ column: Int) -> String
}

/// The field keys of a model's columns, in their order.
///
/// Invariant of the unchecked `Sendable`: nothing changes after `init`, and the keys point to names
/// that are literals of the program, which live as long as it.
public final class RowFields: @unchecked Sendable {
    @usableFromInline let keys: [FieldKey]
    private let paths: [String]

    /// Makes the keys of the attributes of a model.
    public init(_ attributes: [ModelAttribute]) {
        keys = attributes.map { FieldKey($0.fieldName) }
        paths = attributes.map(\.path)
    }

    /// The attribute's path as errors print it.
    func path(_ column: Int) -> String {
        paths.indices.contains(column) ? paths[column] : "[\"\"]"
    }

    @inlinable
    func key(_ column: Int) -> FieldKey? {
        column < keys.count ? keys[column] : nil
    }
}

extension ModelReader {
    /// Reads rows one after the other with one reader.
    ///
    /// - Parameter advance: moves the cursor of `row`; false behind the last row.
    /// - Throws: ``ModelDecodingError`` whose path is the column, and what `advance` throws.
    @inlinable
    public static func readRows<Value: Model>(
        of type: Value.Type,
        from row: any RowSource,
        fields: RowFields,
        into values: inout [Value],
        advance: () throws -> Bool
    ) throws {
        var reader = ModelReader(row: row, fields: fields)
        while try advance() {
            reader.column = -1
            values.append(try Value(modelValue: &reader))
        }
    }

    /// Reads one column of the row at which a cursor stands.
    ///
    /// - Throws: ``ModelDecodingError`` whose path is the column.
    public static func readColumn<Value: ModelValue>(
        _ column: Int,
        of row: any RowSource,
        fields: RowFields,
        as type: Value.Type
    ) throws -> Value {
        var reader = ModelReader(row: row, fields: fields)
        reader.column = column
        return try Value(modelValue: &reader)
    }

    @inlinable
    mutating func nextColumn() throws -> FieldKey? {
        if !isRow { try leaveColumnDocument() }
        column += 1
        return state.fields?.key(column)
    }

    @usableFromInline
    mutating func leaveColumnDocument() throws {
        try expectEnd()
        source = .row
    }

    /// Turns to the document inside the current column.
    @usableFromInline
    mutating func enterColumnDocument() throws {
        guard let row = state.row, let text = row.text(column), let start = text.baseAddress
        else { throw rowError(.typeMismatch, expected: "a JSON document") }
        state.start = start
        cursor = start
        end = start + text.count
        source = .json
        skipWhitespace()
    }

    @usableFromInline
    mutating func rowIsNull() throws -> Bool {
        state.row?.isNull(column) ?? true
    }

    @usableFromInline
    mutating func readRowBool() throws -> Bool {
        switch state.row?.integer(column) {
        case 0: return false
        case 1: return true
        default: throw rowError(.typeMismatch, expected: "Bool")
        }
    }

    @usableFromInline
    mutating func readRowInteger(_ type: Any.Type) throws -> Int64 {
        guard let value = state.row?.integer(column) else {
            throw rowError(.typeMismatch, expected: "\(type)")
        }
        return value
    }

    @usableFromInline
    mutating func readRowDouble() throws -> Double {
        guard let value = state.row?.double(column) else {
            throw rowError(.typeMismatch, expected: "Double")
        }
        return value
    }

    mutating func readRowDecimal() throws -> Decimal {
        guard let text = state.row?.text(column),
            let value = Decimal(exactText: String(decoding: text, as: UTF8.self))
        else { throw rowError(.typeMismatch, expected: "Decimal") }
        return value
    }

    mutating func readRowDate() throws -> Date {
        guard let date = state.row?.date(column) else {
            throw rowError(.typeMismatch, expected: "Date")
        }
        return date
    }

    mutating func readRowData() throws -> Data {
        guard let bytes = state.row?.data(column) else {
            throw rowError(.typeMismatch, expected: "Data")
        }
        return Data(bytes)
    }

    @usableFromInline
    mutating func readRowString() throws -> String {
        guard let text = state.row?.text(column) else {
            throw rowError(.typeMismatch, expected: "String")
        }
        // `String(validating:)` would do both, several times as slowly.
        guard UTF8Check.firstInvalidByte(in: text) == nil else {
            throw rowError(.invalidEncoding, expected: "UTF-8")
        }
        return UTF8Check.string(validated: text)
    }

    /// An error about the current column. It never quotes what is stored.
    @usableFromInline
    mutating func rowError(
        _ reason: ModelDecodingError.Reason,
        expected: String,
        found: String? = nil
    ) -> ModelDecodingError {
        let column = column
        return ModelDecodingError(
            reason: reason,
            path: state.fields?.path(column) ?? "",
            expected: expected,
            found: found ?? state.row?.kind(column) ?? "nothing"
        )
    }

    /// Puts the column's name before the path of an error inside the column's document.
    mutating func inColumn(_ inner: ModelDecodingError) -> ModelDecodingError {
        inner.withoutPosition.inside(rowError(inner.reason, expected: "", found: "").path)
    }
}
