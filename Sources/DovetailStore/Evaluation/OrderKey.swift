package import DovetailModel
import Foundation

/// What a column of a row holds, to be put in order with the same of other rows: text and bytes stay
/// where they are, so no value is made of them.
///
/// It must not be used after its row's cursor has moved.
package enum OrderKey {
    case null
    case integer(Int64)
    case double(Double)
    case bytes(UnsafeBufferPointer<UInt8>)
    case value(QueryValue)

    /// Looks at a column.
    ///
    /// - Throws: ``ModelDecodingError`` when it does not hold what its kind says.
    package init(
        _ row: any RowSource,
        _ column: Int,
        _ kind: ColumnType,
        named name: String
    ) throws {
        if row.isNull(column) {
            self = .null
            return
        }
        let key: OrderKey? =
            switch kind {
            case .integer: row.integer(column).map { .integer($0) }
            case .boolean: row.integer(column).map { .integer($0 == 0 ? 0 : 1) }
            case .double: row.double(column).map { .double($0) }
            case .text, .document: row.text(column).map { .bytes($0) }
            case .data: row.data(column).map { .bytes($0) }
            case .decimal, .date: nil
            }
        self = try key ?? .value(QueryValue(row, column, kind, named: name))
    }

    /// Which of two columns of one kind comes first: a negative number, 0 or a positive one. Missing
    /// values come first.
    package func order(relativeTo other: OrderKey) -> Int {
        switch (self, other) {
        case (.integer(let left), .integer(let right)):
            left < right ? -1 : left == right ? 0 : 1
        case (.double(let left), .double(let right)): left < right ? -1 : left > right ? 1 : 0
        case (.bytes(let left), .bytes(let right)): Self.order(left, right)
        case (.value(let left), .value(let right)): QueryEvaluator.order(left, right)
        case (.null, .null): 0
        case (.null, _): -1
        case (_, .null): 1
        default: 0
        }
    }

    private static func order(
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
