import DovetailModel
public import DovetailStore

/// What is left of a query for a database that calls nobody back: the database is asked for the rows that
/// the rest of the filter leaves, and the program takes those for which the residue holds.
///
/// ```swift
/// // $0.age > 18 && $0.name.lowercased() == "ann"
/// residue.asked       // SELECT … WHERE ("age" > $1)
/// residue.filter      // lowercased("name") = "ann"
/// ```
public struct SQLResidue {
    /// What the database is asked for. It has the limit and the order where these need no program.
    public let asked: Query
    /// What has to hold of each row that it gives; nil for nothing.
    public let filter: QueryExpression?
    /// Whether the program orders the rows: it holds all of them then.
    public let isOrdered: Bool

    /// Takes a query apart; nil where the database can answer all of it.
    ///
    /// - Complexity: linear in the size of the query.
    public init?(_ query: Query, _ dialect: any SQLDialect) {
        let entity = query.entity
        isOrdered = query.order.contains { $0.expression.needsProgram(dialect, entity) }
        guard isOrdered || query.filter?.needsProgram(dialect, entity) == true else { return nil }
        var asked: [QueryExpression] = []
        var rest: [QueryExpression] = []
        for part in query.filter?.conjuncts ?? [] {
            if part.needsProgram(dialect, entity) { rest.append(part) } else { asked.append(part) }
        }
        filter = rest.conjunction
        var query = query.whole
        query.filter = asked.conjunction
        if isOrdered { query.order = [] }
        (query.limit, query.offset) = (nil, 0)
        self.asked = query
    }
}

extension QueryExpression {
    /// Whether a part of it is a program.
    ///
    /// - Complexity: linear in its size.
    package func needsProgram(_ dialect: any SQLDialect, _ entity: EntityBinding) -> Bool {
        if dialect.isProgram(self, entity) { return true }
        if case .related(let relation, _, let body) = self,
            body.needsProgram(dialect, relation.entity)
        {
            return true
        }
        if case .outer(let row, let expression) = self {
            return expression.needsProgram(dialect, row.entity)
        }
        return parts.contains { $0.needsProgram(dialect, entity) }
    }
}

extension [QueryExpression] {
    fileprivate var conjunction: QueryExpression? {
        first.map { dropFirst().reduce($0) { .and($0, $1) } }
    }
}
