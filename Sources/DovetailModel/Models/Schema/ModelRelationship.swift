/// A property of a class that holds another object, or several: what `@Relationship` says, or what
/// the type of the property says alone.
///
/// ```swift
/// @Model final class Box {
///     @Relationship(deleteRule: .cascade, inverse: \Item.box) var items: [Item] = []
/// }
/// Box.modelRelationships[0].isToMany      // true
/// ```
public struct ModelRelationship: Sendable {
    /// The name of the property.
    public let name: String
    /// The property.
    public let keyPath: any AnyKeyPath & Sendable
    /// The class of the other objects.
    public let target: any ManagedModel.Type
    /// Whether it holds several.
    public let isToMany: Bool
    /// Whether it may hold none.
    public let isOptional: Bool
    /// What becomes of the other objects when this one is deleted.
    public let deleteRule: DeleteRule
    /// The property of the other class that leads back, as it is written; nil where it is not.
    public let inverse: (any AnyKeyPath & Sendable)?
    /// What `@Relationship` says beside a rule and an inverse.
    public private(set) var options: [RelationshipOption] = []
    /// How few objects it may hold when its object is saved; nil for any number.
    public private(set) var minimumModelCount: Int?
    /// How many objects it may hold when its object is saved; nil for any number.
    public private(set) var maximumModelCount: Int?
    /// The name that it had in an earlier version; nil where the declaration gives none.
    public private(set) var originalName: String?
    /// What tells two versions of it from each other; nil where the declaration gives none.
    public private(set) var hashModifier: String?
    /// The position of the property among those that may be relationships, by which accessors name
    /// it.
    public let slot: Int
    /// What it has of the whole where it is a part of a relationship to objects of several classes; nil
    /// for others.
    package private(set) var part: RelationshipPart?
    /// The parts that come after the first one, until they are in a list.
    private(set) var others: [ModelRelationship] = []
    /// The class that declares it; nil where that has no subclasses.
    private var declaringClass: (any ManagedModel.Type)?

    /// The class that declares it.
    ///
    /// - Parameter model: The class among whose relationships it is.
    package func owner(in model: any ManagedModel.Type) -> any ManagedModel.Type {
        declaringClass ?? model
    }

    /// The same relationship, declared by a class that has subclasses or is one.
    func declared(by owner: any ManagedModel.Type) -> ModelRelationship {
        var relationship = self
        relationship.declaringClass = owner
        return relationship
    }

    /// Describes a relationship. Called by generated code.
    public init(
        _ name: String,
        _ keyPath: any AnyKeyPath & Sendable,
        to target: any ManagedModel.Type,
        isToMany: Bool,
        isOptional: Bool,
        deleteRule: DeleteRule,
        inverse: (any AnyKeyPath & Sendable)?,
        slot: Int
    ) {
        self.name = name
        self.keyPath = keyPath
        self.target = target
        self.isToMany = isToMany
        self.isOptional = isOptional
        self.deleteRule = deleteRule
        self.inverse = inverse
        self.slot = slot
    }

    /// The same relationship with what few have. Called by generated code.
    ///
    /// - Parameters:
    ///   - options: What is unlabelled.
    ///   - minimumModelCount: How few objects it may hold; nil and 0 for any number.
    ///   - maximumModelCount: How many objects it may hold; nil and 0 for any number.
    ///   - originalName: The name that it had in an earlier version.
    ///   - hashModifier: What tells two versions of it from each other.
    public func with(
        options: [RelationshipOption] = [],
        minimumModelCount: Int? = nil,
        maximumModelCount: Int? = nil,
        originalName: String? = nil,
        hashModifier: String? = nil
    ) -> ModelRelationship {
        var relationship = self
        relationship.options = options
        relationship.minimumModelCount = minimumModelCount == 0 ? nil : minimumModelCount
        relationship.maximumModelCount = maximumModelCount == 0 ? nil : maximumModelCount
        relationship.originalName = originalName
        relationship.hashModifier = hashModifier
        relationship.others = others.map {
            $0.with(
                options: options,
                minimumModelCount: minimumModelCount,
                maximumModelCount: maximumModelCount,
                originalName: originalName,
                hashModifier: hashModifier
            )
        }
        return relationship
    }

    /// The same relationship as a part of one to objects of several classes.
    func with(part: RelationshipPart, _ others: [ModelRelationship] = []) -> ModelRelationship {
        var relationship = self
        relationship.part = part
        relationship.others = others
        return relationship
    }

    /// The relationship, or all of its parts.
    var parts: [ModelRelationship] {
        var first = self
        first.others = []
        return [first] + others
    }

    /// What a column is named after that holds keys of the objects.
    package var columnName: String {
        part == nil ? name : "\(name)$\(target.ownTable)"
    }
}

/// What `@Relationship` can say about a property without a label.
public struct RelationshipOption: Hashable, Sendable, CustomStringConvertible {
    /// The option's name, as it is written in `@Relationship`.
    public let description: String

    /// No two objects hold the same one. Saving a second one throws ``StoreError`` of the kind
    /// `uniqueViolation`. A relationship to several, and one whose inverse holds one object, is so
    /// already.
    public static let unique = RelationshipOption(description: "unique")
}
