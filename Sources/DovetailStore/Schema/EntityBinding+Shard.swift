import DovetailModel

extension EntityBinding {
    /// The column that decides on which of several servers a row is; nil where all rows are together.
    ///
    /// - Complexity: O(number of attributes).
    public var shardColumn: Int? {
        type.modelShard.flatMap { name in attributes.firstIndex { $0.property == name } }
    }
}

extension Query {
    /// Why more than one server has to be asked: the filter does not say what the column is that rows are
    /// distributed by. Nil where it does, and where rows are not distributed.
    ///
    /// - Complexity: linear in the size of the filter.
    public var shardAdvice: String? {
        guard let column = entity.shardColumn, filter?.fixes(column) != true else { return nil }
        let name = entity.attributes[column].property
        return "Every server is asked: the predicate does not say what \(name) is"
    }
}

extension QueryExpression {
    /// Whether it holds only where a column is a constant, or one of some.
    fileprivate func fixes(_ column: Int) -> Bool {
        switch self {
        case .and(let left, let right): left.fixes(column) || right.fixes(column)
        case .or(let left, let right): left.fixes(column) && right.fixes(column)
        case .equal(.attribute(column, _), .value), .equal(.value, .attribute(column, _)),
            .isIn(.attribute(column, _), _):
            true
        default: false
        }
    }
}
