/// What one class has to do with a relationship to objects of all classes that conform to a protocol.
///
/// Such a relationship, `var owner: (any Owner)?`, is one for each class that conforms: each has its own
/// column, its own inverse and its own rules, and of those to one at most one holds an object.
package struct RelationshipPart: Sendable {
    /// The protocol.
    package let coding: any ProtocolCoding.Type
    /// The type of the objects in Swift, `any Owner`.
    package let type: Any.Type
    /// The properties that the protocol requires.
    package let requirements: ModelRequirements
    /// The requirement that leads back, as `inverse:` names it; nil where it names none.
    package let inverse: String?

    /// Whether the protocol requires a property of this name.
    package func requires(_ name: String) -> Bool { requirements.names.contains(name) }
}
