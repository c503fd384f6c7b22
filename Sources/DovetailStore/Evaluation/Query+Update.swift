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
            let evaluator = QueryEvaluator(
                query.entity,
                row: cursor,
                others: QueriedRows(of: self)
            )
            var values = try query.entity.values(of: cursor)
            let new = try evaluator.values(of: assignments)
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

extension QueryEvaluator {
    /// What columns of the row are set to, in the order of the assignments.
    ///
    /// - Throws: ``StoreError`` of kind `outOfRange` where a value is refused.
    package func values(of assignments: [QueryAssignment]) throws -> [QueryValue] {
        try assignments.map { assignment in
            if let refused = assignment.refused, try isTaken(by: refused) {
                throw StoreError(outOfRange: assignment.column, of: entity)
            }
            return try value(assignment.value)
        }
    }
}
