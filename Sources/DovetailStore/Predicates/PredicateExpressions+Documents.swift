import DovetailModel
import Foundation

// Embedded models and collections, which a column holds as documents.

extension QueryTranslator {
    /// Whether an expression is the whole model, and no element of a collection in it.
    func isModel<Root: PredicateExpression>(_ expression: Root) -> Bool {
        // A cast to a protocol takes four times as long.
        (expression as? PredicateExpressions.Variable<Root.Output>).map { variable in
            isRow(variable.key)
                || takesOtherVariables && !isBound(variable.key)
        } ?? false
    }

    /// Whether a variable stands for something that is not the row.
    func isBound(_ variable: PredicateExpressions.VariableID) -> Bool {
        variables[variable] != nil || objects[variable] != nil || lists[variable] != nil
            || flattened[variable] != nil || captures.contains(variable)
    }

    /// A property of what another expression is: of an embedded model, the raw value of an enum or an
    /// identifier, or one that collections have.
    ///
    /// - Throws: ``QueryError`` for other properties.
    func part<Root: PredicateExpression>(
        _ keyPath: AnyKeyPath,
        _ collection: CollectionProperty?,
        of root: Root,
        in node: Any
    ) throws -> QueryExpression {
        let base = try expression(root)
        let counted = Root.Output.self as? any CountedCollection.Type
        if let collection = collection ?? counted?.property(keyPath) {
            switch collection {
            case .count: return .call(.count, [base])
            case .isEmpty: return .call(.isEmpty, [base])
            case .first, .last:
                guard let elements = Root.Output.self as? any Sequence.Type,
                    let kind = Self.kind(ofElementsOf: elements),
                    Self.kind(of: Root.Output.self) == .document
                else { throw unsupported(node) }
                return base.member([.index(collection == .first ? 0 : -1)], kind)
                    .read(as: Self.element(of: elements))
            }
        }
        if let raw = Root.Output.self as? any RawRepresentable.Type,
            Self.isRawValue(keyPath, of: raw)
        {
            guard let value = rawValue(of: base, raw, at: keyPath) else { throw unsupported(node) }
            return value
        }
        if let model = Root.Output.self as? any Model.Type, !(model is any ManagedModel.Type),
            let attribute = model.modelAttributes.first(where: { $0.isAttribute(keyPath) })
        {
            guard attribute.transform == nil else { throw Self.transformedPart("\(keyPath)") }
            return base.embedded(attribute, of: model)
        }
        if Root.Output.self is any RawRepresentable.Type, counted == nil {
            throw QueryError(
                expression: "\(keyPath)",
                explanation: "cannot be told from other properties of \(Root.Output.self); compare "
                    + "the value itself, or make \(Root.Output.self) CaseIterable"
            )
        }
        guard Self.isPlainCodable(Root.Output.self) else {
            throw unsupported(node, of: Root.Output.self)
        }
        return try Self.member(keyPath, of: Root.Output.self, base)
    }

    /// The kind of the elements of a collection; nil for what has no form in a document.
    static func kind<Elements: Sequence>(ofElementsOf type: Elements.Type) -> ColumnType? {
        kind(of: Elements.Element.self)
    }

    private static func element<Elements: Sequence>(of type: Elements.Type) -> Any.Type {
        Elements.Element.self
    }

    /// An embedded collection whose elements are gone over: the collection, a translator for what is
    /// said of an element, and the element's value.
    ///
    /// - Throws: ``QueryError`` for texts, bytes and dictionaries, and for elements of a type that
    ///   has no form in a column.
    func elements<Elements: PredicateExpression, Element>(
        of sequence: Elements,
        _ element: Element.Type
    ) throws -> (array: QueryExpression, inner: QueryTranslator, value: QueryExpression) {
        guard Self.kind(of: Elements.Output.self) == .document,
            let kind = Self.kind(of: element)
        else { throw unsupported(sequence, of: element) }
        let array = try expression(sequence)
        var inner = self
        inner.depth += 1
        let value = QueryExpression.member(.element(depth), [], kind).read(as: element)
        return (array, inner, value)
    }
}

extension QueryTranslator {
    /// What is asked of each element of an embedded collection, for which a variable stands.
    fileprivate func quantified<Elements: PredicateExpression, Element>(
        _ quantifier: QueryQuantifier,
        _ sequence: Elements,
        _ element: Element.Type,
        _ variable: PredicateExpressions.VariableID,
        _ body: some PredicateExpression
    ) throws -> QueryExpression {
        var (array, inner, value) = try elements(of: sequence, element)
        inner.variables[variable] = value
        let condition = try inner.expression(body)
        if condition.isRelated,
            let constant = sequence as? any ConstantExpression<Elements.Output>,
            let list = constant.value as? any Sequence,
            let all = try unrolled(quantifier, over: list, variable, body, in: sequence)
        {
            return all
        }
        return .quantified(quantifier, array, element: depth, condition)
    }

    /// What is asked of other tables for each value of a captured list: one condition after the other, since no
    /// table can be asked for an element of a document. Nil for what is no condition, and for elements that are
    /// documents themselves.
    private func unrolled(
        _ quantifier: QueryQuantifier,
        over list: some Sequence,
        _ variable: PredicateExpressions.VariableID,
        _ body: some PredicateExpression,
        in node: some PredicateExpression
    ) throws -> QueryExpression? {
        guard quantifier == .any || quantifier == .all else { return nil }
        let values = try constants(list, in: node)
        let isDocument = values.contains { if case .document = $0 { true } else { false } }
        if isDocument { return nil }
        let count = values.count * unrolledCount
        guard count <= Self.mostUnrolled else {
            throw QueryError(
                expression: "\(node)",
                explanation:
                    "asks other rows for each of \(count) captured values; a store is "
                    + "asked for \(Self.mostUnrolled) at most"
            )
        }
        let conditions = try values.map { value in
            var inner = self
            inner.variables[variable] = .value(value)
            inner.unrolledCount = max(count, 1)
            return try inner.expression(body)
        }
        return joined(conditions[...], quantifier == .all)
    }

    /// How many conditions captured lists become at most, one inside of another one: each asks another table.
    static let mostUnrolled = 200

    /// Conditions as one, nested as little as can be: databases limit that.
    private func joined(_ conditions: ArraySlice<QueryExpression>, _ isAll: Bool) -> QueryExpression
    {
        if conditions.count < 2 { return conditions.first ?? .value(.bool(isAll)) }
        let middle = (conditions.startIndex + conditions.endIndex) / 2
        let left = joined(conditions[..<middle], isAll)
        let right = joined(conditions[middle...], isAll)
        return isAll ? .and(left, right) : .or(left, right)
    }
}

/// What every collection has.
enum CollectionProperty {
    case count
    case isEmpty
    case first
    case last
}

extension QueryExpression {
    /// A part of a document. A part of a part is one longer path.
    func member(_ path: [QueryPathStep], _ kind: ColumnType) -> QueryExpression {
        if case .member(let base, let start, .document) = self {
            return .member(base, start + path, kind)
        }
        return .member(self, path, kind)
    }
}

extension PredicateExpressions.SequenceContainsWhere: QueryTranslatable {
    /// `$0.lines.contains { $0.count > 2 }`.
    func translated(by translator: QueryTranslator) throws -> QueryExpression {
        if let found = try translator.members(.any, of: sequence, variable.key, test) {
            return found
        }
        return try translator.quantified(
            .any,
            sequence,
            LHS.Output.Element.self,
            variable.key,
            test
        )
    }
}

extension PredicateExpressions.SequenceAllSatisfy: QueryTranslatable {
    /// `$0.lines.allSatisfy { $0.count > 2 }`.
    func translated(by translator: QueryTranslator) throws -> QueryExpression {
        if let found = try translator.members(.all, of: sequence, variable.key, test) {
            return found
        }
        return try translator.quantified(
            .all,
            sequence,
            LHS.Output.Element.self,
            variable.key,
            test
        )
    }
}

extension PredicateExpressions.Filter: QueryTranslatable {
    /// `$0.lines.filter { $0.count > 2 }.count`.
    func translated(by translator: QueryTranslator) throws -> QueryExpression {
        try translator.quantified(.filter, sequence, LHS.Output.Element.self, variable.key, filter)
    }
}

extension PredicateExpressions.SequenceMinimum: QueryTranslatable {
    /// `$0.scores.min()`.
    func translated(by translator: QueryTranslator) throws -> QueryExpression {
        let (array, _, value) = try translator.elements(of: elements, Elements.Output.Element.self)
        return .quantified(.minimum, array, element: translator.depth, value)
    }
}

extension PredicateExpressions.SequenceMaximum: QueryTranslatable {
    /// `$0.scores.max()`.
    func translated(by translator: QueryTranslator) throws -> QueryExpression {
        let (array, _, value) = try translator.elements(of: elements, Elements.Output.Element.self)
        return .quantified(.maximum, array, element: translator.depth, value)
    }
}

extension PredicateExpressions.CollectionIndexSubscript: QueryTranslatable {
    /// `$0.scores[0]`, which is missing where the collection is shorter.
    func translated(by translator: QueryTranslator) throws -> QueryExpression {
        if let captured = try translator.captured(self) { return captured }
        guard let place = (index as? any ConstantExpression<Index.Output>)?.value as? Int,
            place >= 0, QueryTranslator.kind(of: Wrapped.Output.self) == .document,
            let kind = QueryTranslator.kind(of: Wrapped.Output.Element.self)
        else { throw translator.unsupported(self, "takes an index that is no constant") }
        return try translator.expression(wrapped).member([.index(place)], kind)
            .read(as: Wrapped.Output.Element.self)
    }
}

extension PredicateExpressions.DictionaryKeyDefaultValueSubscript: QueryTranslatable {
    /// `$0.labels["en", default: ""]`.
    func translated(by translator: QueryTranslator) throws -> QueryExpression {
        guard let kind = QueryTranslator.kind(of: Default.Output.self) else {
            throw translator.unsupported(self)
        }
        guard !(Default.Output.self is any OptionalValue.Type) else {
            throw QueryError(
                expression: "\(self)",
                explanation: "null and nothing are one inside of a stored document, and only "
                    + "nothing has a default; ask for the value without one"
            )
        }
        let dictionary = try translator.expression(wrapped)
        return .coalesce(
            dictionary.member([.name(try translator.name(of: key, in: dictionary, wrapped))], kind)
                .read(as: Default.Output.self),
            try translator.expression(`default`)
        )
    }
}

extension PredicateExpressions.DictionaryKeySubscript: QueryTranslatable {
    /// `$0.labels["en"]`.
    func translated(by translator: QueryTranslator) throws -> QueryExpression {
        if let captured = try translator.captured(self) { return captured }
        guard let kind = QueryTranslator.kind(of: Value.self) else {
            throw translator.unsupported(self)
        }
        let dictionary = try translator.expression(wrapped)
        return dictionary.member(
            [.name(try translator.name(of: key, in: dictionary, wrapped))],
            kind
        )
        .read(as: Value.self)
    }
}

/// What is at a key path.
protocol PathExpression {
    /// Whether the path is that of an attribute of a model.
    var isAttributeOfModel: Bool { get }
    /// Whether it is that of the row's identifier, where the key is several columns.
    func isCompositeKey(of translator: QueryTranslator) -> Bool
}

extension PredicateExpressions.KeyPath: PathExpression {
    var isAttributeOfModel: Bool {
        (Root.Output.self as? any Model.Type)?.modelAttributes.contains {
            $0.isAttribute(keyPath)
        } ?? false
    }

    func isCompositeKey(of translator: QueryTranslator) -> Bool {
        translator.isModel(root) && IdentifierPath.isOne(keyPath, of: translator.entity)
    }
}

extension QueryTranslator {
    /// The name of a dictionary's member in the document that it is kept as.
    ///
    /// - Throws: ``QueryError`` for a key that a row says, and one that has no name there.
    fileprivate func name<Key: PredicateExpression>(
        of key: Key,
        in dictionary: QueryExpression,
        _ source: some PredicateExpression
    ) throws -> String {
        guard let value = (key as? any ConstantExpression<Key.Output>)?.value else {
            // Such as `-5`.
            guard Key.Output.self is any FixedWidthInteger.Type,
                case .value(.integer(let number)) = try expression(key).simplified(in: entity)
            else { throw unsupported(source, "is asked for a key that is no constant") }
            return "\(number)"
        }
        if let name = value as? String { return name }
        // Inside of a `Codable` type a dictionary with other keys than text and numbers is an array.
        let isMember = (source as? any PathExpression)?.isAttributeOfModel == true
        let isOfModel =
            if case .attribute = dictionary { true } else {
                isMember || value is any FixedWidthInteger
            }
        guard isOfModel, let name = (value as? any ModelKey)?.modelKey else {
            throw QueryError(
                expression: "\(Key.Output.self)",
                explanation: "is no key by which a store finds the values of this dictionary"
            )
        }
        return name
    }
}
