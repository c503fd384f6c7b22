import DovetailModel
import DovetailStore
import Foundation

/// The primary key of a row, made of an element or of a stored row, comparable between both.
///
/// Integers and text, which most keys are, take no array. Text is compared byte by byte, as the
/// store compares it. Invariant: ``init(_:)`` alone chooses the case, so equal keys have the same
/// case.
enum RowKey: Hashable {
    /// A key of one column that is an integer.
    case integer(Int64)
    /// A key of one column that is text.
    case text(StoredText)
    /// A key of several columns, or of another kind.
    case other([QueryValue])

    init(_ values: [QueryValue]) {
        switch values.first {
        case .integer(let value)? where values.count == 1: self = .integer(value)
        case .text(let value)? where values.count == 1: self = .text(StoredText(value))
        default: self = .other(values)
        }
    }

    /// The values of the key columns, in their order.
    var values: [QueryValue] {
        switch self {
        case .integer(let value): [.integer(value)]
        case .text(let value): [.text(value.string)]
        case .other(let values): values
        }
    }

    /// The key of the row at which a cursor is positioned.
    ///
    /// - Throws: ``ModelDecodingError`` when a column does not hold what its kind says. It never
    ///   quotes what is stored.
    init(row: any RowSource, entity: EntitySchema) throws {
        self.init(try entity.keyColumns.map { try RowKey.value(row, $0, entity.attributes[$0]) })
    }

    /// The value of one key column, in the same case that writing an element gives: a boolean is
    /// `.bool` although it is stored as an integer.
    private static func value(
        _ row: any RowSource,
        _ column: Int,
        _ attribute: ModelAttribute
    ) throws -> QueryValue {
        if row.isNull(column) { return .null }
        let value: QueryValue?
        switch attribute.columnType {
        case .boolean: value = row.integer(column).map { .bool($0 != 0) }
        case .integer: value = row.integer(column).map { .integer($0) }
        case .double: value = row.double(column).map { .double($0) }
        case .text: value = row.text(column).map { .text(String(decoding: $0, as: UTF8.self)) }
        case .document:
            value = row.text(column).map { .document(String(decoding: $0, as: UTF8.self)) }
        case .decimal:
            let text = row.text(column).map { String(decoding: $0, as: UTF8.self) }
            value = text.flatMap { Decimal(string: $0) }.map { .decimal($0) }
        case .date: value = row.date(column).map { .date($0) }
        case .data: value = row.data(column).map { .data(Data($0)) }
        }
        guard let value else {
            throw ModelDecodingError(
                kind: .typeMismatch,
                path: attribute.name,
                expected: "\(attribute.columnType)",
                found: row.kind(column)
            )
        }
        return value
    }
}

/// Keeps the key columns of an element and ignores the others, of which nothing is copied.
final class KeySink: RowSink {
    /// By column, its place in the key; nil for a column that is not part of it.
    private let positions: [Int?]
    private let entity: EntitySchema
    private var values: [QueryValue]

    init(_ entity: EntitySchema) {
        self.entity = entity
        positions = entity.attributes.indices.map { entity.keyColumns.firstIndex(of: $0) }
        values = Array(repeating: .null, count: entity.keyColumns.count)
    }

    /// The key of the element whose columns were set last. Every element sets all of them.
    var key: RowKey { RowKey(values) }

    /// Keeps a value; the autoclosure spares columns outside of the key a copy of their bytes.
    private func keep(_ column: Int, _ value: @autoclosure () -> QueryValue) {
        if let position = positions[column] { values[position] = value() }
    }

    func setNull(_ column: Int) { keep(column, .null) }
    func set(_ column: Int, bool: Bool) { keep(column, .bool(bool)) }
    func set(_ column: Int, integer: Int64) { keep(column, .integer(integer)) }
    func set(_ column: Int, double: Double) { keep(column, .double(double)) }
    func set(_ column: Int, decimal: Decimal) { keep(column, .decimal(decimal)) }
    func set(_ column: Int, text: UnsafeBufferPointer<UInt8>) {
        keep(column, .text(String(decoding: text, as: UTF8.self)))
    }
    func set(_ column: Int, date: Date) { keep(column, .date(date)) }
    func set(_ column: Int, data: UnsafeRawBufferPointer) { keep(column, .data(Data(data))) }
    func set(_ column: Int, document: UnsafeBufferPointer<UInt8>) {
        keep(column, .document(String(decoding: document, as: UTF8.self)))
    }
}
