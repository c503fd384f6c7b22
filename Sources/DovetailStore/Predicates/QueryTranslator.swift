import DovetailModel
public import Foundation

/// Translates `Foundation.Predicate` and `SortDescriptor` into the query language.
///
/// Each kind of expression says in an extension of its own how it is translated
/// (`PredicateExpressions+Query.swift` and its neighbours); a kind without one is a ``QueryError``.
public struct QueryTranslator {
    package internal(set) var entity: EntityBinding
    /// How often the captured lists that it is inside of say what it translates.
    var unrolledCount = 1
    /// The requirements of the model protocol that the predicate is over; nil for one over the model.
    let requirements: RequirementIndex?
    /// The schema of the container; nil where nothing is known of other tables.
    let schema: Schema?
    /// Whether the rows of the entity have relationships that can be followed. To ask an optional schema for it at
    /// each node was a sixth of a translation.
    let leadsToOthers: Bool
    /// The objects for which variables of the predicate stand.
    var objects: [PredicateExpressions.VariableID: RelatedObjects] = [:]
    /// The objects of relationships to several, as a whole, for which others stand: `$0.items?.count`.
    var lists: [PredicateExpressions.VariableID: RelatedObjects] = [:]
    /// The flattened models for which others stand: `$0.head?.name`.
    var flattened: [PredicateExpressions.VariableID: FlattenedModel] = [:]
    /// The variable that stands for the row. It is not in an array, which would be made for each predicate.
    private var rowVariable: PredicateExpressions.VariableID?
    /// Others that stand for it, too.
    private var otherRowVariables: [PredicateExpressions.VariableID] = []
    /// Whether a variable that stands for nothing is the row, too: a predicate may be put together of the
    /// expressions of others. Not where there are several rows.
    var takesOtherVariables = true
    /// The row whose relationship leads to this one; nil for that of the query.
    var around: RowAround?
    /// How many collections are gone over around the expression.
    var depth = 0
    /// What the variables of the predicate are bound to: the value of an optional chain, for one.
    var variables: [PredicateExpressions.VariableID: QueryExpression] = [:]

    /// The captured values for which others stand, that no column could hold: `if let filter { … filter.name … }`.
    var captures = CapturedVariables()

    /// Translates for the rows of `entity`. The predicate's input has to be its model.
    public init(_ entity: EntityBinding) {
        self.entity = entity
        schema = nil
        leadsToOthers = false
        requirements = nil
    }

    /// Translates for the rows of `entity`, and for those of others that its relationships lead to.
    package init(_ entity: EntityBinding, in schema: Schema) {
        self.init(entity, in: schema, as: nil)
    }

    /// Translates for the rows of `entity` what is said over a model protocol, to which its model
    /// conforms.
    package init(_ entity: EntityBinding, as requirements: RequirementIndex) {
        self.entity = entity
        schema = nil
        leadsToOthers = false
        self.requirements = requirements
    }

    /// The same, also for what its relationships lead to.
    package init(
        _ entity: EntityBinding,
        in schema: Schema,
        as requirements: RequirementIndex?
    ) {
        self.entity = entity
        self.schema = schema
        leadsToOthers = !entity.links.isEmpty || entity.classTable != nil
        self.requirements = requirements
    }

    /// Translates a predicate.
    ///
    /// ```swift
    /// let adults = #Predicate<User> { $0.age >= 18 && $0.name.contains("a") }
    /// let filter = try QueryTranslator(EntityBinding(User.self)).filter(adults)
    /// // WHERE (("age" >= ?1) AND (instr("name", ?2) > 0))
    /// ```
    ///
    /// - Complexity: linear in the size of the predicate, times the number of attributes for each
    ///   key path in it.
    /// - Throws: ``QueryError`` that names the part which no store understands.
    public func filter<Input>(_ predicate: Predicate<Input>) throws -> QueryExpression {
        try naming(predicate.variable.key).expression(predicate.expression)
    }

    /// Translates an order.
    ///
    /// ```swift
    /// let byName = SortDescriptor(\User.name, comparator: .lexical, order: .reverse)
    /// let order = try QueryTranslator(EntityBinding(User.self)).order([byName])
    /// // ORDER BY "name" DESC
    /// ```
    ///
    /// A part of an embedded model is found for each row, so no index serves it.
    ///
    /// - Throws: ``QueryError`` for comparators that no store has, for what is no attribute, and
    ///   for attributes without an order: embedded documents, and transforms that do not keep the
    ///   order of values.
    public func order<Input>(_ descriptors: [SortDescriptor<Input>]) throws -> [QueryOrder] {
        try descriptors.map { descriptor in
            guard let keyPath = descriptor.keyPath else {
                throw QueryError(expression: "\(descriptor)", explanation: "has no key path")
            }
            if let comparator = descriptor.stringComparator, comparator != .lexical {
                throw QueryError(
                    expression: "\(keyPath)",
                    explanation: "a store orders text by its scalars; use the .lexical comparator"
                )
            }
            return QueryOrder(
                try order(at: keyPath),
                isAscending: descriptor.order == .forward
            )
        }
    }

    /// The column of a property.
    ///
    /// - Throws: ``QueryError`` for a property that has no column of its own.
    package func column(of keyPath: AnyKeyPath) throws -> Int {
        guard let column = try storedColumn(of: keyPath) else {
            throw notStored(keyPath)
        }
        return column
    }

    /// The columns of an attribute or of a relationship to one: those of a relationship to a protocol are
    /// several.
    ///
    /// - Throws: ``QueryError``.
    package func columns(of keyPath: AnyKeyPath) throws -> [Int] {
        let flattened = entity.attributes.indices.filter {
            entity.attributes[$0].flattenedProperty?.path as AnyKeyPath? == keyPath
        }
        if !flattened.isEmpty { return flattened }
        let choice = entity.choiceColumns(of: keyPath)
        return choice.isEmpty ? [try column(of: keyPath)] : choice
    }

    /// The same translator where a variable stands for the row, beside those that do.
    func naming(_ variable: PredicateExpressions.VariableID) -> QueryTranslator {
        var inner = self
        if rowVariable == nil {
            inner.rowVariable = variable
        } else {
            inner.otherRowVariables.append(variable)
        }
        return inner
    }

    /// How many predicates may be put together inside of each other. Each takes some kilobytes of the stack.
    private static let maximumNesting = 400

    /// Refuses to go deeper into predicates that are put together, each of which has a variable of its own.
    ///
    /// - Throws: ``QueryError``.
    func checkNesting() throws {
        guard otherRowVariables.count + variables.count + objects.count > Self.maximumNesting else {
            return
        }
        throw QueryError(
            expression: "a predicate",
            explanation: "is put together of more than \(Self.maximumNesting) inside of each "
                + "other; put them side by side, as in .all([first, second])"
        )
    }

    /// Refuses to open a value for which null and nothing are two (`T??`): it is compared as a whole.
    ///
    /// - Throws: ``QueryError``.
    func requireOneNothing<Node: PredicateExpression>(_ type: Node.Type, _ node: Any) throws {
        guard NodeType.of(type).isOptionalTwice else { return }
        throw QueryError(
            expression: "\(node)",
            explanation:
                "tells null from nothing; a store compares it by == and != with nil, .some(nil) or a "
                + "value, and does not open it"
        )
    }

    /// Whether a variable stands for the row.
    func isRow(_ variable: PredicateExpressions.VariableID) -> Bool {
        // Two optionals are compared by generic code, which took an eighth of a translation.
        if let rowVariable, rowVariable == variable { return true }
        return !otherRowVariables.isEmpty && otherRowVariables.contains(variable)
    }

    /// The translation of any part of a predicate.
    ///
    /// - Throws: ``QueryError``.
    func expression(_ node: any PredicateExpression) throws -> QueryExpression {
        if around != nil, let outer = outer(of: node) { return try outer.expression(node) }
        // The cast keeps its copy of the node on the heap. A call by the node's own type would have one on
        // the stack, at each level of a chain of a thousand conditions.
        guard let translatable = node as? any QueryTranslatable else { throw unsupported(node) }
        var expression = try translatable.translated(by: self)
        if hasRelationships { expression = expression.askedInside }
        if expression.isAlwaysMissing { return .value(.null) }
        expression = expression.withoutDefault.withoutFallback
        // What is known before a row is read is no work for each row, and an index serves what it is compared with.
        guard requirements != nil || expression.hasConstantPart else { return expression }
        return try expression.simplified(in: entity)
    }

    /// What a row would hold for a constant, and nothing for what is no number. `node` is the
    /// expression that errors name.
    ///
    /// - Throws: ``QueryError`` for a value that no column can hold.
    func constant(_ value: Any, in node: Any) throws -> QueryValue {
        try number(value, in: node) ?? .null
    }

    /// What a row would hold for a constant; nil for what is no number, which is in no row and equals
    /// nothing.
    private func number(_ value: Any, in node: Any) throws -> QueryValue? {
        // What `caseInsensitiveCompare` gives.
        if let order = value as? ComparisonResult { return .integer(Int64(order.rawValue)) }
        guard let value = value as? any ModelValue else {
            if let identifier = value as? any StoredIdentifier { return identifier.queryValue }
            if (value as? any OptionalValue)?.isNil == true { return .null }
            // An enum with a raw type that is `Codable` and no model: its document is the raw value.
            if let value = value as? any (Encodable & RawRepresentable) {
                return try QueryValue(coded: value)
            }
            guard value is any Encodable else { throw unsupported(node) }
            let optional = Swift.type(of: value) as? any OptionalValue.Type
            let type = optional?.wrapped ?? Swift.type(of: value)
            throw QueryError(
                expression: "\(type)",
                explanation: "is kept as the document that its Codable makes, which a store "
                    + "compares with none; give \(type) @Model, or ask for a stored property of it"
            )
        }
        do {
            return entity.compared(try QueryValue(value))
        } catch let error as ModelEncodingError {
            if Self.isNaN(value) { return nil }
            throw QueryError(expression: "\(node)", explanation: error.explanation)
        }
    }

    /// Whether a value is a number that is none. It may be in an optional.
    package static func isNaN(_ value: Any) -> Bool {
        if let number = value as? any FloatingPoint { return number.isNaN }
        return (value as? Decimal)?.isNaN ?? false
    }

    /// What rows would hold for the elements of a list. Numbers and texts, which most lists hold, are
    /// not asked one by one what they are: that was half of a query by 100,000 keys.
    func constants(_ list: some Sequence, in node: Any) throws -> [QueryValue] {
        if let numbers = list as? [Int] { return numbers.map { .integer(Int64($0)) } }
        if let numbers = list as? Set<Int> { return numbers.map { .integer(Int64($0)) } }
        if let numbers = list as? [Int64] { return numbers.map { .integer($0) } }
        if let texts = list as? [String] { return texts.map { .text($0) } }
        if let texts = list as? Set<String> { return texts.map { .text($0) } }
        return try list.compactMap { try number($0, in: node) }
    }

    /// Whether an expression begins with a captured value.
    func isCaptured(_ node: some PredicateExpression) -> Bool {
        (node as? any CapturedExpression)?.isCaptured(by: self) == true
    }

    /// What an expression is that begins with a captured value and not with the row; nil for others.
    /// Missing for what has no value, such as `!` of nil and an index past the end: a store does not
    /// end the program, and `filter == nil || $0.id == filter!` does not ask for it.
    ///
    /// - Throws: ``QueryError`` for a value that no column can hold, and where a captured collection is asked
    ///   for what the row says: `names[$0.id]`.
    func captured(_ node: some PredicateExpression) throws -> QueryExpression? {
        guard isCaptured(node) else { return nil }
        do {
            return .value(try constant(try node.evaluate(captures.bindings), in: node))
        } catch is PredicateError {
            // To compare the error with `undefinedVariable` would never end: its `==` calls itself.
            guard Self.hasVariable(node) else { return .value(.null) }
            throw QueryError(
                expression: "\(node)",
                explanation:
                    "looks up in a captured collection what a row holds, which a store cannot; "
                    + "capture the keys that are wanted, and ask whether they contain it"
            )
        }
    }

    /// Whether an expression speaks of the row, or of an element.
    private static func hasVariable(_ node: some PredicateExpression) -> Bool {
        if node is any VariableExpression { return true }
        return Mirror(reflecting: node).children.contains { child in
            (child.value as? any PredicateExpression).map { hasVariable($0) } ?? false
        }
    }

    /// The error for an expression that has a form in the query language only with constants.
    func unsupported(_ node: Any, _ explanation: String) -> QueryError {
        QueryError(
            expression: "\(node)",
            explanation: explanation + ", which cannot be put to a store"
        )
    }

    /// The error for an expression that has no form in the query language.
    ///
    /// - Parameter type: What it asks something of; nil where that says nothing.
    func unsupported(_ node: Any, of type: Any.Type? = nil) -> QueryError {
        let wrapped = (type as? any OptionalValue.Type)?.wrapped ?? type
        let isProtocol = wrapped.map { "\(Swift.type(of: $0))".hasSuffix(".Protocol") } ?? false
        return QueryError(
            expression: "\(node)",
            explanation: isProtocol
                ? "cannot be put to a store, which is not asked what the values of a protocol are that are inside "
                    + "of a model; keep what you ask for in an attribute beside them, or make them entities"
                : "cannot be put to a store"
        )
    }
}

/// An expression that may be a part of a captured value: `wanted.name`, `limits[0]`.
protocol CapturedExpression {
    /// Whether it begins with a captured value. The row has a part in it only where that is a collection that
    /// is asked for what the row holds.
    func isCaptured(by translator: QueryTranslator) -> Bool
}

/// What stands for the row, or for an element.
private protocol VariableExpression {}

extension PredicateExpressions.Variable: VariableExpression {}

/// Captured values for which variables stand.
struct CapturedVariables {
    private(set) var bindings = PredicateBindings()
    private var keys: [PredicateExpressions.VariableID] = []

    /// Whether a variable stands for one.
    func contains(_ key: PredicateExpressions.VariableID) -> Bool { keys.contains(key) }

    /// Lets a variable stand for a value.
    mutating func bind<Value>(_ variable: PredicateExpressions.Variable<Value>, to value: Value) {
        bindings[variable] = value
        keys.append(variable.key)
    }
}

extension PredicateExpressions.Variable: CapturedExpression {
    func isCaptured(by translator: QueryTranslator) -> Bool { translator.captures.contains(key) }
}

extension PredicateExpressions.Value: CapturedExpression {
    func isCaptured(by translator: QueryTranslator) -> Bool { true }
}

extension PredicateExpressions.Constant: CapturedExpression {
    func isCaptured(by translator: QueryTranslator) -> Bool { true }
}

extension PredicateExpressions.KeyPath: CapturedExpression {
    func isCaptured(by translator: QueryTranslator) -> Bool { translator.isCaptured(root) }
}

extension PredicateExpressions.ConditionalCast: CapturedExpression {
    func isCaptured(by translator: QueryTranslator) -> Bool { translator.isCaptured(input) }
}

extension PredicateExpressions.ForcedUnwrap: CapturedExpression {
    func isCaptured(by translator: QueryTranslator) -> Bool { translator.isCaptured(inner) }
}

extension PredicateExpressions.CollectionIndexSubscript: CapturedExpression {
    func isCaptured(by translator: QueryTranslator) -> Bool { translator.isCaptured(wrapped) }
}

extension PredicateExpressions.DictionaryKeySubscript: CapturedExpression {
    func isCaptured(by translator: QueryTranslator) -> Bool { translator.isCaptured(wrapped) }
}

/// An expression of Foundation's that has a form in the query language.
///
/// The conformances are all in `PredicateExpressions+Query.swift`. They are looked up at run time
/// with `as?`, because a predicate holds its parts as `any PredicateExpression`.
protocol QueryTranslatable {
    func translated(by translator: QueryTranslator) throws -> QueryExpression
}
