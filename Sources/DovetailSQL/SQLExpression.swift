import DovetailModel
import DovetailStore

/// Renders one expression of the query language; values become parameters.
///
/// ``SQLRenderer`` makes one for each statement. Each call of ``text(_:)`` appends the values that
/// it meets to ``bindings``, in the order of their parameters in the text. Every operator is in
/// parentheses of its own, so no dialect has to know which binds more tightly.
struct SQLExpression {
    let dialect: any SQLDialect
    private let found: SQLFoundTables
    private(set) var entity: EntityBinding
    /// The forms of columns of others.
    private var forms: [Int: SQLColumnForm]
    /// The name of the table with a dot, where a statement has several; empty where it has one.
    private var table = ""
    /// The tables of the statements around what is written, from the outermost on.
    private var around: [Table] = []
    /// How many statements have been begun around what is written.
    private var depth = 0
    /// The values of the parameters so far. The parameter `?n` is the element at n - 1.
    private(set) var bindings: [SQLBinding] = []

    init(_ renderer: SQLRenderer, _ entity: EntityBinding) {
        dialect = renderer.dialect
        self.entity = entity
        found = renderer.found
        forms = renderer.found.forms(of: entity)
    }

    /// A table that a statement is over.
    private struct Table {
        let entity: EntityBinding
        let forms: [Int: SQLColumnForm]
        let name: String
    }

    /// The table of the innermost statement.
    private var own: Table {
        get { Table(entity: entity, forms: forms, name: table) }
        set { (entity, forms, table) = (newValue.entity, newValue.forms, newValue.name) }
    }

    /// What is written about a row of a statement around.
    private mutating func outer<Written>(
        _ distance: Int,
        _ write: (inout SQLExpression) throws -> Written
    ) throws -> Written {
        let (inner, frames) = (own, around)
        guard frames.indices.contains(frames.count - distance) else {
            throw QueryError(
                expression: "\(entity.table)",
                explanation: "no statement around asks for the rows that are meant"
            )
        }
        own = frames[frames.count - distance]
        around.removeLast(distance)
        defer { (own, around) = (inner, frames) }
        return try write(&self)
    }

    /// A statement over the rows of another table, as an expression.
    ///
    /// - Parameter isSet: Whether the rows are to be found before those of this table, of a condition that only
    ///   counts where it holds.
    private mutating func related(
        _ relation: QueryRelation,
        _ key: QueryExpression,
        _ body: QueryExpression,
        isSet: Bool = false
    ) throws -> String {
        let outer = own
        // Inside, a name without a table would be that of a column there.
        if table.isEmpty { table = dialect.quoted(entity.table) + "." }
        let target = found.form(of: relation.column, in: relation.entity)
        let keyAsUUID = target == .uuid ? uuidName(key) : nil
        let key = try keyAsUUID ?? text(key)
        depth += 1
        around.append(own)
        defer {
            own = outer
            depth -= 1
            around.removeLast()
        }
        let alias = dialect.quoted("dovetail_\(depth)")
        (entity, forms) = (relation.entity, found.forms(of: relation.entity))
        table = alias + "."
        let name = QueryExpression.attribute(relation.column, isOptional: false)
        let column = try keyAsUUID.flatMap { _ in uuidName(name) } ?? text(name)
        let isLive = try entity.liveFilter.map { " AND \(try text($0))" } ?? ""
        if isSet {
            let condition = try condition(body, asksSets: true)
            return "\(key) IN (SELECT \(column) FROM \(dialect.quoted(entity.table)) AS \(alias) "
                + "WHERE \(condition)\(isLive))"
        }
        let rows =
            "FROM \(dialect.quoted(entity.table)) AS \(alias) WHERE \(column) = \(key)\(isLive)"
        switch relation.question {
        case .value: return "(SELECT \(try text(body)) \(rows))"
        case .count:
            if case .value(.null) = body { return "(SELECT count(*) \(rows))" }
            return "(SELECT count(*) \(rows) AND \(try text(body)))"
        case .any: return "EXISTS (SELECT 1 \(rows) AND \(try text(body)))"
        case .all: return "NOT EXISTS (SELECT 1 \(rows) AND \(try text(body)) IS NOT TRUE)"
        }
    }

    /// The SQL of a query's condition; nil without one.
    ///
    /// - Throws: ``QueryError`` for what the dialect cannot express.
    mutating func condition(of query: Query) throws -> String? {
        guard let filter = query.filter else { return nil }
        // Few rows may be read until there are enough, or by another index, and then it is a waste to find all
        // that another condition would leave.
        let hasIndex = filter.reach(in: query.entity, found, alone: true) > .all
        return try condition(filter, asksSets: query.limit == nil && !hasIndex)
    }

    /// The SQL of a condition of which only counts where it is true.
    ///
    /// - Parameter asksSets: Whether rows of other tables may be found first also where nobody knows how many
    ///   these are.
    private mutating func condition(
        _ expression: QueryExpression,
        asksSets: Bool
    ) throws -> String {
        if dialect.isProgram(expression, entity) { return try text(expression) }
        switch expression {
        case .and:
            let operands = try expression.conjuncts.map { try condition($0, asksSets: asksSets) }
            return Self.chain(operands[...], " AND ")
        case .or:
            let operands = try expression.disjuncts.map {
                try condition($0, asksSets: asksSets)
            }
            return Self.chain(operands[...], " OR ")
        default:
            guard let asked = RelatedCondition(expression) else { return try text(expression) }
            let (relation, key, body) = (asked.relation, asked.key, asked.body)
            if dialect.joinsSubqueries { return try related(relation, key, body) }
            switch asked.reach(found) {
            case .few: return try related(relation, key, body, isSet: true)
            case .many where asksSets: return try related(relation, key, body, isSet: true)
            case .many, .all: return try text(expression)
            }
        }
    }

    /// The SQL of an expression.
    ///
    /// NULL is written as a word and takes no parameter. Equality is `=` where neither side may be
    /// missing, and the dialect's null-safe equality elsewhere.
    ///
    /// - Throws: ``QueryError`` for what the dialect cannot express.
    mutating func text(_ expression: QueryExpression) throws -> String {
        if dialect.isProgram(expression, entity) { return try program(expression) }
        switch expression {
        case .attribute(let column, _):
            let name = table + dialect.quoted(entity.attributes[column].name)
            return forms[column].map { dialect.comparable(name, $0) }
                ?? dialect.value(of: name, entity.attributes[column].columnType)
        case .value(.null):
            return "NULL"
        case .value(let value):
            return parameter(.value(value))
        case .equal(let left, let right):
            let isPlain = !left.isOptional && !right.isOptional
            func equality(_ lhs: String, _ rhs: String) -> String {
                if isPlain { return "\(lhs) = \(rhs)" }
                if right.isPresentConstant { return dialect.equal(lhs, toConstant: rhs) }
                if left.isPresentConstant { return dialect.equal(rhs, toConstant: lhs) }
                return dialect.nullSafeEqual(lhs, rhs)
            }
            if let (lhs, rhs) = uuids(left, right) { return "(\(equality(lhs, rhs)))" }
            let lhs = inBytes(try text(left), left, right)
            // Which of the two stands on the left is up to `equality`.
            let rhs = inBytes(try text(right), left, right)
            let text = equality(lhs, rhs)
            // An index has the collation of its column, in which equal bytes are equal too.
            if case .value = right, let name = collatedName(left) {
                return "(\(equality(name, rhs)) AND \(text))"
            }
            if case .value = left, let name = collatedName(right) {
                return "(\(equality(lhs, name)) AND \(text))"
            }
            return "(\(text))"
        case .comparison(let comparison, let left, let right):
            if let (lhs, rhs) = uuids(left, right) { return "(\(lhs) \(comparison.sql) \(rhs))" }
            let lhs = inBytes(try ordered(left, isSelected: true), left, right)
            return "(\(lhs) \(comparison.sql) \(try text(right)))"
        case .and:
            return Self.chain(try expression.conjuncts.map { try text($0) }[...], " AND ")
        case .or:
            return Self.chain(try expression.disjuncts.map { try text($0) }[...], " OR ")
        case .not(let operand):
            return "(NOT \(try text(operand)))"
        case .isIn(let element, let values):
            return try list(element, values)
        case .coalesce(let left, let right):
            return "coalesce(\(try text(left)), \(try text(right)))"
        case .conditional(let condition, let first, let second):
            let test = try text(condition)
            return "CASE WHEN \(test) THEN \(try text(first)) ELSE \(try text(second)) END"
        case .arithmetic:
            let sum = try arithmetic(expression)
            let mayNotFit = expression.kind(in: entity) == .integer && !expression.isPlainRemainder
            return mayNotFit ? dialect.wholeNumber(sum) : sum
        case .call(let function, let arguments):
            let texts = try arguments.map { try text($0) }
            return "(\(dialect.call(function, texts, arguments.first?.kind(in: entity))))"
        case .related(let relation, let key, let body): return try related(relation, key, body)
        case .outer(let row, let expression):
            return try outer(row.distance) { try $0.text(expression) }
        case .member, .element, .quantified:
            throw QueryError(
                expression: "\(expression)",
                explanation: "the database cannot look into documents"
            )
        }
    }

    /// The parameter of what is bound next.
    private mutating func parameter(_ binding: SQLBinding) -> String {
        bindings.append(binding)
        return dialect.parameter(bindings.count)
    }

    /// The name of a column that compares text in its own way; nil for all else.
    private func collatedName(_ expression: QueryExpression) -> String? {
        guard case .attribute(let column, _) = expression, forms[column] == .collated else {
            return nil
        }
        return table + dialect.quoted(entity.attributes[column].name)
    }

    /// The name of a column in which the database keeps UUIDs; nil for all else.
    private func uuidName(_ expression: QueryExpression) -> String? {
        guard case .attribute(let column, _) = expression, forms[column] == .uuid else {
            return nil
        }
        return table + dialect.quoted(entity.attributes[column].name)
    }

    /// Both sides as UUIDs, so that an index serves their comparison; nil where one of them is no
    /// UUID, or both are constants. A constant is one where its text has the form that a row would
    /// give, so that the comparison means that of texts.
    private mutating func uuids(
        _ left: QueryExpression,
        _ right: QueryExpression
    ) -> (String, String)? {
        let (lhs, rhs) = (uuidName(left), uuidName(right))
        switch (lhs, rhs, left, right) {
        case (let lhs?, let rhs?, _, _): return (lhs, rhs)
        case (let lhs?, nil, _, .value(let value)): return uuid(value).map { (lhs, $0) }
        case (nil, let rhs?, .value(let value), _): return uuid(value).map { ($0, rhs) }
        default: return nil
        }
    }

    /// The parameter of a constant that is a UUID; nil for another one.
    private mutating func uuid(_ value: QueryValue) -> String? {
        if value == .null { return "NULL" }
        return value.isUUID ? dialect.uuid(parameter(.value(value))) : nil
    }

    /// What the database calls back for.
    private mutating func program(_ expression: QueryExpression) throws -> String {
        let program = QueryProgram(expression, of: entity)
        var arguments = names(of: program.columns)
        for row in program.outerRows {
            arguments += try outer(row.distance) { $0.names(of: row.columns) }
        }
        return dialect.call(program: parameter(.program(program)), arguments)
    }

    private func names(of columns: [Int]) -> [String] {
        columns.map { table + dialect.quoted(entity.attributes[$0].name) }
    }

    /// A value whose order is asked for. UUIDs have the order of their texts, and an index may have it.
    ///
    /// - Parameter isSelected: Whether it has to be written as a column of the result is.
    mutating func ordered(
        _ expression: QueryExpression,
        isSelected: Bool = false
    ) throws -> String {
        if !isSelected, let name = uuidName(expression) { return name }
        let text = try text(expression)
        return expression.kind(in: entity) == .decimal ? dialect.decimalOrder(text) : text
    }

    /// A side of a comparison. A collation of decimals inside of a side would compare texts, too, and the
    /// one that stands on the left counts
    /// (https://sqlite.org/datatype3.html#assigning_collating_sequences_from_sql).
    private func inBytes(
        _ text: String,
        _ left: QueryExpression,
        _ right: QueryExpression
    ) -> String {
        guard hasDecimalOrder(left) || hasDecimalOrder(right),
            (left.kind(in: entity) ?? right.kind(in: entity)) != .decimal
        else { return text }
        return dialect.byteOrder(text)
    }

    /// Whether decimals are ordered somewhere in an expression.
    private func hasDecimalOrder(_ expression: QueryExpression) -> Bool {
        switch expression {
        case .attribute, .value: return false
        case .comparison(_, let left, let right)
        where (left.kind(in: entity) ?? right.kind(in: entity)) == .decimal:
            return true
        default:
            return !dialect.isProgram(expression, entity)
                && expression.parts.contains { hasDecimalOrder($0) }
        }
    }

    /// A number without a look at whether it fits: what does not is seen in what is made of it.
    private mutating func arithmetic(_ expression: QueryExpression) throws -> String {
        guard case .arithmetic(let operation, let left, let right) = expression,
            !dialect.isProgram(expression, entity)
        else { return try text(expression) }
        let lhs = try arithmetic(left)
        let kind = expression.kind(in: entity)
        return dialect.arithmetic(operation, lhs, try arithmetic(right), kind)
    }

    /// Joins the operands. Chains of more than fifty are split in halves, because databases limit
    /// how deep an expression is nested (https://sqlite.org/limits.html#max_expr_depth), and a
    /// chain of n operands counts as n levels.
    private static func chain(_ operands: ArraySlice<String>, _ operation: String) -> String {
        if operands.count <= 50 { return "(" + operands.joined(separator: operation) + ")" }
        let middle = operands.startIndex + operands.count / 2
        return "(" + chain(operands[..<middle], operation) + operation
            + chain(operands[middle...], operation) + ")"
    }

    /// Whether an element is one of a list. NULL in a list never matches in SQL, so it is asked for
    /// by itself. An element that is not optional needs no `coalesce`.
    private mutating func list(_ element: QueryExpression, _ values: QueryList) throws -> String {
        let present = values.present
        let name = present.allSatisfy(\.isUUID) ? uuidName(element) : nil
        let lhs = try name ?? inBytes(text(element), element, element)
        let condition: (String) -> String
        if present.count > dialect.mostListParameters {
            let values = parameter(.list(present))
            let list = name == nil ? values : dialect.uuids(list: values)
            condition = { [dialect] in dialect.isIn($0, list: list) }
        } else {
            let parameters = present.map { value in
                let value = parameter(.value(value))
                return name == nil ? value : dialect.uuid(value)
            }
            condition = { [dialect] in dialect.isIn($0, parameters) }
        }
        var isIn = condition(lhs)
        if let name = collatedName(element) { isIn = "(\(condition(name)) AND \(isIn))" }
        // A missing element is in no list, which is false and not unknown.
        let isFound =
            element.isOptional ? dialect.neverMissing(isIn, where: lhs) : "(\(isIn))"
        return present.count < values.count ? "(\(isFound) OR \(lhs) IS NULL)" : isFound
    }
}
