import DovetailModel
import DovetailStore

/// The order of an enum with a raw type that is `Comparable`: a store has the raw values, and not the
/// order.
struct OwnOrder {
    private let compare: ([QueryValue], [QueryValue], Int) throws -> Int

    /// The order of the values of a type, or of what it is an optional of; nil for types whose order is
    /// that of what columns hold.
    init?<Value: ModelValue>(_ type: Value.Type) {
        let wrapped = (type as? any OptionalValue.Type)?.wrapped ?? type
        guard wrapped is any RawModel.Type,
            let ordered = wrapped as? any (ModelValue & Comparable).Type
        else { return nil }
        self.init(ordered: ordered)
    }

    private init<Value: ModelValue & Comparable>(ordered: Value.Type) {
        compare = { left, right, column in
            guard left[column] != .null, right[column] != .null else {
                return QueryValue.order(left[column], right[column])
            }
            let values = try [left, right].map {
                try ModelReader.readColumn(
                    column,
                    of: RowImage($0),
                    fields: RowFields([]),
                    as: Value.self
                )
            }
            return values[0] < values[1] ? -1 : values[0] == values[1] ? 0 : 1
        }
    }

    /// Groups in the order of their values.
    ///
    /// - Parameters:
    ///   - groups: The columns of each.
    ///   - orders: The order of each column; nil for that of the store.
    /// - Complexity: O(n log n) in the number of groups.
    static func sorted(
        _ groups: [[QueryValue]],
        _ orders: [OwnOrder?],
        _ columns: [QueryColumn]
    ) throws -> [[QueryValue]] {
        try groups.sorted { left, right in
            for column in columns.indices where !columns[column].isAggregate {
                let order =
                    try orders[column]?.compare(left, right, column)
                    ?? QueryValue.order(left[column], right[column])
                if order != 0 { return order < 0 }
            }
            return false
        }
    }
}
