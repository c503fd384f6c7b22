extension RowKey {
    /// Whether the key comes before another one: a negative number, or after it: a positive one; 0
    /// for equal keys.
    ///
    /// Columns are compared one after the other, so a key that another one begins with comes first.
    /// Invariant: both are of the same columns, whose kinds `MemoryTable` checks; values of two kinds
    /// have no order.
    package func order(relativeTo other: RowKey) -> Int {
        switch (self, other) {
        case (.integer(let mine), .integer(let theirs)):
            return mine < theirs ? -1 : mine == theirs ? 0 : 1
        case (.text(let mine), .text(let theirs)):
            return mine.order(relativeTo: theirs)
        default:
            let (mine, theirs) = (values, other.values)
            for (left, right) in zip(mine, theirs) {
                let order = QueryEvaluator.order(left, right)
                if order != 0 { return order }
            }
            return mine.count - theirs.count
        }
    }

    /// Whether the first columns of the key have these values.
    func starts(with prefix: [QueryValue]) -> Bool {
        let values = values
        return values.count >= prefix.count
            && zip(values, prefix).allSatisfy { QueryEvaluator.order($0, $1) == 0 }
    }
}
