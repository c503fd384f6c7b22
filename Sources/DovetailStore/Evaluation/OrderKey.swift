package import DovetailModel
public import Foundation

/// What a column of a row holds, to be put in order with the same of other rows: text and bytes stay
/// where they are, so no value is made of them, and nothing of it has to be counted.
///
/// It must not be used after its row's cursor has moved.
@usableFromInline
package enum OrderKey {
    case null
    case integer(Int64)
    case double(Double)
    case bytes(UnsafeBufferPointer<UInt8>)
    case decimal(Decimal)

    /// Looks at a cell; nil when it does not hold what its kind says.
    package init?(_ cell: RowCell, _ kind: ColumnType) {
        // A column that is NULL gives nil, and is rare among those that are ordered by.
        let key: OrderKey? =
            switch kind {
            case .integer: cell.integer.map { .integer($0) }
            case .boolean: cell.integer.map { .integer($0 == 0 ? 0 : 1) }
            case .double: cell.double.map { .double($0) }
            case .text, .document: cell.text.map { .bytes($0) }
            case .data: cell.data.map { .bytes($0) }
            case .decimal: cell.decimal.map { .decimal($0) }
            case .date: cell.date.map { .double($0.timeIntervalSinceReferenceDate) }
            }
        guard let key = key ?? (cell.isNull ? .null : nil) else { return nil }
        self = key
    }

    /// Looks at a column of an entity.
    ///
    /// - Throws: ``ModelDecodingError`` when it does not hold what its kind says.
    package init(_ row: any RowSource, _ column: Int, of entity: EntityBinding) throws {
        try self.init(row.cell(column), column, of: entity)
    }

    /// Looks at the cell of a column of an entity.
    ///
    /// - Throws: ``ModelDecodingError`` when it does not hold what its kind says.
    package init(_ cell: RowCell, _ column: Int, of entity: EntityBinding) throws {
        let kind = entity.description.columns[column].type
        guard let key = OrderKey(cell, kind) else {
            throw ModelDecodingError(
                kind: .typeMismatch,
                path: entity.description.columns[column].name,
                expected: "\(kind)",
                found: cell.kind
            )
        }
        self = key
    }

    /// A number of which a smaller one comes first. Of equal ones, the keys have to be compared: it has
    /// no more of a text than the first eight bytes, and nothing of a decimal.
    package var prefix: UInt64 {
        switch self {
        case .null, .decimal: return 0
        case .integer(let value): return UInt64(bitPattern: value) ^ 1 << 63
        case .double(let value):
            // Both zeros are equal. Bits of negative numbers go the other way.
            let bits = (value + 0).bitPattern
            return bits >> 63 == 0 ? bits | 1 << 63 : ~bits
        case .bytes(let bytes):
            var prefix: UInt64 = 0
            for index in 0..<min(8, bytes.count) {
                prefix |= UInt64(bytes[index]) << UInt64(56 - 8 * index)
            }
            return prefix
        }
    }

    /// Which of two columns of one kind comes first: a negative number, 0 or a positive one. Missing
    /// values come first.
    @inlinable
    package func order(relativeTo other: OrderKey) -> Int {
        switch (self, other) {
        case (.bytes(let left), .bytes(let right)): Self.order(left, right)
        default: scalarOrder(relativeTo: other)
        }
    }

    @usableFromInline
    func scalarOrder(relativeTo other: OrderKey) -> Int {
        switch (self, other) {
        case (.integer(let left), .integer(let right)):
            left < right ? -1 : left == right ? 0 : 1
        case (.double(let left), .double(let right)): left < right ? -1 : left > right ? 1 : 0
        case (.decimal(let left), .decimal(let right)):
            left < right ? -1 : left == right ? 0 : 1
        case (.null, .null): 0
        case (.null, _): -1
        case (_, .null): 1
        default: 0
        }
    }

    @inlinable
    static func order(
        _ left: UnsafeBufferPointer<UInt8>,
        _ right: UnsafeBufferPointer<UInt8>
    ) -> Int {
        if let start = left.baseAddress, let other = right.baseAddress {
            let order = memcmp(start, other, min(left.count, right.count))
            if order != 0 { return Int(order) }
        }
        return left.count - right.count
    }
}
