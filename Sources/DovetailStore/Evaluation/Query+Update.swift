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
            try evaluator.set(assignments, in: &values)
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
    /// Sets columns of the row, of which each assignment is made of what they were before.
    ///
    /// - Parameter values: The row that it is the evaluator of.
    /// - Throws: ``StoreError`` of kind `outOfRange` where a value is refused.
    package func set(_ assignments: [QueryAssignment], in values: inout [QueryValue]) throws {
        for (assignment, value) in zip(assignments, try self.values(of: assignments)) {
            values[assignment.column] = value
        }
    }

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
