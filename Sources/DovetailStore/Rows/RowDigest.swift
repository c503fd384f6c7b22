package import DovetailModel
import Foundation

/// A number of 64 bits that rows are told apart by: the same for equal rows in every store, in every
/// process.
///
/// It is FNV-1a (http://www.isthe.com/chongo/tech/comp/fnv/) over the kind of each column and the
/// bytes of its value. Nobody who wants to fool it is kept from that.
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
    /// - Complexity: linear in the size of the row.
    package mutating func add(_ row: any RowSource, of entity: EntityBinding) {
        for (column, attribute) in entity.attributes.enumerated() {
            if let value = try? QueryValue(row, column, attribute) {
                add(value)
            } else {
                add(row.cell(column))
            }
        }
    }

    private mutating func add(_ broken: RowCell) {
        switch broken {
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

    private mutating func add(_ value: QueryValue) {
        switch value {
        case .null: add(kind: 0)
        case .bool(let value): add(kind: 1, value ? 1 : 0)
        case .integer(let value): add(kind: 2, UInt64(bitPattern: value))
        // Zero has two forms that are equal.
        case .double(let value): add(kind: 3, (value == 0 ? 0 : value).bitPattern)
        case .date(let value): add(kind: 4, value.timeIntervalSinceReferenceDate.bitPattern)
        case .decimal(let value): add(kind: 5, value.description.utf8)
        case .text(let value): add(kind: 6, value.utf8)
        case .document(let value): add(kind: 7, value.utf8)
        case .data(let value): add(kind: 8, value)
        }
    }

    private mutating func add(kind: UInt8) {
        value = (value ^ UInt64(kind)) &* 0x100_0000_01B3
    }

    private mutating func add(kind: UInt8, _ bits: UInt64) {
        add(kind: kind)
        withUnsafeBytes(of: bits.littleEndian) { for byte in $0 { add(kind: byte) } }
    }

    private mutating func add(kind: UInt8, _ bytes: some Collection<UInt8>) {
        add(kind: kind, UInt64(bytes.count))
        for byte in bytes { add(kind: byte) }
    }
}
