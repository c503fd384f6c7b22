import DovetailModel
public import DovetailStore

/// What the SQL of a query depends on: all of it but its constants, which are parameters.
///
/// A connection that has prepared a statement for a shape binds the constants of the next query of
/// that shape, without rendering it.
///
/// ```swift
/// QueryShape.select(byKeySeven).shape == QueryShape.select(byKeyEight).shape
/// // both: SELECT "id", "name", "age" FROM "User" WHERE ("id" = ?1)
/// ```
public struct QueryShape: Hashable, Sendable {
    /// What is written, and all parts in the order in which ``SQLRenderer`` meets them.
    private var words: [Int]

    /// The shape of `SELECT`, and its constants in the order of their parameters.
    ///
    /// - Complexity: linear in the size of the query.
    public static func select(_ query: Query) -> (shape: QueryShape, bindings: [QueryValue]) {
        make(0, query)
    }

    /// The shape of `SELECT count(*)`.
    public static func count(_ query: Query) -> (shape: QueryShape, bindings: [QueryValue]) {
        make(1, query)
    }

    /// The shape of writing a row.
    public static func write(_ verb: WriteVerb, _ entity: EntityBinding) -> QueryShape {
        let number =
            switch verb {
            case .insert: 2
            case .upsert: 3
            case .update: 4
            case .delete: 5
            }
        return QueryShape(words: [number, Self.number(of: entity)])
    }

    /// The shape of changing some columns of a row, or of deleting it, where it is what it was.
    public static func change(
        _ verb: WriteVerb,
        _ columns: ColumnSet,
        comparing: Bool,
        _ entity: EntityBinding
    ) -> QueryShape {
        var shape = write(verb, entity)
        shape.words.append(comparing ? 1 : 0)
        shape.words += columns
        return shape
    }

    private static func make(
        _ kind: Int,
        _ query: Query
    ) -> (shape: QueryShape, bindings: [QueryValue]) {
        var shape = QueryShape(words: [
            kind, number(of: query.entity), query.limit ?? -1, query.offset,
        ])
        var bindings: [QueryValue] = []
        for criterion in query.order {
            shape.words.append(criterion.isAscending ? criterion.column : ~criterion.column)
        }
        // Between the order and the filter, which both begin with numbers.
        shape.words.append(.min)
        if let filter = query.filter { shape.append(filter, &bindings) }
        return (shape, bindings)
    }

    /// A table belongs to one type.
    private static func number(of entity: EntityBinding) -> Int {
        Int(bitPattern: ObjectIdentifier(entity.type))
    }

    private mutating func append(_ expression: QueryExpression, _ bindings: inout [QueryValue]) {
        switch expression {
        case .attribute(let column, let isOptional): words += [0, isOptional ? ~column : column]
        case .value(.null): words.append(1)
        case .value(let value):
            words.append(2)
            bindings.append(value)
        case .equal(let left, let right): append(3, left, right, &bindings)
        case .comparison(.less, let left, let right): append(4, left, right, &bindings)
        case .comparison(.lessOrEqual, let left, let right): append(5, left, right, &bindings)
        case .comparison(.greater, let left, let right): append(6, left, right, &bindings)
        case .comparison(.greaterOrEqual, let left, let right): append(7, left, right, &bindings)
        case .and(let left, let right): append(8, left, right, &bindings)
        case .or(let left, let right): append(9, left, right, &bindings)
        case .not(let operand):
            words.append(10)
            append(operand, &bindings)
        case .contains(let left, let right): append(11, left, right, &bindings)
        case .hasPrefix(let left, let right): append(12, left, right, &bindings)
        case .coalesce(let left, let right): append(13, left, right, &bindings)
        case .isIn(let element, let values):
            let present = values.filter { $0 != .null }
            words += [present.count == values.count ? 14 : 15, present.count]
            append(element, &bindings)
            bindings += present
        }
    }

    private mutating func append(
        _ operation: Int,
        _ left: QueryExpression,
        _ right: QueryExpression,
        _ bindings: inout [QueryValue]
    ) {
        words.append(operation)
        append(left, &bindings)
        append(right, &bindings)
    }
}
