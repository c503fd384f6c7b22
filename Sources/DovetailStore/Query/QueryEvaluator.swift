package import DovetailModel
import Foundation

/// Answers the query language for a row in memory, as ``QueryExpression`` defines it.
///
/// Conditions are `.bool`, or `.null` where they are missing. It gives what SQL gives for the same
/// row: tests compare the two on random rows and predicates.
package struct QueryEvaluator {
    private let entity: EntityBinding
    private let row: any RowSource

    /// Looks at one row. The row must not change meanwhile.
    package init(_ entity: EntityBinding, row: any RowSource) {
        self.entity = entity
        self.row = row
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
        for criterion in order {
            let attribute = entity.attributes[criterion.column]
            let mine = try QueryValue(row, criterion.column, attribute)
            let theirs = try QueryValue(other, criterion.column, attribute)
            let result = Self.order(mine, theirs)
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
        case .contains(let base, let part):
            guard let (text, other) = try texts(base, part) else { return nil }
            return Self.contains(text, other)
        case .hasPrefix(let base, let prefix):
            guard let (text, other) = try texts(base, prefix) else { return nil }
            return text.utf8.starts(with: other.utf8)
        case .isIn(let element, let values):
            let element = try value(element)
            return values.contains { Self.areEqual(element, $0) }
        case .attribute, .value, .coalesce:
            return switch try value(expression) {
            case .bool(let value): value
            case .integer(let value): value != 0
            default: nil
            }
        }
    }

    /// The value of an expression; that of a condition is a boolean.
    private func value(_ expression: QueryExpression) throws -> QueryValue {
        switch expression {
        case .attribute(let column, _):
            return try QueryValue(row, column, entity.attributes[column])
        case .value(let value): return value
        case .coalesce(let left, let right):
            let value = try value(left)
            return value == .null ? try self.value(right) : value
        default: return try truth(expression).map { .bool($0) } ?? .null
        }
    }

    /// Two texts; nil where either is missing.
    private func texts(
        _ left: QueryExpression,
        _ right: QueryExpression
    ) throws -> (String, String)? {
        guard case .text(let left) = try value(left), case .text(let right) = try value(right)
        else {
            return nil
        }
        return (left, right)
    }

    /// Whether one text contains another, byte by byte.
    private static func contains(_ text: String, _ part: String) -> Bool {
        if part.isEmpty { return true }
        var (text, part) = (text, part)
        return text.withUTF8 { text in
            part.withUTF8 { part in
                guard let start = text.baseAddress, let other = part.baseAddress,
                    text.count >= part.count
                else { return false }
                return (0...text.count - part.count).contains {
                    memcmp(start + $0, other, part.count) == 0
                }
            }
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
