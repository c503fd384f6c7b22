import SwiftSyntax
import SwiftSyntaxMacros

/// Ends an initializer of a class by handing what it has set to the relationships, so that both
/// sides of one know each other when it returns.
struct ManagedInitializerMacro: BodyMacro {
    static var formatMode: FormatMode { .disabled }

    static func expansion(
        of node: AttributeSyntax,
        providingBodyFor declaration: some DeclSyntaxProtocol & WithOptionalCodeBlockSyntax,
        in context: some MacroExpansionContext
    ) throws -> [CodeBlockItemSyntax] {
        guard let body = declaration.body else { return [] }
        return Array(body.statements)
            + [CodeBlockItemSyntax(item: .expr(RawSource.expression("\n_$link()")))]
    }
}
