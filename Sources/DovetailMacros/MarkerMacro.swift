import SwiftSyntax
import SwiftSyntaxMacros

/// `@Attribute`, `@Transient` and `@Fallback`: they tell `@Model` something and expand to nothing
/// themselves. ``AttributeArguments`` reads them from the declaration.
struct MarkerMacro: PeerMacro {
    static func expansion(
        of node: AttributeSyntax,
        providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        []
    }
}
