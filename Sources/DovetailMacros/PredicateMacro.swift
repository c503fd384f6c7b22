import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// `#Predicate` and `#Expression`: a closure becomes a tree of Foundation's expressions.
///
/// The toolchain's macros write one nested expression, which the type checker solves as a whole, in
/// time that is exponential in the number of operators. These write one constant for each node, and
/// each line is solved by itself:
///
/// ```swift
/// Foundation::Predicate({ it in
///     let e1 = Foundation::PredicateExpressions.build_KeyPath(root: it, keyPath: \.age)
///     let e2 = Foundation::PredicateExpressions.build_Comparison(
///         lhs: e1,
///         rhs: Foundation::PredicateExpressions.build_Constant(18),
///         op: .greaterThanOrEqual
///     )
///     return e2
/// })
/// ```
struct PredicateMacro: ExpressionMacro {
    /// The text is formatted already.
    static var formatMode: FormatMode { .disabled }

    static func expansion(
        of node: some FreestandingMacroExpansionSyntax,
        in context: some MacroExpansionContext
    ) throws -> ExprSyntax {
        RawSource.expression(try text(of: node))
    }

    /// The closure that a macro is given.
    static func body(of node: some FreestandingMacroExpansionSyntax) -> ClosureExprSyntax? {
        node.trailingClosure ?? node.arguments.first?.expression.as(ClosureExprSyntax.self)
    }

    /// The text of an expression.
    static func text(of node: some FreestandingMacroExpansionSyntax) throws -> String {
        guard let closure = body(of: node) else {
            throw DiagnosticsError(diagnostics: [PredicateProblem.noClosure.at(node)])
        }
        let arguments = node.genericArgumentClause?.trimmedDescription ?? ""
        if let inner = MacroFinder.first(node.macroName.text, in: closure) {
            let problem = PredicateProblem.nested(node.macroName.text)
            throw DiagnosticsError(diagnostics: [problem.at(inner)])
        }
        var lowering = PredicateLowering(body: closure)
        let text = lowering.expansion(
            of: closure,
            type: "Foundation::\(node.macroName.text)\(arguments)"
        )
        // With text beside them there would be errors about that text, too.
        guard lowering.diagnostics.isEmpty else {
            throw DiagnosticsError(diagnostics: lowering.diagnostics)
        }
        return text
    }
}

/// `#Predicate` where a function takes an `InlinePredicate`.
struct InlinePredicateMacro: ExpressionMacro {
    static var formatMode: FormatMode { .disabled }

    static func expansion(
        of node: some FreestandingMacroExpansionSyntax,
        in context: some MacroExpansionContext
    ) throws -> ExprSyntax {
        let text = try PredicateMacro.text(of: node)
        guard let closure = PredicateMacro.body(of: node),
            let value = PredicateLowering.identity(testedBy: closure)
        else { return RawSource.expression("Dovetail::InlinePredicate(\(text))") }
        return RawSource.expression(
            "Dovetail::InlinePredicate(\\.id, equals: \(value), else: \(text))"
        )
    }
}

/// Looks for the use of a macro.
private final class MacroFinder: SyntaxVisitor {
    private let name: String
    private var found: MacroExpansionExprSyntax?

    private init(_ name: String) {
        self.name = name
        super.init(viewMode: .sourceAccurate)
    }

    static func first(_ name: String, in node: some SyntaxProtocol) -> MacroExpansionExprSyntax? {
        let finder = MacroFinder(name)
        finder.walk(node)
        return finder.found
    }

    override func visit(_ node: MacroExpansionExprSyntax) -> SyntaxVisitorContinueKind {
        if node.macroName.text == name { found = found ?? node }
        return .visitChildren
    }
}
