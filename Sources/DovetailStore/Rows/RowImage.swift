public import DovetailModel
public import Foundation

/// One row of an entity in memory: filled by a model as a ``RowSink``, read as a ``RowSource``.
///
/// ```swift
/// let image = try RowImage(of: user)
/// image.integer(2)        // 36, the age
/// ```
///
/// What a context has to see before it is saved is held in this form. Scalars lie in the slots of
/// the columns, text and bytes one after the other in one buffer, so a row is three allocations.
///
/// A class without a lock: it is filled by one owner and not changed afterwards, unless nobody else
/// has it.
public final class RowImage: RowSink, RowSource {
    /// What a column holds, and where.
    private enum Column {
        /// The row says nothing about it.
        case unknown
        case null
        case bool(Bool)
        case integer(Int64)
        case double(Double)
        case date(Date)
        /// A part of `bytes`.
        case text(Range<Int>)
        case decimal(Range<Int>)
        case document(Range<Int>)
        case data(Range<Int>)
    }

    @exclusivity(unchecked) private var columns: [Column]
    /// Invariant: `capacity` bytes, of which the first `count` are written; nil before the first.
    @exclusivity(unchecked) private var bytes: UnsafeMutablePointer<UInt8>?
    @exclusivity(unchecked) private var capacity = 0
    @exclusivity(unchecked) private var count = 0

    /// Makes a row of so many NULLs.
    public init(columns: Int) {
        self.columns = Array(repeating: .null, count: columns)
    }

    /// Makes a row that says nothing about its columns before they are set: a part of a row.
    package init(unknown columns: Int) {
        self.columns = Array(repeating: .unknown, count: columns)
    }

    /// Makes a row of values, a column of each.
    ///
    /// - Complexity: linear in the size of the values.
    public convenience init(_ values: [QueryValue]) {
        self.init(columns: values.count)
        for (column, value) in values.enumerated() { value.keep(column, in: self) }
    }

    /// Makes the row of a value.
    ///
    /// - Parameter attributes: `Value.modelAttributes`, from a caller that has them: a model makes them
    ///   at each call, which takes longer than a row.
    /// - Complexity: linear in the size of the value.
    /// - Throws: ``ModelEncodingError`` for a value that has no form in a column.
    @inlinable
    public convenience init<Value: Model>(
        of value: Value,
        attributes: [ModelAttribute]? = nil
    ) throws {
        let attributes = attributes ?? Value.modelAttributes
        self.init(columns: attributes.count)
        try ModelWriter.writeRows(CollectionOfOne(value), to: self, attributes: attributes) { _ in }
    }

    deinit {
        bytes?.deallocate()
    }

    /// Makes it a row again that says nothing about its columns, which takes no new memory.
    ///
    /// Invariant: nobody else has the row.
    package func clear() {
        for column in columns.indices { columns[column] = .unknown }
        count = 0
    }

    /// Whether it says something about a column.
    package func isKnown(_ column: Int) -> Bool {
        if case .unknown = value(column) { false } else { true }
    }

    /// The columns about which it says something.
    package var knownColumns: ColumnSet {
        var known = ColumnSet()
        for column in columns.indices {
            if case .unknown = columns[column] { continue }
            known.insert(column)
        }
        return known
    }

    /// Appends bytes and says where they are.
    private func keep(_ source: UnsafeRawBufferPointer) -> Range<Int> {
        let range = count..<count + source.count
        guard let start = source.baseAddress, !source.isEmpty else { return range }
        if range.upperBound > capacity {
            let larger = max(capacity * 2, range.upperBound, 64)
            let next = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
            if let bytes { next.update(from: bytes, count: count) }
            bytes?.deallocate()
            bytes = next
            capacity = larger
        }
        // Invariant: the lines above have made room for `source.count` more bytes.
        bytes.map { UnsafeMutableRawPointer($0 + count) }?
            .copyMemory(from: start, byteCount: source.count)
        count = range.upperBound
        return range
    }

    /// The bytes of a part; valid as long as the row, when it is filled.
    private func part(_ range: Range<Int>) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(
            start: bytes.map { UnsafePointer($0 + range.lowerBound) },
            count: range.count
        )
    }

    /// The columns in which another row, of as many columns, holds something else.
    package func columns(differingFrom other: RowImage) -> ColumnSet {
        var different = ColumnSet()
        for column in columns.indices where !holdsSame(column, as: other) {
            different.insert(column)
        }
        return different
    }

    /// Whether a column of another row holds the same. What one of them says nothing about is the same.
    package func holdsSame(_ column: Int, as other: RowImage) -> Bool {
        func isEqual(_ left: Range<Int>, _ right: Range<Int>) -> Bool {
            guard left.count == right.count else { return false }
            guard let mine = bytes, let theirs = other.bytes else { return true }
            // Invariant: a row has written the bytes that its columns are parts of.
            return memcmp(mine + left.lowerBound, theirs + right.lowerBound, left.count) == 0
        }
        return switch (value(column), other.value(column)) {
        case (.unknown, _), (_, .unknown), (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.integer(let left), .integer(let right)): left == right
        case (.double(let left), .double(let right)): left == right
        case (.date(let left), .date(let right)): left == right
        case (.text(let left), .text(let right)), (.decimal(let left), .decimal(let right)),
            (.document(let left), .document(let right)), (.data(let left), .data(let right)):
            isEqual(left, right)
        default: false
        }
    }

    // MARK: RowSink
    //
    // A column that the row does not have is dropped: `ModelWriter.writeRows` refuses the model that
    // wrote it.

    private func put(_ value: Column, _ column: Int) {
        if columns.indices.contains(column) { columns[column] = value }
    }

    /// Sets the column to NULL.
    public func setNull(_ column: Int) { put(.null, column) }
    /// Keeps a boolean.
    public func set(_ column: Int, bool: Bool) { put(.bool(bool), column) }
    /// Keeps a whole number.
    public func set(_ column: Int, integer: Int64) { put(.integer(integer), column) }
    /// Keeps a floating point number.
    public func set(_ column: Int, double: Double) { put(.double(double), column) }
    /// Keeps the digits of a decimal number.
    public func set(_ column: Int, decimal: Decimal) {
        var text = decimal.description
        put(text.withUTF8 { .decimal(keep(UnsafeRawBufferPointer($0))) }, column)
    }
    /// Keeps a copy of text.
    public func set(_ column: Int, text: UnsafeBufferPointer<UInt8>) {
        put(.text(keep(UnsafeRawBufferPointer(text))), column)
    }
    /// Keeps a date.
    public func set(_ column: Int, date: Date) { put(.date(date), column) }
    /// Keeps a copy of bytes.
    public func set(_ column: Int, data: UnsafeRawBufferPointer) {
        put(.data(keep(data)), column)
    }
    /// Keeps a copy of a document.
    public func set(_ column: Int, document: UnsafeBufferPointer<UInt8>) {
        put(.document(keep(UnsafeRawBufferPointer(document))), column)
    }

    /// Sets all columns of another sink, such as a statement's parameters.
    ///
    /// - Complexity: linear in the size of the row.
    /// - Throws: what `sink` throws.
    public func write(to sink: any RowSink) throws {
        for column in columns.indices { try write(column, to: sink, at: column) }
    }

    /// Sets a column of another sink to what a column holds.
    ///
    /// - Parameter position: The column of `sink`.
    /// - Throws: what `sink` throws.
    public func write(_ column: Int, to sink: any RowSink, at position: Int) throws {
        switch value(column) {
        case .unknown, .null: try sink.setNull(position)
        case .bool(let value): try sink.set(position, bool: value)
        case .integer(let value): try sink.set(position, integer: value)
        case .double(let value): try sink.set(position, double: value)
        case .date(let value): try sink.set(position, date: value)
        case .text(let range): try sink.set(position, text: part(range))
        case .document(let range): try sink.set(position, document: part(range))
        case .data(let range): try sink.set(position, data: UnsafeRawBufferPointer(part(range)))
        case .decimal(let range):
            let text = String(decoding: part(range), as: UTF8.self)
            guard let value = Decimal(string: text) else { return try sink.setNull(position) }
            try sink.set(position, decimal: value)
        }
    }

    // MARK: RowSource
    //
    // A column that the row does not have, or says nothing about, is NULL, as in a statement of SQLite.

    private func value(_ column: Int) -> Column {
        columns.indices.contains(column) ? columns[column] : .null
    }

    /// Whether the column holds a value of this kind, and not NULL.
    func holds(_ type: ColumnType, _ column: Int) -> Bool {
        switch (value(column), type) {
        case (.bool, .boolean), (.bool, .integer), (.integer, .boolean), (.integer, .integer),
            (.double, .double), (.integer, .double), (.text, .text), (.document, .text),
            (.text, .document), (.document, .document), (.decimal, .decimal), (.date, .date),
            (.data, .data):
            true
        default: false
        }
    }

    /// What a column holds.
    public func cell(_ column: Int) -> RowCell {
        switch value(column) {
        case .unknown, .null: .null
        case .bool(let value): .boolean(value)
        case .integer(let value): .integer(value)
        case .double(let value): .double(value)
        case .date(let value): .date(value)
        case .text(let range), .decimal(let range), .document(let range): .text(part(range))
        case .data(let range): .data(part(range))
        }
    }
}

extension QueryValue {
    /// The same as ``set(_:of:)``, of a row in memory, which takes every value.
    fileprivate func keep(_ column: Int, in row: RowImage) {
        switch self {
        case .null: row.setNull(column)
        case .bool(let value): row.set(column, bool: value)
        case .integer(let value): row.set(column, integer: value)
        case .double(let value): row.set(column, double: value)
        case .decimal(let value): row.set(column, decimal: value)
        case .text(var value): value.withUTF8 { row.set(column, text: $0) }
        case .date(let value): row.set(column, date: value)
        case .data(let value): value.withUnsafeBytes { row.set(column, data: $0) }
        case .document(var value): value.withUTF8 { row.set(column, document: $0) }
        }
    }
}
