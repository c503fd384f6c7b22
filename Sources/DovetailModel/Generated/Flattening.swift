// What generated code calls for models that are flattened in others, beside their slots
// (Features/Flattened).

extension ModelReader {
    /// The names of an object in which models are flattened. Called by generated code.
    ///
    /// - Throws: ``ModelDecodingError`` with the kind `rejected` when two fields have one name.
    @inlinable
    @inline(__always)
    public mutating func checkedNames(_ names: FlattenedNames) throws -> FlattenedNames {
        if !names.isValid { throw clash(of: names) }
        return names
    }

    @usableFromInline
    mutating func clash(of names: FlattenedNames) -> ModelDecodingError {
        error(
            .rejected,
            expected: "a model with one field of each name",
            found: names.problem ?? "",
            at: cursor
        )
    }

    /// The error that a required field of a flattened model is absent. Called by generated code.
    ///
    /// - Parameters:
    ///   - path: The field's path in a document of the model alone, as errors print it.
    ///   - names: What its fields are named in the object.
    @inline(never)
    public mutating func missingField(
        path: StaticString,
        names: FlattenedNames,
        in object: ObjectScope
    ) -> ModelDecodingError {
        let own = names.names.first { DocumentPath.component(of: $0.own) == path.description }
        let name = own.map { DocumentPath.component(of: names.documentName(of: $0.own)) }
        return missing(name ?? path.description, in: object)
    }

    /// The error that an object has none of the fields of a flattened enum. Called by generated code.
    ///
    /// - Parameter cases: What the fields are named in a document of the enum alone.
    @inline(never)
    public mutating func missingCase(
        _ cases: [StaticString],
        names: FlattenedNames,
        in object: ObjectScope
    ) -> ModelDecodingError {
        let fields = cases.map { names.documentName(of: $0.description) }
        let list = fields.map { "\"\($0)\"" }.joined(separator: ", ")
        guard object.isRow else {
            return error(
                .missingField,
                expected: "one of \(list)",
                found: "no such field",
                at: object.start
            )
        }
        var error = ModelDecodingError(
            kind: .missingField,
            path: fields.first.map { DocumentPath.component(of: $0) } ?? "",
            expected: "a value in one of the columns \(list)",
            found: "none"
        )
        error.table = self.fields?.table
        return error
    }
}

extension ModelWriter {
    /// The names of an object in which models are flattened. Called by generated code.
    ///
    /// - Throws: ``ModelEncodingError`` with the kind `rejected` when two fields have one name.
    @inlinable
    @inline(__always)
    public func checkedNames(_ names: FlattenedNames) throws -> FlattenedNames {
        if !names.isValid { throw Self.clash(of: names) }
        return names
    }

    @usableFromInline
    static func clash(of names: FlattenedNames) -> ModelEncodingError {
        ModelEncodingError(
            kind: .rejected,
            explanation: "two fields have one name: \(names.problem ?? "")"
        )
    }
}

/// The attributes of a model in which others are flattened. Called by generated code.
public func _joined(_ parts: [[ModelAttribute]]) -> [ModelAttribute] { parts.flatMap(\.self) }

/// The attributes of a flattened model as those of the one around it. Called by generated code.
///
/// - Parameters:
///   - property: The property's name in Swift.
///   - identifier: The `id` of the model around it, where no attribute of its own is the key: the key of
///     the flattened model is its key then.
public func _flattened<Root, Value: FlattenedValue>(
    _ keyPath: any KeyPath<Root, Value> & Sendable,
    _ property: StaticString,
    prefix: StaticString? = nil,
    identifier: (any AnyKeyPath & Sendable)? = nil
) -> [ModelAttribute] {
    let attributes = Value.flattenedModel.flattenedAttributes
    let identifier = attributes.count(where: \.isPrimaryKey) == 1 ? identifier : nil
    return attributes.map { attribute in
        attribute.flattened(
            in: keyPath,
            property: property.description,
            prefix: prefix?.description,
            isOptional: Value.self is any OptionalValue.Type,
            identifier: identifier
        )
    }
}

/// The column of a case of an enum that can be flattened. Called by generated code.
public func _flattenedCase<Value>(_ name: StaticString, _ type: Value.Type) -> ModelAttribute {
    ModelAttribute(
        hidden: name.description,
        \Never.self,
        type: (type as? any ModelValue.Type)?.columnType ?? .document,
        isOptional: true
    )
    .asCase()
}

/// The same for a value with a coding. Called by generated code.
public func _flattenedCase<Coding: ModelCoding>(
    _ name: StaticString,
    by coding: Coding.Type
) -> ModelAttribute {
    ModelAttribute(
        hidden: name.description,
        \Never.self,
        type: coding.column.type,
        isOptional: true
    )
    .asCase()
}

extension ModelReader {
    /// Makes sure that no column of another case held a value. Called by generated code, before the
    /// column of a case is read.
    ///
    /// - Throws: ``ModelDecodingError`` about the column with the kind `unknownCase`.
    @inlinable
    public mutating func expectFirstColumn<Value>(_ value: Value?) throws {
        if case .some = value { throw secondColumn(of: Value.self) }
    }

    @usableFromInline
    mutating func secondColumn(of type: Any.Type) -> ModelDecodingError {
        column &+= 1
        return rowError(.unknownCase, expected: "one case of \(type)", found: "a second one")
    }
}
