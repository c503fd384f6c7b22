import SwiftSyntax
import SwiftSyntaxMacros

/// Ends an initializer of a class by handing what it has set to the relationships, so that both
/// sides of one know each other when it returns. One that throws or gives nil leaves nothing in them.
struct ManagedInitializerMacro: BodyMacro {
    static var formatMode: FormatMode { .disabled }

    static func expansion(
        of node: AttributeSyntax,
        providingBodyFor declaration: some DeclSyntaxProtocol & WithOptionalCodeBlockSyntax,
        in context: some MacroExpansionContext
    ) throws -> [CodeBlockItemSyntax] {
        guard let body = declaration.body else { return [] }
        let statements = Array(body.statements)
        guard let initializer = declaration.as(InitializerDeclSyntax.self), mayEndEarly(initializer)
        else { return statements + [expression("\n_$endInitializer()")] }
        return [
            expression("\nlet _$scope = Dovetail::InitializerScope()"),
            expression("\ndefer { _$scope.end() }"),
        ] + statements + [expression("\n_$scope.end(with: self)")]
    }

    /// Whether an initializer may throw or give nil. One that is `async` may go on on another thread.
    static func mayEndEarly(_ initializer: InitializerDeclSyntax) -> Bool {
        let effects = initializer.signature.effectSpecifiers
        return effects?.asyncSpecifier == nil
            && (initializer.optionalMark != nil || effects?.throwsClause != nil)
    }

    private static func expression(_ text: String) -> CodeBlockItemSyntax {
        CodeBlockItemSyntax(item: .expr(RawSource.expression(text)))
    }
}
