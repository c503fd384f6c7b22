// Relationships to objects of all classes that conform to a model protocol. The macro sees `any P` with
// `@Relationship`, and each class of the program that conforms makes one part.

/// Describes a relationship to one object that is always there. Called by generated code.
///
/// - Parameters:
///   - coding: The protocol.
///   - object: The conversion that only protocols of classes have, which the compiler checks.
public func _anyRelationship<Root, Coding: ProtocolCoding>(
    _ name: String,
    _ keyPath: any KeyPath<Root, Coding.Value> & Sendable,
    slot: Int,
    to coding: Coding.Type,
    _ object: (Coding.Value) -> AnyObject,
    deleteRule: DeleteRule = .nullify,
    inverse: (any AnyKeyPath & Sendable)? = nil
) -> ModelRelationship? {
    parts(name, keyPath, slot, coding, (isToMany: false, isOptional: false), deleteRule, inverse)
}

/// Describes a relationship to one object or none. Called by generated code.
public func _anyRelationship<Root, Coding: ProtocolCoding>(
    _ name: String,
    _ keyPath: any KeyPath<Root, Coding.Value?> & Sendable,
    slot: Int,
    to coding: Coding.Type,
    _ object: (Coding.Value) -> AnyObject,
    deleteRule: DeleteRule = .nullify,
    inverse: (any AnyKeyPath & Sendable)? = nil
) -> ModelRelationship? {
    parts(name, keyPath, slot, coding, (isToMany: false, isOptional: true), deleteRule, inverse)
}

/// Describes a relationship to several objects. Called by generated code.
public func _anyRelationship<Root, Coding: ProtocolCoding>(
    _ name: String,
    _ keyPath: any KeyPath<Root, [Coding.Value]> & Sendable,
    slot: Int,
    to coding: Coding.Type,
    _ object: (Coding.Value) -> AnyObject,
    deleteRule: DeleteRule = .nullify,
    inverse: (any AnyKeyPath & Sendable)? = nil
) -> ModelRelationship? {
    parts(name, keyPath, slot, coding, (isToMany: true, isOptional: false), deleteRule, inverse)
}

/// The same for an optional array. Called by generated code.
public func _anyRelationship<Root, Coding: ProtocolCoding>(
    _ name: String,
    _ keyPath: any KeyPath<Root, [Coding.Value]?> & Sendable,
    slot: Int,
    to coding: Coding.Type,
    _ object: (Coding.Value) -> AnyObject,
    deleteRule: DeleteRule = .nullify,
    inverse: (any AnyKeyPath & Sendable)? = nil
) -> ModelRelationship? {
    parts(name, keyPath, slot, coding, (isToMany: true, isOptional: true), deleteRule, inverse)
}

/// A relationship for each class that conforms; nil without any.
private func parts<Coding: ProtocolCoding>(
    _ name: String,
    _ keyPath: any AnyKeyPath & Sendable,
    _ slot: Int,
    _ coding: Coding.Type,
    _ form: (isToMany: Bool, isOptional: Bool),
    _ deleteRule: DeleteRule,
    _ inverse: (any AnyKeyPath & Sendable)?
) -> ModelRelationship? {
    var requirement: String?
    if let inverse, case .requirement(let name) = Coding.requirements.match(inverse) {
        requirement = name
    }
    let part = RelationshipPart(
        coding: coding,
        type: Coding.Value.self,
        requirements: Coding.requirements,
        inverse: requirement
    )
    let all = Coding.conformers.names.managed.map { target in
        ModelRelationship(
            name,
            keyPath,
            to: target,
            isToMany: form.isToMany,
            isOptional: form.isOptional,
            deleteRule: deleteRule,
            inverse: inverse,
            slot: slot
        )
        .with(part: part)
    }
    return all.first?.with(part: part, Array(all.dropFirst()))
}
