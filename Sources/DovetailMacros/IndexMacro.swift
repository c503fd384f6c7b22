import DovetailSyntax
import SwiftSyntax
import SwiftSyntaxMacros

/// `#Index` and `#Unique`: they tell `@Model` something and expand to nothing themselves. One that
/// no `@Model` reads is an error here.
struct IndexMacro: DeclarationMacro {
    static func expansion(
        of node: some FreestandingMacroExpansionSyntax,
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        var problems = Problems()
        IndexDeclaration.checkPlace(
            of: node,
            lexicalContext: context.lexicalContext,
            &problems
        )
        problems.diagnostics.forEach(context.diagnose)
        return []
    }
}
