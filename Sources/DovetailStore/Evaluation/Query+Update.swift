import DovetailModel

extension StoreWriting where Self: StoreQuerying {
    /// Reads the rows and writes each of them.
    public func update(_ query: Query, setting assignments: [QueryAssignment]) throws -> Int {
        try updateByReading(query, setting: assignments)
    }

    /// The same, for stores that do it only where their language has no form for an expression.
    package func updateByReading(
        _ query: Query,
        setting assignments: [QueryAssignment]
    ) throws -> Int {
        var unordered = query
        unordered.order = []
        var changed: [RowImage] = []
        let cursor = try rows(of: unordered)
        defer { cursor.close() }
        while try cursor.next() {
            let evaluator = QueryEvaluator(query.entity, row: cursor)
            var values = try query.entity.values(of: cursor)
            let new = try assignments.map { try evaluator.value($0.value) }
            for (assignment, value) in zip(assignments, new) { values[assignment.column] = value }
            changed.append(RowImage(values))
        }
        cursor.close()
        let writer = try writer(.update, into: query.entity)
        for row in changed {
            try row.write(to: writer)
            try writer.finishRow()
        }
        try writer.finish()
        return changed.count
    }
}
