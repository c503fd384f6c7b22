package import DovetailModel
import Foundation

/// Answers the query language for a row in memory, as ``QueryExpression`` defines it.
///
/// Conditions are `.bool`, or `.null` where they are missing. It gives what SQL gives for the same
/// row: tests compare the two on random rows and predicates.
package struct QueryEvaluator {
    let entity: EntityBinding
    private let row: any RowSource
    /// The elements of the quantified expressions around what is looked at, from the outermost on.
    private var elements: [ModelDocument] = []

    /// Where the rows of other tables are.
    private let others: (any RelatedRows)?
    /// Those of the rows from which relations lead to this one, from the farthest on.
    private let around: [QueryEvaluator]

    /// Looks at one row. The row must not change meanwhile.
    ///
    /// - Parameters:
    ///   - others: Has the rows of other tables, for what is asked of them.
    ///   - around: Those of the rows from which relations lead to this one, from the farthest on.
    package init(
        _ entity: EntityBinding,
        row: any RowSource,
        others: (any RelatedRows)? = nil,
        around: [QueryEvaluator] = []
    ) {
        self.entity = entity
        self.row = row
        self.others = others
        self.around = around
    }

    /// Whether the row is taken by a filter.
    ///
    /// - Complexity: linear in the size of the filter and of the values that it looks at.
    /// - Throws: ``ModelDecodingError`` for a column that does not hold what its kind says.
    package func isTaken(by filter: QueryExpression?) throws -> Bool {
        guard let filter else { return true }
        return try truth(filter) ?? false
    }

    /// Whether the row comes before another one: -1, or after it: 1; 0 where the order does not
    /// tell.
    package func order(
        relativeTo other: any RowSource,
        by order: [QueryOrder]
    ) throws -> Int {
        let theirs = QueryEvaluator(entity, row: other, others: others)
        for criterion in order {
            let result: Int
            if let column = criterion.column {
                let mine = try OrderKey(row, column, of: entity)
                result = mine.order(relativeTo: try OrderKey(other, column, of: entity))
            } else {
                result = Self.order(
                    try value(criterion.expression),
                    try theirs.value(criterion.expression)
                )
            }
            if result != 0 { return criterion.isAscending ? result : -result }
        }
        return 0
    }

    /// The order of two values of one column: a negative number, 0 or a positive one. Missing values
    /// come first.
    static func order(_ left: QueryValue, _ right: QueryValue) -> Int {
        switch (left, right) {
        case (.null, .null): 0
        case (.null, _): -1
        case (_, .null): 1
        default: compare(left, right) ?? 0
        }
    }

    /// A condition: nil where it is missing.
    private func truth(_ expression: QueryExpression) throws -> Bool? {
        switch expression {
        case .equal(let left, let right):
            return Self.areEqual(try value(left), try value(right))
        case .comparison(let comparison, let left, let right):
            guard let order = Self.compare(try value(left), try value(right)) else { return nil }
            return switch comparison {
            case .less: order < 0
            case .lessOrEqual: order <= 0
            case .greater: order > 0
            case .greaterOrEqual: order >= 0
            }
        case .and(let left, let right):
            let lhs = try truth(left)
            if lhs == false { return false }
            let rhs = try truth(right)
            if rhs == false { return false }
            return lhs == nil || rhs == nil ? nil : true
        case .or(let left, let right):
            let lhs = try truth(left)
            if lhs == true { return true }
            let rhs = try truth(right)
            if rhs == true { return true }
            return lhs == nil || rhs == nil ? nil : false
        case .not(let operand): return try truth(operand).map { !$0 }
        case .isIn(let element, let values):
            let element = try value(element)
            return Self.contains(values, element)
        case .quantified(let quantifier, let array, let depth, let body)
        where quantifier == .any || quantifier == .all:
            return try holds(quantifier, array, depth, body)
        case .conditional(let condition, let first, let second):
            return try truth(try truth(condition) == true ? first : second)
        default:
            return switch try value(expression) {
            case .bool(let value): value
            case .integer(let value): value != 0
            default: nil
            }
        }
    }

    /// The value of an expression; that of a condition is a boolean.
    package func value(_ expression: QueryExpression) throws -> QueryValue {
        switch expression {
        case .attribute(let column, _):
            return try QueryValue(row, column, entity.attributes[column])
        case .value(let value): return value
        case .coalesce(let left, let right):
            let value = try value(left)
            return value == .null ? try self.value(right) : value
        case .conditional(let condition, let first, let second):
            return try value(try truth(condition) == true ? first : second)
        case .arithmetic(let operation, let left, let right):
            return operation.result(try value(left), try value(right))
        case .call(let function, let arguments):
            return function.result(try arguments.map { try value($0) })
        case .member(let base, let path, let kind):
            return try part(of: base, path).flatMap { QueryValue($0, kind) } ?? .null
        case .element, .quantified(.filter, _, _, _):
            return try document(expression).map { .document(try Self.text($0)) } ?? .null
        case .quantified(.minimum, let array, let depth, let body):
            return try values(array, depth, body).min { Self.order($0, $1) < 0 } ?? .null
        case .quantified(.maximum, let array, let depth, let body):
            return try values(array, depth, body).max { Self.order($0, $1) < 0 } ?? .null
        case .related(let relation, let key, let body):
            return try answer(relation, try value(key), body)
        case .outer(let row, let expression):
            // An expression that stands where no relation leads to says nothing.
            let place = around.count - row.distance
            return around.indices.contains(place) ? try around[place].value(expression) : .null
        case .equal, .comparison, .and, .or, .not, .isIn, .quantified:
            return try truth(expression).map { .bool($0) } ?? .null
        }
    }

    /// What the rows of another table say.
    private func answer(
        _ relation: QueryRelation,
        _ key: QueryValue,
        _ body: QueryExpression
    ) throws -> QueryValue {
        guard let others else {
            throw QueryError(
                expression: "\(relation.entity.table)",
                explanation: "the store cannot look into other tables"
            )
        }
        var rows = key == .null ? [] : try others.rows(of: relation.entity, relation.column, key)
        if relation.entity.markColumn != nil { rows.removeAll { !relation.entity.isLive($0) } }
        let around = around + [self]
        func evaluator(_ row: any RowSource) -> QueryEvaluator {
            var inner = QueryEvaluator(relation.entity, row: row, others: others, around: around)
            // What is asked of the row may name elements of this one, and counts its own after them.
            inner.elements = elements
            return inner
        }
        switch relation.question {
        case .value: return try rows.first.map { try evaluator($0).value(body) } ?? .null
        case .count:
            if case .value(.null) = body { return .integer(Int64(rows.count)) }
            return .integer(Int64(try rows.count { try evaluator($0).isTaken(by: body) }))
        case .any: return .bool(try rows.contains { try evaluator($0).isTaken(by: body) })
        case .all: return .bool(try rows.allSatisfy { try evaluator($0).isTaken(by: body) })
        }
    }

    // MARK: Embedded documents

    /// The document that an expression stands for; nil where there is none.
    private func document(_ expression: QueryExpression) throws -> ModelDocument? {
        switch expression {
        case .element(let depth): return elements.indices.contains(depth) ? elements[depth] : nil
        case .member(let base, let path, .document): return try part(of: base, path)
        case .quantified(.filter, let array, let depth, let body):
            return try all(array).map { elements in
                .array(try elements.filter { try inside(depth, $0).truth(body) == true })
            }
        default:
            guard case .document(let text) = try value(expression) else { return nil }
            return try ModelDocument(decoding: Data(text.utf8), as: .json)
        }
    }

    private func part(of base: QueryExpression, _ path: [QueryPathStep]) throws -> ModelDocument? {
        var document = try document(base)
        for step in path {
            switch step {
            case .path(let path): document = document?[path]
            case .name(let name): document = document?[key: name]
            case .index(let index):
                let elements = document?.arrayValue ?? []
                let place = index < 0 ? elements.count + index : index
                guard elements.indices.contains(place) else { return nil }
                document = elements[place]
            }
        }
        // A `nil` alone could be the document `null`.
        guard let document, !document.isNull else { return nil }
        return document
    }

    /// The elements of an array; nil where there is none.
    private func all(_ array: QueryExpression) throws -> [ModelDocument]? {
        try document(array)?.arrayValue
    }

    /// The evaluator inside of a quantified expression.
    private func inside(_ depth: Int, _ element: ModelDocument) -> QueryEvaluator {
        var inner = self
        inner.elements = elements.prefix(depth) + [element]
        return inner
    }

    private func holds(
        _ quantifier: QueryQuantifier,
        _ array: QueryExpression,
        _ depth: Int,
        _ body: QueryExpression
    ) throws -> Bool? {
        guard let elements = try all(array) else { return nil }
        let isAny = quantifier == .any
        for element in elements where try (inside(depth, element).truth(body) ?? false) == isAny {
            return isAny
        }
        return !isAny
    }

    /// What an expression is for each element, where it is something.
    private func values(
        _ array: QueryExpression,
        _ depth: Int,
        _ body: QueryExpression
    ) throws -> [QueryValue] {
        try (all(array) ?? []).map { try inside(depth, $0).value(body) }.filter { $0 != .null }
    }

    private static func text(_ document: ModelDocument) throws -> String {
        String(decoding: try document.encoded(as: .json), as: UTF8.self)
    }

    /// Whether a value is in a list. A number may be there in the other kind.
    private static func contains(_ list: QueryList, _ value: QueryValue) -> Bool {
        if list.contains(value) { return true }
        return switch value {
        case .integer(let number): list.contains(.double(Double(number)))
        case .double(let number):
            Int64(exactly: number).map { list.contains(.integer($0)) } ?? false
        default: false
        }
    }

    /// Whether two values are equal, missing ones too. Numbers are equal over their kinds.
    private static func areEqual(_ left: QueryValue, _ right: QueryValue) -> Bool {
        left == right || compare(left, right) == 0
    }

    /// The order of two values of one kind; nil where either is missing or they have none.
    private static func compare(_ left: QueryValue, _ right: QueryValue) -> Int? {
        switch (left, right) {
        case (.integer(let left), .integer(let right)): sign(left, right)
        case (.double(let left), .double(let right)): sign(left, right)
        case (.integer(let left), .double(let right)): sign(Double(left), right)
        case (.double(let left), .integer(let right)): sign(left, Double(right))
        case (.bool(let left), .bool(let right)): sign(left ? 1 : 0, right ? 1 : 0)
        case (.date(let left), .date(let right)): sign(left, right)
        case (.decimal(let left), .decimal(let right)): sign(left, right)
        case (.text(let left), .text(let right)), (.document(let left), .document(let right)):
            StoredText(left).order(relativeTo: StoredText(right))
        case (.data(let left), .data(let right)):
            left.lexicographicallyPrecedes(right) ? -1 : left == right ? 0 : 1
        default: nil
        }
    }

    private static func sign<Value: Comparable>(_ left: Value, _ right: Value) -> Int? {
        left < right ? -1 : left == right ? 0 : left > right ? 1 : nil
    }
}
