public import DovetailModel
public import Foundation

/// A constant in a query or a key, in the closed list of kinds that columns hold.
///
/// Values of two kinds are never equal, whatever a database makes of them: `.bool(true)` is not
/// `.integer(1)`. Text and documents are compared byte by byte.
public enum QueryValue: Hashable, Sendable {
    /// No value.
    case null
    /// A boolean.
    case bool(Bool)
    /// A whole number.
    case integer(Int64)
    /// A floating point number.
    case double(Double)
    /// A decimal number.
    case decimal(Decimal)
    /// Text.
    case text(String)
    /// A date: an instant, without a time zone.
    case date(Date)
    /// Bytes.
    case data(Data)
    /// An embedded document in JSON.
    case document(String)
}

extension QueryValue {
    /// Whether both are of one kind and a store takes them as equal.
    public static func == (left: QueryValue, right: QueryValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.integer(let left), .integer(let right)): left == right
        case (.double(let left), .double(let right)): left == right
        case (.decimal(let left), .decimal(let right)): left == right
        case (.text(let left), .text(let right)): StoredText(left) == StoredText(right)
        case (.date(let left), .date(let right)): left == right
        case (.data(let left), .data(let right)): left == right
        case (.document(let left), .document(let right)): StoredText(left) == StoredText(right)
        default: false
        }
    }

    /// Feeds the value to a hasher, text by its bytes.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .bool(let value): hasher.combine(value)
        case .integer(let value): hasher.combine(value)
        case .double(let value): hasher.combine(value)
        case .decimal(let value): hasher.combine(value)
        case .text(let value), .document(let value): hasher.combine(StoredText(value))
        case .date(let value): hasher.combine(value)
        case .data(let value): hasher.combine(value)
        }
    }

    /// Whether a column of this kind may hold the value.
    package func fits(_ type: ColumnType) -> Bool {
        switch (self, type) {
        case (.null, _), (.bool, .boolean), (.integer, .integer), (.double, .double),
            (.decimal, .decimal), (.text, .text), (.date, .date), (.data, .data),
            (.document, .document):
            true
        default: false
        }
    }

    /// The column form of a value: what a row would hold for it.
    ///
    /// ```swift
    /// try QueryValue(18)              // .integer(18)
    /// try QueryValue(["a", "b"])      // .document(#"["a","b"]"#)
    /// ```
    ///
    /// - Complexity: linear in the size of the value.
    /// - Throws: ``ModelEncodingError`` when it has none.
    public init(_ value: some ModelValue) throws {
        let sink = ValueSink(columns: 1)
        try ModelWriter.writeColumn(value, to: sink)
        self = sink.values[0]
    }

    /// The column form of a plain `Codable` value.
    ///
    /// - Throws: ``ModelEncodingError``.
    package init(coded value: some Encodable) throws {
        let sink = ValueSink(columns: 1)
        try ModelWriter.writeCodableColumn(value, to: sink)
        self = sink.values[0]
    }

    /// What a column of a row holds, in the same case that writing a value gives: a boolean is
    /// `.bool` although it may be stored as an integer.
    ///
    /// - Throws: ``ModelDecodingError`` when the column does not hold what its kind says. It never
    ///   quotes what is stored.
    package init(_ row: any RowSource, _ column: Int, _ attribute: ModelAttribute) throws {
        try self.init(row, column, attribute.columnType, named: attribute.name)
    }

    /// What a column of a row holds, to be written again: of a number that keeps its text also that. To compare
    /// with others it is not meant.
    ///
    /// - Throws: ``ModelDecodingError`` when the column does not hold what its kind says.
    package init(exactly row: any RowSource, _ column: Int, _ attribute: ModelAttribute) throws {
        let cell = row.cell(column)
        guard case .text(let bytes) = cell, attribute.keepsNumberText else {
            self = try QueryValue(row, column, attribute)
            return
        }
        let (text, number) = (String(decoding: bytes, as: UTF8.self), cell.decimal)
        // `Decimal` does not hold every number.
        let isKept = number?.description != text && ExactNumber(text) != nil
        self = try isKept ? .text(text) : QueryValue(row, column, attribute)
    }

    /// What a column that is no attribute holds.
    package init(
        _ row: any RowSource,
        _ column: Int,
        _ kind: ColumnType,
        named name: String
    ) throws {
        let cell = row.cell(column)
        let value: QueryValue? =
            switch kind {
            case _ where cell.isNull: .null
            case .boolean: cell.integer.map { .bool($0 != 0) }
            case .integer: cell.integer.map { .integer($0) }
            case .double: cell.double.map { .double($0) }
            case .text: cell.text.map { .text(String(decoding: $0, as: UTF8.self)) }
            case .document: cell.text.map { .document(String(decoding: $0, as: UTF8.self)) }
            case .decimal: cell.decimal.map { .decimal($0) }
            case .date: cell.date.map { .date($0) }
            case .data: cell.data.map { .data(Data($0)) }
            }
        guard let value else {
            throw ModelDecodingError(
                kind: .typeMismatch,
                path: name,
                expected: "\(kind)",
                found: cell.kind
            )
        }
        self = value
    }

    /// The column form of a value that goes through a transform; nil for a value of another type.
    ///
    /// - Throws: what the transform throws, and ``ModelEncodingError``.
    init?(_ value: Any, by transform: AttributeTransform) throws {
        let sink = ValueSink(columns: 1)
        guard try transform.write(value, to: sink) else { return nil }
        self = sink.values[0]
    }

    /// Sets a column of a row to the value, as binding a parameter does.
    ///
    /// - Throws: what `sink` throws.
    public func set(_ column: Int, of sink: any RowSink) throws {
        switch self {
        case .null: try sink.setNull(column)
        case .bool(let value): try sink.set(column, bool: value)
        case .integer(let value): try sink.set(column, integer: value)
        case .double(let value): try sink.set(column, double: value)
        case .decimal(let value): try sink.set(column, decimal: value)
        case .text(var value): try value.withUTF8 { try sink.set(column, text: $0) }
        case .date(let value): try sink.set(column, date: value)
        case .data(let value): try value.withUnsafeBytes { try sink.set(column, data: $0) }
        case .document(var value): try value.withUTF8 { try sink.set(column, document: $0) }
        }
    }
}

/// Keeps the columns of a row as values, each in a copy of its own.
///
/// ```swift
/// let sink = ValueSink(columns: entity.attributes.count)
/// try ModelWriter.writeRows(CollectionOfOne(user), to: sink) { _ in }
/// sink.values             // .integer(1), .text("Ann"), .integer(36)
/// ```
public final class ValueSink: RowSink {
    /// What was set, by column; `.null` where nothing was.
    public private(set) var values: [QueryValue]

    /// Makes a row of so many NULLs.
    public init(columns: Int) {
        values = Array(repeating: .null, count: columns)
    }

    /// A column beyond them is dropped: `ModelWriter.writeRows` refuses the model that wrote it.
    private func put(_ value: QueryValue, _ column: Int) {
        if values.indices.contains(column) { values[column] = value }
    }

    /// Sets the column to NULL.
    public func setNull(_ column: Int) { put(.null, column) }
    /// Keeps a boolean.
    public func set(_ column: Int, bool: Bool) { put(.bool(bool), column) }
    /// Keeps a whole number.
    public func set(_ column: Int, integer: Int64) { put(.integer(integer), column) }
    /// Keeps a floating point number.
    public func set(_ column: Int, double: Double) { put(.double(double), column) }
    /// Keeps a decimal number.
    public func set(_ column: Int, decimal: Decimal) { put(.decimal(decimal), column) }
    /// Keeps text. Bytes that are not UTF-8 become U+FFFD.
    public func set(_ column: Int, text: UnsafeBufferPointer<UInt8>) {
        put(.text(String(decoding: text, as: UTF8.self)), column)
    }
    /// Keeps a date.
    public func set(_ column: Int, date: Date) { put(.date(date), column) }
    /// Keeps bytes.
    public func set(_ column: Int, data: UnsafeRawBufferPointer) {
        put(.data(Data(data)), column)
    }
    /// Keeps an embedded document.
    public func set(_ column: Int, document: UnsafeBufferPointer<UInt8>) {
        put(.document(String(decoding: document, as: UTF8.self)), column)
    }
}
