import CPostgres
import DovetailModel
import DovetailSQL
import DovetailStore
import Foundation

/// Values in PostgreSQL's binary form, one after the other, each with its length before it: the
/// parameters of a statement, and a row of `COPY`.
///
/// Each column has a type; a value of another kind is refused, or written as a number of the other kind
/// where nothing is lost. It belongs to one caller at a time, so its properties need no checks of
/// exclusive access, which took a twentieth of a row of `COPY`.
final class PostgresFields: RowSink {
    /// The types of the columns.
    let types: [Oid]
    /// What errors call the columns; nil for the parameters of a query.
    private let entity: EntityBinding?
    /// Invariant: `buffer` has `capacity` bytes as long as the object lives, of which the first `count` are
    /// initialized. `reserve` alone replaces it.
    @exclusivity(unchecked) private(set) var buffer: UnsafeMutablePointer<UInt8>
    @exclusivity(unchecked) private(set) var count = 0
    @exclusivity(unchecked) private var capacity: Int
    /// Where the length of each column is, of the row that is filled; -1 where the column is not set.
    @exclusivity(unchecked) private var places: [Int]
    /// The column that comes next where they come in their order.
    @exclusivity(unchecked) private var next = 0

    /// - Parameters:
    ///   - types: The type of each column.
    ///   - entity: Names the first columns in errors.
    init(_ types: [Oid], of entity: EntityBinding? = nil) {
        self.types = types
        self.entity = entity
        capacity = 256
        buffer = .allocate(capacity: capacity)
        places = Array(repeating: -1, count: types.count)
    }

    deinit {
        buffer.deallocate()
    }

    /// Forgets everything.
    func removeAll() {
        count = 0
        beginRow()
    }

    /// Begins a row after what is there.
    func beginRow() {
        for column in places.indices { places[column] = -1 }
        next = 0
    }

    /// Makes the row at a place the one whose values are lent, while `body` runs: its columns stand there in
    /// their order.
    func withRow<Result>(from start: Int, _ body: () -> Result) -> Result {
        let filled = places
        defer { places = filled }
        var place = start
        for column in places.indices {
            places[column] = place
            place += 4 + (value(at: place)?.count ?? 0)
        }
        return body()
    }

    /// Removes what comes before a place, which is before the row that is filled.
    func removeFirst(_ start: Int) {
        guard start > 0, start <= count else { return }
        let rest = UnsafeMutableRawBufferPointer(start: buffer, count: count - start)
        rest.copyMemory(from: UnsafeRawBufferPointer(start: buffer + start, count: count - start))
        count -= start
        for column in places.indices where places[column] >= 0 { places[column] -= start }
    }

    /// Appends a value that has the form of its column already.
    func put(_ column: Int, _ value: [UInt8]?) {
        guard let value else { return setNull(column) }
        begin(column, Int32(value.count))
        value.withUnsafeBytes { append($0) }
    }

    /// Whether the columns were set in their order, each once, so that what stands there is a row.
    var isInOrder: Bool { next == types.count }

    /// Removes what comes after a place.
    func truncate(to count: Int) { self.count = min(count, self.count) }

    /// The value of a column of the row that is filled; nil for NULL, and where it is not set.
    func value(of column: Int) -> UnsafeBufferPointer<UInt8>? {
        let place = places[column]
        return place < 0 ? nil : value(at: place)
    }

    /// The value after a length.
    func value(at place: Int) -> UnsafeBufferPointer<UInt8>? {
        guard place + 4 <= count else { return nil }
        let length = UnsafeRawPointer(buffer + place).loadUnaligned(as: UInt32.self).bigEndian
        guard length <= UInt32(Int32.max), place + 4 + Int(length) <= count else { return nil }
        return UnsafeBufferPointer(start: buffer + place + 4, count: Int(length))
    }

    /// Appends a word of 16 bits.
    func append(_ word: UInt16) {
        reserve(2)
        UnsafeMutableRawPointer(buffer + count).storeBytes(of: word.bigEndian, as: UInt16.self)
        count += 2
    }

    /// Appends bytes as they are.
    func append(_ bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.baseAddress, !bytes.isEmpty else { return }
        reserve(bytes.count)
        UnsafeMutableRawPointer(buffer + count).copyMemory(from: start, byteCount: bytes.count)
        count += bytes.count
    }

    private func reserve(_ more: Int) {
        guard count + more > capacity else { return }
        capacity = max(capacity * 2, count + more)
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
        larger.update(from: buffer, count: count)
        buffer.deallocate()
        buffer = larger
    }

    /// Begins a column with the length of its value.
    @inline(__always)
    private func begin(_ column: Int, _ length: Int32) {
        places[column] = count
        next = next == column ? column + 1 : Int.min
        reserve(4 + max(0, Int(length)))
        UnsafeMutableRawPointer(buffer + count).storeBytes(of: length.bigEndian, as: Int32.self)
        count += 4
    }

    @inline(__always)
    private func put(_ column: Int, _ value: UInt64) {
        begin(column, 8)
        UnsafeMutableRawPointer(buffer + count).storeBytes(of: value.bigEndian, as: UInt64.self)
        count += 8
    }

    /// The error of a value that the column does not take.
    private func refusal(
        _ column: Int,
        _ kind: StoreError.Kind,
        _ explanation: String
    ) -> StoreError {
        let attributes = entity?.attributes ?? []
        return StoreError(
            kind,
            table: entity?.table,
            column: attributes.isEmpty ? nil : attributes[column % attributes.count].name,
            explanation: explanation
        )
    }

    private func otherKind(_ column: Int) -> StoreError {
        refusal(column, .constraintViolation, "a value of another kind than the column holds")
    }

    func setNull(_ column: Int) {
        guard places.indices.contains(column) else { return }
        begin(column, -1)
    }

    func set(_ column: Int, bool: Bool) throws {
        guard places.indices.contains(column) else { return }
        guard types[column] == PostgresType.bool else { throw otherKind(column) }
        begin(column, 1)
        buffer[count] = bool ? 1 : 0
        count += 1
    }

    func set(_ column: Int, integer: Int64) throws {
        guard places.indices.contains(column) else { return }
        switch types[column] {
        case PostgresType.bigint: put(column, UInt64(bitPattern: integer))
        case PostgresType.double: put(column, Double(integer).bitPattern)
        case PostgresType.numeric: try set(column, decimal: Decimal(integer))
        default: throw otherKind(column)
        }
    }

    func set(_ column: Int, double: Double) throws {
        guard places.indices.contains(column) else { return }
        guard types[column] == PostgresType.double else { throw otherKind(column) }
        // No column holds what is no number, and negative zero is zero.
        if double.isNaN { return begin(column, -1) }
        put(column, (double + 0).bitPattern)
    }

    func set(_ column: Int, decimal: Decimal) throws {
        guard places.indices.contains(column) else { return }
        guard types[column] == PostgresType.numeric else { throw otherKind(column) }
        let place = count
        begin(column, 0)
        guard PostgresNumber.encode(decimal, { append($0) }) else {
            throw refusal(
                column,
                .unsupported,
                "a decimal that is no number has no form in a column"
            )
        }
        let length = Int32(count - place - 4)
        UnsafeMutableRawPointer(buffer + place).storeBytes(of: length.bigEndian, as: Int32.self)
    }

    func set(_ column: Int, text: UnsafeBufferPointer<UInt8>) throws {
        guard places.indices.contains(column) else { return }
        switch types[column] {
        case PostgresType.text, PostgresType.json: try put(column, UnsafeRawBufferPointer(text))
        case PostgresType.unspecified:
            // It goes as text, of which libpq looks for the end itself.
            try put(column, UnsafeRawBufferPointer(text))
            withUnsafeBytes(of: UInt8(0)) { append($0) }
        case PostgresType.uuid: return try set(column, uuid: text)
        case PostgresType.numeric: return try set(column, number: text)
        default: throw otherKind(column)
        }
        // memchr is the fastest there is, and few texts are long.
        if let start = text.baseAddress, memchr(start, 0, text.count) != nil {
            throw refusal(column, .unsupported, "PostgreSQL keeps no text with U+0000 in it")
        }
    }

    /// A number that keeps its text: `1.50` has two decimal places.
    private func set(_ column: Int, number text: UnsafeBufferPointer<UInt8>) throws {
        let digits = Array(text)
        guard ExactNumber(String(decoding: digits, as: UTF8.self)) != nil else {
            throw otherKind(column)
        }
        let isPlain = digits.allSatisfy { $0 | 0x20 != UInt8(ascii: "e") }
        let isNegativeZero =
            digits.first == UInt8(ascii: "-") && !digits.contains { (0x31...0x39).contains($0) }
        guard isPlain, !isNegativeZero, digits.count < 10_000 else {
            throw refusal(
                column,
                .unsupported,
                "PostgreSQL keeps no number with an exponent, no negative zero and none of more than "
                    + "10,000 digits as it is written"
            )
        }
        let place = count
        begin(column, 0)
        PostgresNumber.encode(digits: digits) { append($0) }
        let length = Int32(count - place - 4)
        UnsafeMutableRawPointer(buffer + place).storeBytes(of: length.bigEndian, as: Int32.self)
    }

    /// A UUID of its text. What a key is compared with and has another form equals none.
    private func set(_ column: Int, uuid text: UnsafeBufferPointer<UInt8>) throws {
        guard let uuid = UUIDText.uuid(text), entity != nil || UUIDText.isCanonical(text) else {
            if entity == nil { return begin(column, -1) }
            throw otherKind(column)
        }
        try withUnsafeBytes(of: uuid.uuid) { try put(column, $0) }
    }

    func set(_ column: Int, date: Date) throws {
        guard places.indices.contains(column) else { return }
        guard types[column] == PostgresType.timestampWithZone else { throw otherKind(column) }
        put(column, UInt64(bitPattern: try PostgresDate.encoded(date)))
    }

    func set(_ column: Int, data: UnsafeRawBufferPointer) throws {
        guard places.indices.contains(column) else { return }
        guard types[column] == PostgresType.bytes else { throw otherKind(column) }
        try put(column, data)
    }

    func set(_ column: Int, document: UnsafeBufferPointer<UInt8>) throws {
        try set(column, text: document)
    }

    private func put(_ column: Int, _ bytes: UnsafeRawBufferPointer) throws {
        guard bytes.count <= 1 << 30 - 1 else {
            throw refusal(column, .unsupported, "PostgreSQL keeps no value of a gigabyte or more")
        }
        begin(column, Int32(bytes.count))
        append(bytes)
    }
}

extension PostgresFields {
    /// What a query binds, each in its type.
    ///
    /// - Parameter isRaw: Whether a person has written the statement, who compares UUIDs with columns of that
    ///   type or of text. The server finds out which.
    /// - Throws: ``StoreError``, and ``ModelEncodingError`` for a date that no column can hold.
    static func of(_ bindings: [SQLBinding], isRaw: Bool = false) throws -> PostgresFields {
        let types = bindings.map { binding in
            switch binding {
            case .value(let value) where isRaw && value.isUUID: PostgresType.unspecified
            case .value(let value): PostgresType.of(value)
            case .list(let values): PostgresType.array(of: elementType(values))
            // `SQLResidue` leaves none in a query.
            case .program: PostgresType.text
            }
        }
        let fields = PostgresFields(types)
        for (index, binding) in bindings.enumerated() {
            switch binding {
            case .value(let value): try value.set(index, of: fields)
            case .list(let values): try fields.set(index, list: values)
            case .program: fields.setNull(index)
            }
        }
        return fields
    }

    /// The type that all values of a list have; that of the first one, or of numbers the wider one.
    private static func elementType(_ values: [QueryValue]) -> Oid {
        let types = Set(values.map { PostgresType.of($0) })
        if types == [PostgresType.bigint, PostgresType.double] { return PostgresType.double }
        return values.first.map { PostgresType.of($0) } ?? PostgresType.text
    }

    /// An array of one dimension (`array_recv` of PostgreSQL). Values of another type than the array's are
    /// left out: they equal no value of it.
    private func set(_ column: Int, list values: [QueryValue]) throws {
        let type = Self.elementType(values)
        let elements = PostgresFields([type])
        var count: UInt32 = 0
        for value in values {
            let own = PostgresType.of(value)
            guard own == type || type == PostgresType.double && own == PostgresType.bigint else {
                continue
            }
            elements.beginRow()
            try value.set(0, of: elements)
            count += 1
        }
        begin(column, Int32(clamping: 20 + elements.count))
        for word in [1, 0, UInt32(type), count, 1] as [UInt32] {
            append(UInt16(truncatingIfNeeded: word >> 16))
            append(UInt16(truncatingIfNeeded: word))
        }
        append(UnsafeRawBufferPointer(start: elements.buffer, count: elements.count))
    }
}

extension PostgresFields {
    /// Lends the values of the row that is filled as libpq takes them.
    ///
    /// Invariant: the pointers are into `buffer`, which does not change while `body` runs.
    func withValues<Result>(
        _ body: (
            UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?
        ) -> Result
    ) -> Result {
        if types.isEmpty { return body(nil, nil, nil) }
        return withUnsafeTemporaryAllocation(of: UnsafePointer<CChar>?.self, capacity: types.count)
        {
            pointers in
            withUnsafeTemporaryAllocation(of: Int32.self, capacity: types.count * 2) { numbers in
                for column in types.indices {
                    let bytes = value(of: column)
                    let start = UnsafeRawPointer(bytes?.baseAddress)
                    pointers.initializeElement(
                        at: column,
                        to: start?.assumingMemoryBound(to: CChar.self)
                    )
                    numbers.initializeElement(at: column, to: Int32(bytes?.count ?? 0))
                    let isText = types[column] == PostgresType.unspecified
                    numbers.initializeElement(at: types.count + column, to: isText ? 0 : 1)
                }
                return body(
                    pointers.baseAddress.map { UnsafePointer($0) },
                    numbers.baseAddress.map { UnsafePointer($0) },
                    numbers.baseAddress.map { UnsafePointer($0 + types.count) }
                )
            }
        }
    }

    /// The values in words, for a trace that shows them.
    var words: String {
        let scratch = PostgresScratch()
        let texts = types.indices.map { column -> String in
            guard let bytes = value(of: column) else { return "NULL" }
            switch RowCell(postgres: bytes, types[column], scratch) {
            case .integer(let value): return "\(value)"
            case .boolean(let value): return "\(value)"
            case .double(let value): return "\(value)"
            case .text(let value): return "'\(String(decoding: value, as: UTF8.self))'"
            case .date(let value): return "\(value)"
            case .data(let value): return "\(value.count) bytes"
            case .null, .other: return "…"
            }
        }
        return "[\(texts.joined(separator: ", "))]"
    }
}
