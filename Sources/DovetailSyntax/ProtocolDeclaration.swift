public import SwiftSyntax

/// A protocol with `@ModelProtocol`.
public struct ProtocolDeclaration {
    /// The protocol's name.
    public let name: String
    /// The access level of generated declarations, with a space behind it, or nothing.
    public let access: String
    /// The type key, when it is given.
    public let typeKey: String?
    /// The protocols that it refines.
    public let parents: [String]

    /// Reads a declaration; nil when it has problems.
    public init?(
        _ declaration: some SyntaxProtocol,
        macro: AttributeSyntax,
        _ problems: inout Problems
    ) {
        guard let node = declaration.as(ProtocolDeclSyntax.self) else {
            problems.add(.notAProtocol, at: macro)
            return nil
        }
        name = node.name.text
        access = AccessLevel.ofPeers(in: node.modifiers)
        parents =
            node.inheritanceClause?.inheritedTypes.map { $0.type.trimmedDescription } ?? []
        var typeKey: String?
        if case .argumentList(let arguments) = macro.arguments {
            for argument in arguments where argument.label?.text == "typeKey" {
                typeKey = argument.expression.literalText
                if typeKey == nil { problems.add(.nameIsNoLiteral, at: argument.expression) }
            }
        }
        self.typeKey = typeKey
        if !problems.isEmpty { return nil }
    }
}
