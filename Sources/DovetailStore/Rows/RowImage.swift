public import DovetailModel
public import Foundation

/// One row of an entity in memory: filled by a model as a ``RowSink``, read as a ``RowSource``.
///
/// ```swift
/// let image = try RowImage(of: user)
/// image.integer(2)        // 36, the age
/// ```
///
/// What a context has to see before it is saved is held in this form. Scalars lie in the cells of the
/// columns, text and bytes one after the other in one buffer, so a row is two allocations, and a third
/// where it has text.
///
/// A class without a lock: it is filled by one owner and not changed afterwards, unless nobody else
/// has it.
public final class RowImage: RowSink, RowSource {
    /// What a column holds.
    private enum Kind: UInt8 {
        /// The row says nothing about it.
        case unknown
        case null
        case bool
        case integer
        case double
        case date
        // A part of `bytes`.
        case text
        case decimal
        case document
        case data
    }

    /// How many columns it has.
    let columnCount: Int
    /// Eight bytes for each column: the value, or where it begins in `bytes`. Not an array of an enum: a
    /// save goes through a hundred thousand rows, most of which are in no cache, and a cell of that takes
    /// 24 bytes.
    ///
    /// Invariant: one allocation holds `columnCount` cells, and as many kinds after them, as long as the
    /// row lives. A column is looked up there only if it is below that.
    private let cells: UnsafeMutablePointer<UInt64>
    /// The kinds after the cells.
    private let kinds: UnsafeMutablePointer<Kind>
    /// Texts and blobs, each after eight bytes that say how long it is.
    ///
    /// Invariant: `capacity` bytes, of which the first `count` are written; nil before the first.
    @exclusivity(unchecked) private var bytes: UnsafeMutableRawPointer?
    @exclusivity(unchecked) private var capacity = 0
    @exclusivity(unchecked) private var count = 0

    private init(count: Int, kind: Kind) {
        columnCount = count
        let size = MemoryLayout<UInt64>.stride
        let start = UnsafeMutableRawPointer.allocate(byteCount: count * (size + 1), alignment: size)
        cells = start.bindMemory(to: UInt64.self, capacity: count)
        kinds = (start + count * size).bindMemory(to: Kind.self, capacity: count)
        cells.initialize(repeating: 0, count: count)
        kinds.initialize(repeating: kind, count: count)
    }

    /// Makes a row of so many NULLs.
    public convenience init(columns: Int) {
        self.init(count: max(columns, 0), kind: .null)
    }

    /// Makes a row that says nothing about its columns before they are set: a part of a row.
    package convenience init(unknown columns: Int) {
        self.init(count: max(columns, 0), kind: .unknown)
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
        UnsafeMutableRawPointer(cells).deallocate()
        bytes?.deallocate()
    }

    /// Makes it a row again that says nothing about its columns, which takes no new memory.
    ///
    /// Invariant: nobody else has the row.
    package func clear() {
        kinds.update(repeating: .unknown, count: columnCount)
        count = 0
    }

    /// Whether it says something about a column.
    package func isKnown(_ column: Int) -> Bool { kind(of: column) != .unknown }

    /// The columns about which it says something.
    package var knownColumns: ColumnSet {
        var bits: UInt64 = 0
        for column in 0..<min(columnCount, 64) where kinds[column] != .unknown {
            bits |= 1 << UInt64(column)
        }
        var known = ColumnSet(firstBits: bits)
        if columnCount > 64 {
            for column in 64..<columnCount where kinds[column] != .unknown { known.insert(column) }
        }
        return known
    }

    /// Appends bytes after their number, and says where that is.
    private func keep(_ source: UnsafeRawBufferPointer) -> UInt64 {
        let start = count
        let prefix = MemoryLayout<Int>.size
        let end = start + prefix + source.count
        if end > capacity {
            let larger = max(capacity * 2, end, 64)
            let next = UnsafeMutableRawPointer.allocate(byteCount: larger, alignment: prefix)
            if let bytes { next.copyMemory(from: bytes, byteCount: count) }
            bytes?.deallocate()
            bytes = next
            capacity = larger
        }
        // Invariant: the lines above have made room up to `end`.
        if let place = bytes.map({ $0 + start }) {
            place.storeBytes(of: source.count, as: Int.self)
            if let first = source.baseAddress {
                (place + prefix).copyMemory(from: first, byteCount: source.count)
            }
        }
        count = end
        return UInt64(start)
    }

    /// The bytes of a column that holds some; valid as long as the row, when it is filled.
    private func part(_ column: Int) -> UnsafeRawBufferPointer {
        // Invariant: `keep` has written the number of the bytes there, and these after it.
        guard let start = bytes.map({ UnsafeRawPointer($0 + Int(cells[column])) }) else {
            return UnsafeRawBufferPointer(start: nil, count: 0)
        }
        return UnsafeRawBufferPointer(
            start: start + MemoryLayout<Int>.size,
            count: start.loadUnaligned(as: Int.self)
        )
    }

    /// The same as text.
    private func characters(_ column: Int) -> UnsafeBufferPointer<UInt8> {
        part(column).assumingMemoryBound(to: UInt8.self)
    }

    /// Those of some columns in which another row, of as many columns, holds something else.
    package func columns(of columns: ColumnSet, differingFrom other: RowImage) -> ColumnSet {
        var different = ColumnSet()
        columns.forEach { if !holdsSame($0, as: other) { different.insert($0) } }
        return different
    }

    /// Whether a column of another row holds the same. What one of them says nothing about is the same.
    package func holdsSame(_ column: Int, as other: RowImage) -> Bool {
        let (kind, otherKind) = (kind(of: column), other.kind(of: column))
        if kind == .unknown || otherKind == .unknown { return true }
        if kind != otherKind { return false }
        switch kind {
        case .unknown, .null: return true
        case .bool, .integer: return cells[column] == other.cells[column]
        case .double, .date: return number(column) == other.number(column)
        case .text, .decimal, .document, .data:
            let (left, right) = (part(column), other.part(column))
            guard left.count == right.count else { return false }
            guard let mine = left.baseAddress, let theirs = right.baseAddress else { return true }
            return memcmp(mine, theirs, left.count) == 0
        }
    }

    // MARK: RowSink
    //
    // A column that the row does not have is dropped: `ModelWriter.writeRows` refuses the model that
    // wrote it.

    @inline(__always)
    private func put(_ kind: Kind, _ cell: UInt64, _ column: Int) {
        guard UInt(bitPattern: column) < UInt(bitPattern: columnCount) else { return }
        kinds[column] = kind
        cells[column] = cell
    }

    /// Sets the column to NULL.
    public func setNull(_ column: Int) { put(.null, 0, column) }
    /// Keeps a boolean.
    public func set(_ column: Int, bool: Bool) { put(.bool, bool ? 1 : 0, column) }
    /// Keeps a whole number.
    public func set(_ column: Int, integer: Int64) {
        put(.integer, UInt64(bitPattern: integer), column)
    }
    /// Keeps a floating point number.
    public func set(_ column: Int, double: Double) { put(.double, double.bitPattern, column) }
    /// Keeps the digits of a decimal number.
    public func set(_ column: Int, decimal: Decimal) {
        var text = decimal.description
        put(.decimal, text.withUTF8 { keep(UnsafeRawBufferPointer($0)) }, column)
    }
    /// Keeps a copy of text.
    public func set(_ column: Int, text: UnsafeBufferPointer<UInt8>) {
        put(.text, keep(UnsafeRawBufferPointer(text)), column)
    }
    /// Keeps a date.
    public func set(_ column: Int, date: Date) {
        put(.date, date.timeIntervalSinceReferenceDate.bitPattern, column)
    }
    /// Keeps a copy of bytes.
    public func set(_ column: Int, data: UnsafeRawBufferPointer) {
        put(.data, keep(data), column)
    }
    /// Keeps a copy of a document.
    public func set(_ column: Int, document: UnsafeBufferPointer<UInt8>) {
        put(.document, keep(UnsafeRawBufferPointer(document)), column)
    }

    /// Says of a column of a ``DeferrableValue`` only that its value was not read.
    package func deferValue(_ column: Int) { set(column, integer: 0) }

    /// Sets all columns of another sink, such as a statement's parameters.
    ///
    /// - Complexity: linear in the size of the row.
    /// - Throws: what `sink` throws.
    public func write(to sink: any RowSink) throws {
        for column in 0..<columnCount { try write(column, to: sink, at: column) }
    }

    /// Sets a column of another sink to what a column holds.
    ///
    /// - Parameter position: The column of `sink`.
    /// - Throws: what `sink` throws.
    public func write(_ column: Int, to sink: any RowSink, at position: Int) throws {
        switch kind(of: column) {
        case .unknown, .null: try sink.setNull(position)
        case .bool: try sink.set(position, bool: cells[column] != 0)
        case .integer: try sink.set(position, integer: Int64(bitPattern: cells[column]))
        case .double: try sink.set(position, double: number(column))
        case .date: try sink.set(position, date: day(column))
        case .text: try sink.set(position, text: characters(column))
        case .document: try sink.set(position, document: characters(column))
        case .data: try sink.set(position, data: part(column))
        case .decimal:
            let text = String(decoding: part(column), as: UTF8.self)
            guard let value = Decimal(string: text) else { return try sink.setNull(position) }
            try sink.set(position, decimal: value)
        }
    }

    // MARK: RowSource
    //
    // A column that the row does not have, or says nothing about, is NULL, as in a statement of SQLite.

    @inline(__always)
    private func kind(of column: Int) -> Kind {
        UInt(bitPattern: column) < UInt(bitPattern: columnCount) ? kinds[column] : .null
    }

    /// The number in a cell of a `double` or a `date`.
    private func number(_ column: Int) -> Double { Double(bitPattern: cells[column]) }

    /// The date in a cell of one.
    private func day(_ column: Int) -> Date {
        Date(timeIntervalSinceReferenceDate: number(column))
    }

    /// Whether the column holds a value of this kind, and not NULL.
    func holds(_ type: ColumnType, _ column: Int) -> Bool {
        switch (kind(of: column), type) {
        case (.bool, .boolean), (.bool, .integer), (.integer, .boolean), (.integer, .integer),
            (.double, .double), (.integer, .double), (.text, .text), (.document, .text),
            (.text, .document), (.document, .document), (.decimal, .decimal), (.date, .date),
            (.data, .data):
            true
        // A number that keeps its text.
        case (.text, .decimal):
            Decimal(exactBytes: characters(column)) != nil
                || ExactNumber(String(decoding: characters(column), as: UTF8.self)) != nil
        default: false
        }
    }

    /// What a column holds.
    public func cell(_ column: Int) -> RowCell {
        switch kind(of: column) {
        case .unknown, .null: .null
        case .bool: .boolean(cells[column] != 0)
        case .integer: .integer(Int64(bitPattern: cells[column]))
        case .double: .double(number(column))
        case .date: .date(day(column))
        case .text, .decimal, .document: .text(characters(column))
        case .data: .data(characters(column))
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
