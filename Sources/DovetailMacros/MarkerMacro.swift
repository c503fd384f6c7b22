import SwiftSyntax
import SwiftSyntaxMacros

/// Attributes that only tell `@Model` something and expand to nothing themselves.
struct MarkerMacro: PeerMacro {
    static func expansion(
        of node: AttributeSyntax,
        providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        []
    }
}
