import DovetailModel
import Foundation

// Key paths of orders and columns, each of which is one path from the row to the value. In predicates
// each component is an expression of its own (`PredicateExpressions+Documents.swift`).

extension QueryTranslator {
    /// The attribute at a key path, or a part of it for a path of several components: a member of
    /// embedded models, an attribute of an object that relationships to one lead to, and the `count`
    /// and `isEmpty` of text and collections.
    ///
    /// - Throws: ``QueryError`` for what is stored nowhere, or through a transform.
    package func attribute(at keyPath: AnyKeyPath) throws -> QueryExpression {
        if let column = try storedColumn(of: keyPath) {
            guard entity.attributes[column].transform == nil else {
                throw Self.transformed("\(keyPath)")
            }
            return attribute(column)
        }
        // What comes after the key of another object is an attribute of that.
        let keys = entity.relationshipColumns.compactMap { part in
            if case .key(_, let column) = part { column } else { nil }
        }
        for (column, attribute) in entity.attributes.enumerated() where !keys.contains(column) {
            let found = try Self.part(
                at: keyPath,
                after: attribute.keyPath,
                self.attribute(column),
                depth: 0
            )
            if let found { return found }
        }
        if let components = KeyPathComponent.all(of: keyPath),
            let found = try attribute(at: components[...], of: keyPath)
        {
            return found
        }
        let text = "\(keyPath)"
        let start = "\\\(Swift.type(of: keyPath).rootType)."
        let end = PathEnd(keyPath)
        if let found = try attribute(named: text, after: start, to: end, depth: 0) { return found }
        if let found = rawValue(at: keyPath) { return found }
        throw notStored(keyPath)
    }

    /// What a key path that leads to no attribute throws. What generic code says of the requirement of a
    /// protocol looks like any computed property: it may be one.
    func notStored(_ keyPath: AnyKeyPath) -> QueryError {
        let type = Swift.type(of: keyPath).valueType
        if ((type as? any OptionalValue.Type)?.wrapped ?? type) is any FlattenableModel.Type {
            return QueryError(
                expression: "\(keyPath)",
                explanation:
                    "has no column of its own: it is flattened, with one for each of its attributes; name "
                    + "one of them"
            )
        }
        let (text, start) = ("\(keyPath)", "\\\(Swift.type(of: keyPath).rootType).")
        let isOfSeveral = entity.links.contains { link in
            link.relationship.isToMany
                && text.hasPrefix(start + Self.name(of: link.relationship.keyPath) + ".")
        }
        if isOfSeveral {
            return QueryError(
                expression: text,
                explanation: "is about the objects of a relationship to several, for which a "
                    + "predicate may ask; to order rows by it, keep it in an attribute"
            )
        }
        let isEmbedded = entity.attributes.contains { attribute in
            let path = attribute.keyPath as AnyKeyPath
            guard attribute.columnType == .document else { return false }
            let name = start + Self.name(of: path)
            return [".", "?.", "!."].contains { text.hasPrefix(name + $0) }
        }
        if isEmbedded {
            return QueryError(
                expression: text,
                explanation: "is in a value that has one column as a whole: set or name that"
            )
        }
        return QueryError(
            expression: text,
            explanation: "is not a stored attribute of \(entity.table); it is computed, or generic "
                + "code names the requirement of a protocol, which does not say what fulfils it: "
                + "hand the key path of the model to such code"
        )
    }

    /// The attribute of an object to which relationships to one lead (`\.owner?.name`): no path that is made
    /// here is equal to one through an optional, so the components are compared. Nil for what leads elsewhere.
    private func attribute(
        at components: ArraySlice<KeyPathComponent>,
        of path: AnyKeyPath
    ) throws -> QueryExpression? {
        guard let first = components.first else { return nil }
        // What was no optional is one after `?.`.
        let rest = components.dropFirst().drop { !$0.isProperty }
        if rest.isEmpty {
            let column = entity.attributes.indices.first { column in
                !entity.foreignColumns.contains(column)
                    && first.reads(entity.attributes[column].keyPath)
            }
            guard let column else { return nil }
            guard entity.attributes[column].transform == nil else {
                throw Self.transformed("\(path)")
            }
            return attribute(column)
        }
        let link = entity.links.indices.first { index in
            let relationship = entity.links[index].relationship
            return !relationship.isToMany && relationship.part == nil
                && first.reads(relationship.keyPath)
        }
        guard let link, let schema else { return nil }
        let target = try schema.entity(entity.links[link].relationship.target)
        guard let object = RelatedObject(of: entity, link, target) else { return nil }
        let inner = QueryTranslator(target, in: schema)
        return try inner.attribute(at: rest, of: path).map { object.value($0) }
    }

    /// The value at a path through optionals of which not all components can be compared, as of a part of an
    /// embedded model: they are compared by what they are called.
    ///
    /// - Parameters:
    ///   - text: The description of the whole path.
    ///   - start: What of it leads to the row.
    ///   - end: What it leads to.
    ///   - depth: How many relationships that is.
    private func attribute(
        named text: String,
        after start: String,
        to end: PathEnd,
        depth: Int
    ) throws -> QueryExpression? {
        // Before the attributes, among which the keys are that rows hold of other objects.
        for (index, link) in entity.links.enumerated() where depth < 8 {
            let relationship = link.relationship
            guard !relationship.isToMany, relationship.part == nil, let schema else { continue }
            let longer = start + Self.name(of: relationship.keyPath)
            guard text.hasPrefix(longer) else { continue }
            let target = try schema.entity(relationship.target)
            guard let object = RelatedObject(of: entity, index, target) else { continue }
            let inner = QueryTranslator(target, in: schema)
            for link in [".", "?.", "!."] where text.hasPrefix(longer + link) {
                let found = try inner.attribute(
                    named: text,
                    after: longer + link,
                    to: end,
                    depth: depth + 1
                )
                if let found { return object.value(found) }
            }
        }
        for (column, attribute) in entity.attributes.enumerated()
        where !entity.foreignColumns.contains(column) {
            let path = attribute.keyPath as AnyKeyPath
            let longer = start + Self.name(of: path)
            guard text.hasPrefix(longer) else { continue }
            if depth > 0, Self.isEnd(longer, of: text) {
                guard attribute.transform == nil else { throw Self.transformed(text) }
                return self.attribute(column)
            }
            let found = try Self.part(
                named: text,
                after: longer,
                Swift.type(of: path).valueType,
                self.attribute(column),
                to: end,
                depth: 0
            )
            if let found { return found }
        }
        return nil
    }

    /// What the description of a path of one component says after the type. Of a computed property
    /// that is its name only where the program has symbols; it is the same in each description anyhow.
    static func name(of path: AnyKeyPath) -> String {
        let (text, start) = ("\(path)", "\\\(Swift.type(of: path).rootType).")
        return text.hasPrefix(start) ? String(text.dropFirst(start.count)) : text
    }

    /// Whether a path leads no further. What was no optional is one after `?.`.
    private static func isEnd(_ path: String, of text: String) -> Bool {
        text == path || text == path + "?"
    }

    /// The part at a path through optionals that begins with an attribute; nil where it does not.
    private static func part(
        named text: String,
        after start: String,
        _ type: Any.Type,
        _ expression: @autoclosure () -> QueryExpression,
        to end: PathEnd,
        depth: Int
    ) throws -> QueryExpression? {
        guard depth < 4, text.hasPrefix(start) else { return nil }
        let wrapped = (type as? any OptionalValue.Type)?.wrapped
        if isPlainCodable(wrapped ?? type) {
            // Of a path of more steps nobody knows the types between.
            let links = wrapped == nil ? ["."] : ["?.", "!."]
            let expression = expression()
            return links.lazy.filter { text.hasPrefix(start + $0) }
                .compactMap { link in
                    var name = text.dropFirst(start.count + link.count)
                    if name.hasSuffix("?") { name.removeLast() }
                    return member(named: String(name), end.type, of: wrapped ?? type, expression)
                }
                .first
        }
        if let counted = (wrapped ?? type) as? any CountedCollection.Type {
            // What the property is called is another thing in each module.
            let found = counted.ends.first { end.component?.reads($0.path) == true }
            return found.map { .call($0.function, [expression()]) }
        }
        guard let model = (wrapped ?? type) as? any Model.Type else { return nil }
        for next in model.modelAttributes {
            for link in wrapped == nil ? ["."] : ["?.", "!."] {
                let longer = start + link + name(of: next.keyPath)
                func member() -> QueryExpression {
                    expression().embedded(next, of: model, orNil: wrapped != nil)
                }
                if isEnd(longer, of: text) {
                    guard next.transform == nil else { throw transformedPart(text) }
                    return member()
                }
                let found = try part(
                    named: text,
                    after: longer,
                    Swift.type(of: next.keyPath as AnyKeyPath).valueType,
                    member(),
                    to: end,
                    depth: depth + 1
                )
                if let found { return found }
            }
        }
        return nil
    }

    /// The part at a path that begins with an attribute; nil where it does not.
    private static func part(
        at path: AnyKeyPath,
        after start: AnyKeyPath,
        _ expression: @autoclosure () -> QueryExpression,
        depth: Int
    ) throws -> QueryExpression? {
        if let counted = Swift.type(of: start).valueType as? any CountedCollection.Type {
            let end = counted.ends.first { start.appending(path: $0.path) == path }
            return end.map { .call($0.function, [expression()]) }
        }
        // A model can have itself in it, so the search has to end.
        guard depth < 4, let model = Swift.type(of: start).valueType as? any Model.Type else {
            return nil
        }
        for next in model.modelAttributes {
            guard let longer = start.appending(path: next.keyPath) else { continue }
            if longer == path {
                guard next.transform == nil else { throw transformedPart("\(path)") }
                return expression().embedded(next, of: model)
            }
            let found = try part(
                at: path,
                after: longer,
                expression().embedded(next, of: model),
                depth: depth + 1
            )
            if let found { return found }
        }
        return nil
    }

    static func transformedPart(_ expression: String) -> QueryError {
        QueryError(
            expression: expression,
            explanation: "is written through a transform inside of an embedded model, where no "
                + "store can compare it; an attribute with a column of its own can be, as one of a "
                + "flattened model"
        )
    }

    static func transformed(_ expression: String) -> QueryError {
        QueryError(
            expression: expression,
            explanation: "is stored through a transform; compare it with constants only"
        )
    }
}

/// What a key path leads to.
private struct PathEnd {
    /// Its type.
    let type: Any.Type
    /// The property that is read last; nil where the components of the path are not known.
    let component: KeyPathComponent?

    init(_ path: AnyKeyPath) {
        type = Swift.type(of: path).valueType
        component = KeyPathComponent.all(of: path)?.last { $0.kind != .wrap }
    }
}

/// Collections and text, whose `count` and `isEmpty` are paths of their own.
protocol CountedCollection: Collection {
    /// The paths, and the functions that they are.
    static var ends: [(path: AnyKeyPath, function: QueryFunction)] { get }
}

extension CountedCollection {
    /// What a path of the collection is; nil for all others.
    static func property(_ keyPath: AnyKeyPath) -> CollectionProperty? {
        switch ends.first(where: { $0.path == keyPath })?.function {
        case .count?: .count
        case .isEmpty?: .isEmpty
        default: nil
        }
    }
}

extension String: CountedCollection {
    static var ends: [(path: AnyKeyPath, function: QueryFunction)] {
        [(\Self.count, .count), (\Self.isEmpty, .isEmpty)]
    }
}

extension Data: CountedCollection {
    static var ends: [(path: AnyKeyPath, function: QueryFunction)] {
        [(\Self.count, .count), (\Self.isEmpty, .isEmpty)]
    }
}

extension Array: CountedCollection {
    static var ends: [(path: AnyKeyPath, function: QueryFunction)] {
        [(\Self.count, .count), (\Self.isEmpty, .isEmpty)]
    }
}

extension Dictionary: CountedCollection {
    static var ends: [(path: AnyKeyPath, function: QueryFunction)] {
        [(\Self.count, .count), (\Self.isEmpty, .isEmpty)]
    }
}

extension Set: CountedCollection {
    static var ends: [(path: AnyKeyPath, function: QueryFunction)] {
        [(\Self.count, .count), (\Self.isEmpty, .isEmpty)]
    }
}
