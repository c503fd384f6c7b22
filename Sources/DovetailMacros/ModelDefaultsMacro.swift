import DovetailSyntax
import SwiftSyntax
import SwiftSyntaxMacros

/// `@ModelDefaults`: it expands to nothing. `@Model` reads it from its surroundings; what is wrong with
/// its arguments is reported here, once for all models.
struct ModelDefaultsMacro: PeerMacro {
    static func expansion(
        of node: AttributeSyntax,
        providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        var problems = Problems()
        checkModelDefaults(node, &problems)
        problems.diagnostics.forEach(context.diagnose)
        return []
    }
}
