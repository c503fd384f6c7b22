import DovetailModel

/// How a store answers a query.
///
/// ```swift
/// print(try context.explain(FetchDescriptor<User>(predicate: #Predicate { $0.age > 18 })))
/// // SELECT "id", "name", "age" FROM "User" WHERE ("age" > ?1)
/// // - goes over all rows of User
/// // An index of age would help: #Index<User>([\.age])
/// ```
public struct QueryExplanation: Sendable, CustomStringConvertible, CustomDebugStringConvertible {
    /// The statement, with parameters in the place of values; empty for a store without a language.
    public let statement: String
    /// The values of the parameters, as far as they are constants. They may be data of users, so
    /// ``description`` leaves them out.
    public let values: [QueryValue]
    /// What the store does, one step after the other, in words.
    public let steps: [String]
    /// What would make it faster; nil where nothing has to.
    public let advice: String?

    /// Makes an explanation, for stores of your own.
    public init(statement: String, values: [QueryValue] = [], steps: [String], advice: String?) {
        self.statement = statement
        self.values = values
        self.steps = steps
        self.advice = advice
    }

    /// The statement, the steps and the advice, a line for each, without values.
    public var description: String {
        let lines = [statement] + steps.map { "- " + $0 } + [advice ?? ""]
        return lines.filter { !$0.isEmpty }.joined(separator: "\n")
    }

    /// The same with the values.
    public var debugDescription: String {
        values.isEmpty ? description : description + "\nvalues: \(values)"
    }
}

extension Query {
    /// The column whose index would help a query that goes over all rows of its table; nil where
    /// none would.
    ///
    /// - Complexity: linear in the size of the filter.
    public var indexableColumn: Int? { filter?.indexable(in: entity) }

    /// The advice for a query that goes over all rows of its table: which index would help, or that
    /// none can. Nil without a filter, which asks for all rows.
    ///
    /// - Complexity: linear in the size of the filter.
    public var indexAdvice: String? {
        if filter == nil || filter == entity.rowFilter { return nil }
        if let column = indexableColumn { return entity.indexAdvice(column) }
        if limit == nil, let advice = filter?.relatedAdvice { return advice }
        return "No index can serve this condition; put one beside it that compares a column"
    }
}

extension EntityBinding {
    fileprivate func indexAdvice(_ column: Int) -> String {
        let attribute = attributes[column]
        return "An index of \(attribute.name) would help: "
            + "#Index<\(type)>([\\.\(attribute.property)])"
    }

    /// Whether an index begins with a column.
    fileprivate func hasIndex(of column: Int) -> Bool {
        keyColumns.first == column || description.indexes.contains { $0.columns.first == column }
    }
}

extension Query {
    /// Why no index can serve the order; nil where one may.
    public var orderAdvice: String? {
        order.contains { $0.column == nil }
            ? "No index can serve this order, which is by a part of an embedded value or of another row"
            : nil
    }
}

extension QueryExpression {
    /// A column that has to be compared with a constant wherever the expression holds.
    fileprivate func indexable(in entity: EntityBinding) -> Int? {
        switch self {
        case .and(let left, let right): left.indexable(in: entity) ?? right.indexable(in: entity)
        case .equal(.attribute(entity.markColumn, _), _): nil
        // No declaration names the column of the class.
        case .isIn(.attribute(entity.classTable?.typeColumn, _), _): nil
        case .equal(.attribute(let column, _), .value),
            .equal(.value, .attribute(let column, _)), .isIn(.attribute(let column, _), _):
            entity.attributes[column].columnType == .document ? nil : column
        case .comparison(_, .attribute(let column, _), .value),
            .comparison(_, .value, .attribute(let column, _)):
            // Text of decimals is not in the order of their values.
            entity.attributes[column].columnType == .decimal ? nil : column
        case .attribute(let column, _): column
        default: nil
        }
    }

    /// The advice for a condition about rows of another table, by which those are found first that are meant.
    fileprivate var relatedAdvice: String? {
        if case .and(let left, let right) = self {
            return left.relatedAdvice ?? right.relatedAdvice
        }
        return RelatedCondition(self).flatMap { $0.body.advice(in: $0.relation.entity) }
    }

    private func advice(in entity: EntityBinding) -> String? {
        switch self {
        case .and(let left, let right):
            return left.advice(in: entity) ?? right.advice(in: entity)
        case .equal(.attribute(let column, _), .value),
            .equal(.value, .attribute(let column, _)), .isIn(.attribute(let column, _), _):
            let isSearched = entity.attributes[column].columnType != .document
            return isSearched && !entity.hasIndex(of: column) ? entity.indexAdvice(column) : nil
        default: return relatedAdvice
        }
    }
}
