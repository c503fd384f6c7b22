import DovetailModel

// Raw values: of what a predicate has, `$0.priority.rawValue`, and at the end of a key path of an order or a column,
// `\.priority.rawValue`.

extension QueryTranslator {
    /// The raw value of what an expression is; nil for one that has no form in a column.
    func rawValue(
        of base: QueryExpression,
        _ type: any RawRepresentable.Type,
        at keyPath: AnyKeyPath
    ) -> QueryExpression? {
        // A plain `Codable` one is a document, which is the raw value.
        guard !(type is any ModelValue.Type) else { return base }
        let value = Swift.type(of: keyPath).valueType
        return Self.kind(of: (value as? any OptionalValue.Type)?.wrapped ?? value)
            .map { base.member([], $0) }
    }

    /// The raw value of an attribute, or of one of embedded models, to which a key path leads from the row; nil for a
    /// path that leads elsewhere, and where it cannot be told that it does not.
    func rawValue(at keyPath: AnyKeyPath) -> QueryExpression? {
        guard let place = RawValuePlace.of(keyPath, in: entity) else { return nil }
        var value = attribute(place.column)
        var type = Swift.type(of: entity.attributes[place.column].keyPath as AnyKeyPath).valueType
        for step in place.steps {
            let wrapped = (type as? any OptionalValue.Type)?.wrapped
            guard let model = (wrapped ?? type) as? any Model.Type else { return nil }
            let next = model.modelAttributes[step]
            value = value.embedded(next, of: model, orNil: wrapped != nil)
            type = Swift.type(of: next.keyPath as AnyKeyPath).valueType
        }
        let raw = (type as? any OptionalValue.Type)?.wrapped ?? type
        return (raw as? any RawRepresentable.Type).flatMap { rawValue(of: value, $0, at: keyPath) }
    }

    /// Whether a path leads to the raw value. That of an enum is computed, and equal to no path that
    /// is made here, so its cases are asked: what is the raw value of each is nothing else.
    static func isRawValue<Raw: RawRepresentable>(
        _ keyPath: AnyKeyPath,
        of type: Raw.Type
    ) -> Bool {
        if keyPath == \Raw.rawValue || "\(keyPath)" == "\\\(type).rawValue" { return true }
        guard let path = keyPath as? KeyPath<Raw, Raw.RawValue>,
            let cases = RawValuePlace.cases(of: type), !cases.isEmpty
        else { return false }
        return cases.allSatisfy { "\($0[keyPath: path])" == "\($0.rawValue)" }
    }
}

/// An attribute with a raw value, to which key paths lead: a column, and what is inside of the models in it.
///
/// The raw value of an enum is computed, and such a component of a path has no name, so a value of the model is made
/// for each case and asked what is there.
private struct RawValuePlace: Sendable {
    let column: Int
    /// The positions of attributes, each in the model that the one before it is.
    let steps: [Int]

    private static let known = PathMemory<RawValuePlace?>()

    /// The place to which a path leads; nil where there is none, or several that cannot be told apart.
    ///
    /// - Complexity: O(1), but the first time a row is read for each case of each enum.
    static func of(_ path: AnyKeyPath, in entity: EntityBinding) -> RawValuePlace? {
        known.answer(for: path, of: entity.type) {
            let found = entity.attributes.indices.flatMap { column in
                entity.foreignColumns.contains(column)
                    ? []
                    : places(in: entity.attributes[column], depth: 0).map {
                        RawValuePlace(column: column, steps: $0)
                    }
            }
            .filter { $0.isEnd(of: path, in: entity) }
            return found.count == 1 ? found[0] : nil
        }
    }

    /// The attributes with a raw value in one, or the one itself.
    private static func places(in attribute: ModelAttribute, depth: Int) -> [[Int]] {
        let type = wrapped(attribute)
        guard attribute.transform == nil else { return [] }
        if type is any RawRepresentable.Type { return [[]] }
        // A model can have itself in it, so the search has to end.
        guard depth < 4, attribute.columnType == .document, let model = type as? any Model.Type,
            !(model is any ManagedModel.Type)
        else { return [] }
        return model.modelAttributes.enumerated().flatMap { position, next in
            places(in: next, depth: depth + 1).map { [position] + $0 }
        }
    }

    private static func wrapped(_ attribute: ModelAttribute) -> Any.Type {
        let type = Swift.type(of: attribute.keyPath as AnyKeyPath).valueType
        return (type as? any OptionalValue.Type)?.wrapped ?? type
    }

    /// All cases of an enum that lists them.
    static func cases<Raw>(of type: Raw.Type) -> [Raw]? {
        func all<Cases: CaseIterable>(_ type: Cases.Type) -> [Raw] {
            type.allCases.compactMap { $0 as? Raw }
        }
        return (type as? any CaseIterable.Type).map { all($0) }
    }

    /// Whether a path leads here.
    private func isEnd(of path: AnyKeyPath, in entity: EntityBinding) -> Bool {
        var attribute = entity.attributes[column]
        var texts = ["\(attribute.keyPath)"]
        for step in steps {
            guard let model = Self.wrapped(attribute) as? any Model.Type else { return false }
            attribute = model.modelAttributes[step]
            let name = QueryTranslator.name(of: attribute.keyPath)
            texts = texts.flatMap { text in [".", "?.", "!."].map { text + $0 + name } }
        }
        guard let raw = Self.wrapped(attribute) as? any RawRepresentable.Type else { return false }
        return isEnd(of: path, texts, raw, entity)
    }

    private func isEnd<Raw: RawRepresentable>(
        of path: AnyKeyPath,
        _ starts: [String],
        _ raw: Raw.Type,
        _ entity: EntityBinding
    ) -> Bool {
        let value = Swift.type(of: path).valueType
        guard value == Raw.RawValue.self || value == Raw.RawValue?.self else { return false }
        let text = "\(path)"
        let ends = [".rawValue", "?.rawValue?", "?.rawValue", ".rawValue?"]
        if starts.contains(where: { start in ends.contains { text == start + $0 } }) { return true }
        guard let cases = Self.cases(of: raw), !cases.isEmpty else { return false }
        return cases.allSatisfy { one in
            guard let stored = try? Self.stored(one),
                let model = Self.value(entity.type, [column] + steps, stored)
            else { return false }
            return Self.value(at: path, of: model).map { "\($0)" } == "\(one.rawValue)"
        }
    }

    /// A value of a model that holds something at a place; nil where none is found.
    private static func value(
        _ model: any Model.Type,
        _ place: [Int],
        _ stored: QueryValue
    ) -> (any Model)? {
        guard place.count > 1 else { return PlaceholderValue.make(model, [place[0]: stored]) }
        guard let inner = wrapped(model.modelAttributes[place[0]]) as? any Model.Type,
            let part = value(inner, Array(place.dropFirst()), stored),
            let document = PlaceholderValue.document(of: part)
        else { return nil }
        return PlaceholderValue.make(model, [place[0]: document])
    }

    private static func stored(_ value: Any) throws -> QueryValue? {
        if let value = value as? any ModelValue { return try QueryValue(value) }
        guard let value = value as? any (Encodable & RawRepresentable) else { return nil }
        return try QueryValue(coded: value)
    }

    private static func value(at path: AnyKeyPath, of model: Any) -> Any? {
        guard let value = model[keyPath: path] else { return nil }
        let mirror = Mirror(reflecting: value)
        return mirror.displayStyle == .optional ? mirror.children.first?.value : value
    }
}
