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
        let initializer = declaration.as(InitializerDeclSyntax.self)
        guard let initializer, mayEndEarly(initializer) else {
            return Ending(with: "_$endInitializer()").items(of: body)
        }
        return [
            Ending.item("\nlet _$scope = Dovetail::InitializerScope()"),
            Ending.item("\ndefer { _$scope.end() }"),
        ] + Ending(with: "_$scope.end(with: self)").items(of: body)
    }

    /// Whether an initializer may throw or give nil. One that is `async` may go on on another thread.
    static func mayEndEarly(_ initializer: InitializerDeclSyntax) -> Bool {
        let effects = initializer.signature.effectSpecifiers
        return effects?.asyncSpecifier == nil
            && (initializer.optionalMark != nil || effects?.throwsClause != nil)
    }
}

/// Puts a statement where an initializer ends with an object: before each `return` without a value, and at its end.
private final class Ending: SyntaxRewriter {
    private let statement: String

    init(with statement: String) {
        self.statement = statement
        super.init()
    }

    static func item(_ text: String) -> CodeBlockItemSyntax {
        CodeBlockItemSyntax(item: .expr(RawSource.expression(text)))
    }

    func items(of body: CodeBlockSyntax) -> [CodeBlockItemSyntax] {
        let items = Array(hasReturn(body) ? visit(body.statements) : body.statements)
        let last = items.last?.item
        // Nothing comes after these.
        if last?.is(ThrowStmtSyntax.self) == true || last?.is(ReturnStmtSyntax.self) == true {
            return items
        }
        return items + [Self.item("\n" + statement)]
    }

    private func hasReturn(_ body: CodeBlockSyntax) -> Bool {
        body.tokens(viewMode: .sourceAccurate).contains { $0.tokenKind == .keyword(.return) }
    }

    override func visit(_ items: CodeBlockItemListSyntax) -> CodeBlockItemListSyntax {
        var all: [CodeBlockItemSyntax] = []
        for item in super.visit(items) {
            if let statement = item.item.as(ReturnStmtSyntax.self), statement.expression == nil {
                all.append(Self.item(item.leadingTrivia.description + self.statement + "; "))
                all.append(item.with(\.leadingTrivia, []))
            } else {
                all.append(item)
            }
        }
        return CodeBlockItemListSyntax(all)
    }

    // What is called from there returns to somewhere else.
    override func visit(_ closure: ClosureExprSyntax) -> ExprSyntax { ExprSyntax(closure) }
    override func visit(_ function: FunctionDeclSyntax) -> DeclSyntax { DeclSyntax(function) }
    override func visit(_ variable: VariableDeclSyntax) -> DeclSyntax {
        variable.bindings.contains { $0.accessorBlock != nil }
            ? DeclSyntax(variable) : super.visit(variable)
    }
}
