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

    /// The first word of a `SELECT` that leaves out values.
    private static let deferring = 8

    /// The shape of `SELECT`, and its constants in the order of their parameters.
    ///
    /// - Complexity: linear in the size of the query.
    public static func select(
        _ query: Query,
        _ dialect: any SQLDialect
    ) -> (shape: QueryShape, bindings: [SQLBinding]) {
        make(query.deferred.isEmpty ? 0 : deferring, query, dialect)
    }

    /// The same where the columns are the arguments of a function.
    public var asArguments: QueryShape {
        var shape = self
        shape.words[0] = words[0] == Self.deferring ? 9 : 6
        return shape
    }

    /// The shape of `SELECT count(*)`.
    public static func count(
        _ query: Query,
        _ dialect: any SQLDialect
    ) -> (shape: QueryShape, bindings: [SQLBinding]) {
        make(1, query, dialect)
    }

    /// The shape of a row by its key.
    public static func key(of entity: EntityBinding) -> QueryShape {
        QueryShape(words: [7, number(of: entity)])
    }

    /// The shape of writing a row, or several of them at once.
    public static func write(
        _ verb: WriteVerb,
        _ entity: EntityBinding,
        rows: Int = 1
    ) -> QueryShape {
        let number =
            switch verb {
            case .insert: 2
            case .upsert: 3
            case .update: 4
            case .delete: 5
            }
        let words = [number, Self.number(of: entity)]
        return QueryShape(words: rows == 1 ? words : words + [rows])
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
        _ query: Query,
        _ dialect: any SQLDialect
    ) -> (shape: QueryShape, bindings: [SQLBinding]) {
        var shape = QueryShape(words: [
            kind, number(of: query.entity), query.limit ?? -1, query.offset,
        ])
        if kind == deferring { shape.words += [query.deferred.count] + query.deferred }
        var maker = Maker(dialect: dialect, entity: query.entity)
        if let filter = query.filter { maker.append(filter) }
        for criterion in query.order {
            // Before each, since the filter and what rows are ordered by all begin with numbers.
            maker.words.append(criterion.isAscending ? .min : .max)
            maker.append(criterion.expression)
        }
        shape.words += maker.words
        return (shape, maker.bindings)
    }

    /// A table belongs to one type.
    private static func number(of entity: EntityBinding) -> Int {
        Int(bitPattern: ObjectIdentifier(entity.type))
    }
}

/// Collects the parts of an expression, in the order in which ``SQLExpression`` renders them.
private struct Maker {
    let dialect: any SQLDialect
    var entity: EntityBinding
    var words: [Int] = []
    var bindings: [SQLBinding] = []

    mutating func append(_ expression: QueryExpression) {
        if dialect.isProgram(expression, entity) {
            let program = QueryProgram(expression, of: entity)
            // How its value is compared.
            let kind = Self.number(of: expression.kind(in: entity))
            words += [20, expression.isOptional ? ~kind : kind, program.columns.count]
            words += program.columns
            for row in program.outerRows {
                words += [row.distance, row.columns.count] + row.columns
            }
            words.append(0)
            return bindings.append(.program(program))
        }
        switch expression {
        case .attribute(let column, let isOptional): words += [0, isOptional ? ~column : column]
        case .value(.null): words.append(1)
        case .value(let value):
            // A UUID may be written as one.
            words += [2, value.isUUID ? 9 : Self.number(of: expression.kind(in: entity))]
            bindings.append(.value(value))
        case .equal: words.append(3)
        case .comparison(.less, _, _): words.append(4)
        case .comparison(.lessOrEqual, _, _): words.append(5)
        case .comparison(.greater, _, _): words.append(6)
        case .comparison(.greaterOrEqual, _, _): words.append(7)
        case .and: words.append(8)
        case .or: words.append(9)
        case .not: words.append(10)
        case .coalesce: words.append(13)
        case .isIn(let element, let values):
            let present = values.present
            let isLong = present.count > dialect.mostListParameters
            let form = present.allSatisfy(\.isUUID) ? 22 : 14
            words += [form + (present.count == values.count ? 0 : 1)]
            words += [isLong ? -1 : present.count]
            append(element)
            if isLong {
                bindings.append(.list(present))
            } else {
                bindings += present.map { .value($0) }
            }
            return
        case .conditional: words.append(16)
        case .arithmetic(let operation, _, _): words += [17, operation.rawValue]
        case .call(let function, _): words += [18, function.rawValue]
        case .related(let relation, let key, let body):
            let outer = entity
            words += [
                21, Int(bitPattern: ObjectIdentifier(relation.entity.type)), relation.column,
                relation.question.rawValue,
            ]
            append(key)
            entity = relation.entity
            append(body)
            entity = outer
            return
        case .outer(let row, let expression):
            let own = entity
            words += [23, row.distance]
            entity = row.entity
            append(expression)
            entity = own
            return
        // Always programs.
        case .member, .element, .quantified: words.append(19)
        }
        for part in expression.parts { append(part) }
    }

    private static func number(of kind: ColumnType?) -> Int {
        switch kind {
        case nil: 0
        case .boolean?: 1
        case .integer?: 2
        case .double?: 3
        case .decimal?: 4
        case .text?: 5
        case .date?: 6
        case .data?: 7
        case .document?: 8
        }
    }
}
