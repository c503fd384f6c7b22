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

    /// The raw value of an attribute, to which a key path leads from the row; nil for a path that leads elsewhere, and
    /// where it cannot be told that it does not.
    func rawValue(at keyPath: AnyKeyPath) -> QueryExpression? {
        guard let column = RawValuePaths.column(of: keyPath, in: entity),
            entity.attributes[column].transform == nil,
            let raw = RawValuePaths.type(of: entity.attributes[column])
        else { return nil }
        return rawValue(of: attribute(column), raw, at: keyPath)
    }

    /// Whether a path leads to the raw value. That of an enum is computed, and equal to no path that
    /// is made here, so its cases are asked: what is the raw value of each is nothing else.
    static func isRawValue<Raw: RawRepresentable>(
        _ keyPath: AnyKeyPath,
        of type: Raw.Type
    ) -> Bool {
        if keyPath == \Raw.rawValue || "\(keyPath)" == "\\\(type).rawValue" { return true }
        guard let path = keyPath as? KeyPath<Raw, Raw.RawValue>,
            let cases = RawValuePaths.cases(of: type), !cases.isEmpty
        else { return false }
        return cases.allSatisfy { "\($0[keyPath: path])" == "\($0.rawValue)" }
    }
}

/// What key paths from a model to the raw value of an attribute lead to. Of an enum it is computed, and such a
/// component has no name, so a value of the model is made for each case and asked what is there.
private enum RawValuePaths {
    private static let known = PathMemory<Int?>()

    /// The attribute; nil where there is none, or several that cannot be told apart.
    ///
    /// - Complexity: O(1), but the first time a row is read for each case of an enum.
    static func column(of path: AnyKeyPath, in entity: EntityBinding) -> Int? {
        known.answer(for: path, of: entity.type) {
            let found = entity.attributes.indices.filter { column in
                guard !entity.foreignColumns.contains(column),
                    let raw = type(of: entity.attributes[column])
                else { return false }
                return leads(path, to: raw, in: column, of: entity)
            }
            return found.count == 1 ? found[0] : nil
        }
    }

    /// The type of an attribute that has a raw value; nil for all others.
    static func type(of attribute: ModelAttribute) -> (any RawRepresentable.Type)? {
        let type = Swift.type(of: attribute.keyPath as AnyKeyPath).valueType
        return ((type as? any OptionalValue.Type)?.wrapped ?? type) as? any RawRepresentable.Type
    }

    /// All cases of an enum that lists them.
    static func cases<Raw>(of type: Raw.Type) -> [Raw]? {
        func all<Cases: CaseIterable>(_ type: Cases.Type) -> [Raw] {
            type.allCases.compactMap { $0 as? Raw }
        }
        return (type as? any CaseIterable.Type).map { all($0) }
    }

    private static func leads<Raw: RawRepresentable>(
        _ path: AnyKeyPath,
        to raw: Raw.Type,
        in column: Int,
        of entity: EntityBinding
    ) -> Bool {
        let value = Swift.type(of: path).valueType
        guard value == Raw.RawValue.self || value == Raw.RawValue?.self else { return false }
        let (text, start) = ("\(path)", "\(entity.attributes[column].keyPath)")
        if [".rawValue", "?.rawValue?", "?.rawValue"].contains(where: { text == start + $0 }) {
            return true
        }
        guard let cases = cases(of: raw), !cases.isEmpty else { return false }
        return cases.allSatisfy { one in
            guard let stored = try? stored(one),
                let model = PlaceholderValue.make(entity.type, [column: stored])
            else { return false }
            return self.value(at: path, of: model).map { "\($0)" } == "\(one.rawValue)"
        }
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
