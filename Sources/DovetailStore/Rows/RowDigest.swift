package import DovetailModel
import Foundation

/// A number of 64 bits that rows are told apart by: the same for equal rows in every store, in every
/// process.
///
/// Eight bytes at a time are mixed as one half of MurmurHash3 does for 128 bits
/// (https://github.com/aappleby/smhasher), over the kind of each column and its value. Nobody who wants to
/// fool it is kept from that.
package struct RowDigest {
    package private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    package init() {}

    /// The digest of one row.
    package init(_ row: any RowSource, of entity: EntityBinding) {
        add(row, of: entity)
    }

    /// Adds all columns of a row. One that does not hold what its kind says is added as it is: only its
    /// own store gives that row.
    ///
    /// - Parameter rounds: Whether dates count as a store keeps them that has whole microseconds.
    /// - Complexity: linear in the size of the row.
    package mutating func add(
        _ row: any RowSource,
        of entity: EntityBinding,
        roundingDates rounds: Bool = false
    ) {
        let attributes = entity.attributes
        for column in attributes.indices {
            let cell = row.cell(column)
            if attributes[column].columnType == .decimal, case .text(let text) = cell,
                attributes[column].keepsNumberText
            {
                add(kind: 5, text)
            } else if rounds, attributes[column].columnType == .date, let date = cell.date {
                add(date.inMicroseconds)
            } else if !add(cell, as: attributes[column].columnType) {
                add(broken: cell)
            }
        }
    }

    /// Adds what a column holds; false where that is not what its kind says.
    private mutating func add(_ cell: RowCell, as type: ColumnType) -> Bool {
        if cell.isNull {
            add(kind: 0)
            return true
        }
        switch type {
        case .boolean:
            guard let value = cell.integer else { return false }
            add(kind: 1, value != 0 ? 1 : 0)
        case .integer:
            guard let value = cell.integer else { return false }
            add(kind: 2, UInt64(bitPattern: value))
        case .double:
            guard let value = cell.double else { return false }
            // Zero has two forms that are equal.
            add(kind: 3, (value == 0 ? 0 : value).bitPattern)
        case .date:
            guard let value = cell.date else { return false }
            add(value)
        case .decimal:
            guard let value = cell.decimal else { return false }
            var text = value.description
            text.withUTF8 { add(kind: 5, $0) }
        case .text:
            guard let bytes = cell.text else { return false }
            add(kind: 6, bytes)
        case .document:
            guard let bytes = cell.text else { return false }
            add(kind: 7, bytes)
        case .data:
            guard let bytes = cell.data else { return false }
            add(kind: 8, bytes)
        }
        return true
    }

    private mutating func add(_ date: Date) {
        let value = date.timeIntervalSinceReferenceDate
        add(kind: 4, (value == 0 ? 0 : value).bitPattern)
    }

    private mutating func add(broken cell: RowCell) {
        switch cell {
        case .null: add(kind: 9)
        case .boolean(let value): add(kind: 10, value ? 1 : 0)
        case .integer(let value): add(kind: 11, UInt64(bitPattern: value))
        case .double(let value): add(kind: 12, value.bitPattern)
        case .date(let value): add(kind: 13, value.timeIntervalSinceReferenceDate.bitPattern)
        case .text(let bytes): add(kind: 14, bytes)
        case .data(let bytes): add(kind: 15, bytes)
        case .other: add(kind: 16)
        }
    }

    private mutating func add(kind: UInt64) { mix(kind << 56) }

    private mutating func add(kind: UInt64, _ bits: UInt64) {
        add(kind: kind)
        mix(bits)
    }

    private mutating func add(kind: UInt64, _ bytes: UnsafeBufferPointer<UInt8>) {
        let bytes = UnsafeRawBufferPointer(bytes)
        mix(kind << 56 | UInt64(bytes.count))
        let size = MemoryLayout<UInt64>.size
        var place = 0
        while place + size <= bytes.count {
            // Invariant: the condition leaves eight bytes from `place` on.
            mix(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)))
            place += size
        }
        var rest: UInt64 = 0
        for byte in bytes[place...] { rest = rest << 8 | UInt64(byte) }
        if place < bytes.count { mix(rest) }
    }

    private mutating func mix(_ word: UInt64) {
        func rotated(_ word: UInt64, _ count: UInt64) -> UInt64 {
            word << count | word >> (64 - count)
        }
        let mixed = rotated(word &* 0x87C3_7B91_1142_53D5, 31) &* 0x4CF5_AD43_2745_937F
        value = rotated(value ^ mixed, 27) &* 5 &+ 0x52DC_E729
    }
}
