import SwiftSyntax

/// A property that a protocol requires, to which generated code can make a key path.
public struct ProtocolRequirement {
    /// The name in the source, with backticks where the source has them.
    public let name: String

    /// The name without backticks.
    public var plainName: String { name.replacingBackticks }

    /// The requirements of a protocol that a key path from `any P` can have: properties of instances
    /// with a plain getter, whose types name neither `Self` nor an associated type (the compiler ends
    /// with a failed assertion there), and which belong to no actor.
    static func all(in protocolNode: ProtocolDeclSyntax) -> [Self] {
        guard protocolNode.attributes.allSatisfy({ !$0.namesActor }) else { return [] }
        let members = protocolNode.memberBlock.members.map(\.decl)
        let associated = members.compactMap { $0.as(AssociatedTypeDeclSyntax.self)?.name.text }
        let unknown = Self.inheritedTypes.union(associated)
        return members.compactMap { $0.as(VariableDeclSyntax.self) }.flatMap { variable in
            guard variable.attributes.isEmpty,
                !variable.modifiers.contains(where: { $0.name.isOneOf(.static, .class) })
            else { return [Self]() }
            return variable.bindings.compactMap { binding in
                guard case .accessors(let accessors) = binding.accessorBlock?.accessors,
                    accessors.allSatisfy(\.isPlain),
                    let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.text,
                    let type = binding.typeAnnotation?.type,
                    !type.tokens(viewMode: .sourceAccurate).contains(where: {
                        unknown.contains($0.text)
                    })
                else { return nil }
                return Self(name: name)
            }
        }
    }

    /// `Self`, and the associated types of the standard library's protocols that a protocol may
    /// refine.
    private static let inheritedTypes: Set = ["Self", "ID", "RawValue", "Element", "Index"]

    /// Protocols of the standard library and Foundation. They are no model protocols, and none of
    /// their properties can be one of a model's columns by mistake: their modules have a stable ABI,
    /// by which requirements are told apart.
    static let knownParents: Set = [
        "AnyObject", "Codable", "Comparable", "CustomDebugStringConvertible",
        "CustomStringConvertible", "Decodable", "Encodable", "Equatable", "Error", "Hashable",
        "Identifiable", "LocalizedError", "Sendable", "SendableMetatype",
    ]
}

extension AttributeListSyntax.Element {
    /// Whether an attribute is one of a global actor, as far as its name tells.
    fileprivate var namesActor: Bool {
        let name = self.as(AttributeSyntax.self)?.attributeName.trimmedDescription ?? ""
        return name.hasSuffix("Actor")
    }
}

extension AccessorDeclSyntax {
    /// Whether it is `get` without effects, or `set`.
    fileprivate var isPlain: Bool {
        accessorSpecifier.isOneOf(.set)
            || accessorSpecifier.isOneOf(.get) && effectSpecifiers == nil && modifier == nil
    }
}
