// A macro sees the name of a property's type and not whether that is a class with `@Model`. Overload
// resolution does: what is generated for such a property is chosen by these functions.

/// Whether a slot is for an attribute, and not for another object. Called by generated code.
@_disfavoredOverload
@inlinable
@inline(__always)
public func _isPlain<Value>(_ slot: Value?) -> Bool { true }

/// The same for an object. Called by generated code.
@inlinable
@inline(__always)
public func _isPlain<Object: ManagedModel>(_ slot: Object?) -> Bool { false }

/// The same for an optional object. Called by generated code.
@inlinable
@inline(__always)
public func _isPlain<Object: ManagedModel>(_ slot: Object??) -> Bool { false }

/// The same for objects. Called by generated code.
@inlinable
@inline(__always)
public func _isPlain<Object: ManagedModel>(_ slot: [Object]?) -> Bool { false }

/// The same for optional objects. Called by generated code.
@inlinable
@inline(__always)
public func _isPlain<Object: ManagedModel>(_ slot: [Object]??) -> Bool { false }

/// The attributes among what is described. Called by generated code.
public func _attributes(_ described: [ModelAttribute?]) -> [ModelAttribute] {
    described.compactMap(\.self)
}

/// Describes an attribute. Called by generated code.
@_disfavoredOverload
public func _attribute<Root, Value>(
    _ name: StaticString,
    _ keyPath: any KeyPath<Root, Value> & Sendable,
    path: StaticString? = nil
) -> ModelAttribute? {
    ModelAttribute(name, keyPath, path: path)
}

/// An object is no attribute. Called by generated code.
public func _attribute<Root, Object: ManagedModel>(
    _ name: StaticString,
    _ keyPath: any KeyPath<Root, Object> & Sendable,
    path: StaticString? = nil
) -> ModelAttribute? { nil }

/// The same for an optional object. Called by generated code.
public func _attribute<Root, Object: ManagedModel>(
    _ name: StaticString,
    _ keyPath: any KeyPath<Root, Object?> & Sendable,
    path: StaticString? = nil
) -> ModelAttribute? { nil }

/// The same for objects. Called by generated code.
public func _attribute<Root, Object: ManagedModel>(
    _ name: StaticString,
    _ keyPath: any KeyPath<Root, [Object]> & Sendable,
    path: StaticString? = nil
) -> ModelAttribute? { nil }

/// The same for optional objects. Called by generated code.
public func _attribute<Root, Object: ManagedModel>(
    _ name: StaticString,
    _ keyPath: any KeyPath<Root, [Object]?> & Sendable,
    path: StaticString? = nil
) -> ModelAttribute? { nil }

/// The relationships among what is described. Called by generated code.
public func _relationships(_ described: [ModelRelationship?]) -> [ModelRelationship] {
    described.flatMap { $0?.parts ?? [] }
}

/// The same for a class that has subclasses or is one. Called by generated code.
///
/// - Parameter owner: The class that declares them.
public func _relationships(
    _ described: [ModelRelationship?],
    of owner: any ManagedModel.Type
) -> [ModelRelationship] {
    _relationships(described).map { $0.declared(by: owner) }
}

/// Whether an object is of a class itself, and not of a subclass. Called by generated code.
@inlinable
public func _isOwnClass(of object: AnyObject, _ type: any ManagedModel.Type) -> Bool {
    Swift.type(of: object) == type
}

/// An attribute is no relationship. Called by generated code.
@_disfavoredOverload
public func _relationship<Root, Value>(
    _ name: String,
    _ keyPath: any KeyPath<Root, Value> & Sendable,
    slot: Int,
    deleteRule: DeleteRule = .nullify,
    inverse: (any AnyKeyPath & Sendable)? = nil
) -> ModelRelationship? { nil }

/// Describes a relationship to one object that is always there. Called by generated code.
public func _relationship<Root, Object: ManagedModel>(
    _ name: String,
    _ keyPath: any KeyPath<Root, Object> & Sendable,
    slot: Int,
    deleteRule: DeleteRule = .nullify,
    inverse: (any AnyKeyPath & Sendable)? = nil
) -> ModelRelationship? {
    ModelRelationship(
        name,
        keyPath,
        to: Object.self,
        isToMany: false,
        isOptional: false,
        deleteRule: deleteRule,
        inverse: inverse,
        slot: slot
    )
}

/// Describes a relationship to one object or none. Called by generated code.
public func _relationship<Root, Object: ManagedModel>(
    _ name: String,
    _ keyPath: any KeyPath<Root, Object?> & Sendable,
    slot: Int,
    deleteRule: DeleteRule = .nullify,
    inverse: (any AnyKeyPath & Sendable)? = nil
) -> ModelRelationship? {
    ModelRelationship(
        name,
        keyPath,
        to: Object.self,
        isToMany: false,
        isOptional: true,
        deleteRule: deleteRule,
        inverse: inverse,
        slot: slot
    )
}

/// Describes a relationship to several objects. Called by generated code.
public func _relationship<Root, Object: ManagedModel>(
    _ name: String,
    _ keyPath: any KeyPath<Root, [Object]> & Sendable,
    slot: Int,
    deleteRule: DeleteRule = .nullify,
    inverse: (any AnyKeyPath & Sendable)? = nil
) -> ModelRelationship? {
    ModelRelationship(
        name,
        keyPath,
        to: Object.self,
        isToMany: true,
        isOptional: false,
        deleteRule: deleteRule,
        inverse: inverse,
        slot: slot
    )
}

/// The same for an optional array. Called by generated code.
public func _relationship<Root, Object: ManagedModel>(
    _ name: String,
    _ keyPath: any KeyPath<Root, [Object]?> & Sendable,
    slot: Int,
    deleteRule: DeleteRule = .nullify,
    inverse: (any AnyKeyPath & Sendable)? = nil
) -> ModelRelationship? {
    ModelRelationship(
        name,
        keyPath,
        to: Object.self,
        isToMany: true,
        isOptional: true,
        deleteRule: deleteRule,
        inverse: inverse,
        slot: slot
    )
}

/// Describes a relationship to several objects of the own class that leads back itself. Called by
/// generated code.
public func _relationship<Root, Object: ManagedModel>(
    _ name: String,
    _ keyPath: any KeyPath<Root, [Object]> & Sendable,
    slot: Int,
    deleteRule: DeleteRule = .nullify,
    inverse: RelationshipInverse
) -> ModelRelationship? {
    _relationship(name, keyPath, slot: slot, deleteRule: deleteRule, inverse: keyPath)
}

/// The same for an optional array. Called by generated code.
public func _relationship<Root, Object: ManagedModel>(
    _ name: String,
    _ keyPath: any KeyPath<Root, [Object]?> & Sendable,
    slot: Int,
    deleteRule: DeleteRule = .nullify,
    inverse: RelationshipInverse
) -> ModelRelationship? {
    _relationship(name, keyPath, slot: slot, deleteRule: deleteRule, inverse: keyPath)
}

/// An empty slot for the property at a key path, whose type nothing says. Called by generated code.
public func _slot<Root, Value>(of keyPath: KeyPath<Root, Value>) -> Value? { nil }

extension ModelReader {
    /// Whether models that are read now may lack the objects that they refer to: a row has them in
    /// columns of its own, and of a document somebody else reads them. Called by generated code.
    @inlinable public var leavesOutObjects: Bool { isRow || state.leavesOutObjects }

    /// Reads a value whose models may lack the objects that they refer to.
    ///
    /// - Throws: what `body` throws.
    package mutating func leavingOutObjects<Value>(
        _ body: (inout ModelReader) throws -> Value
    ) throws -> Value {
        let known = state.leavesOutObjects
        state.leavesOutObjects = true
        defer { state.leavesOutObjects = known }
        return try body(&self)
    }

    /// Reads a model of a document, without the objects that it refers to.
    ///
    /// - Throws: ``ModelDecodingError`` with the path inside of the document.
    package static func decodeAlone<Value: Model>(
        _ type: Value.Type,
        from document: ModelDocument
    ) throws -> Value {
        try decode(tree: document) { reader in
            try reader.leavingOutObjects { try Value(modelValue: &$0) }
        }
    }

    /// An attribute is no relationship: it is read as such. Called by generated code.
    @_disfavoredOverload
    public mutating func readRelationship<Value>(
        _ slot: inout Value?,
        _ name: StaticString
    ) throws {}
}
