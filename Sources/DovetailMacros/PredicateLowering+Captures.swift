import SwiftSyntax

extension PredicateLowering {
    /// Whether an expression has nothing to do with what the predicate tests.
    func isCaptured(_ expression: some SyntaxProtocol) -> Bool {
        var names: Set<String> = []
        for scope in scopes { names.formUnion(scope.keys) }
        return !ReferenceFinder.finds(names, substitutes, in: expression)
    }

    /// Writes a captured expression.
    ///
    /// One that cannot stop the program becomes one constant, whatever it consists of. Foundation's
    /// nodes remain where evaluation may trap, so that `filter == nil || $0.id == filter!` works,
    /// and where the toolchain's macro accepts the expression: predicates have the same types then.
    mutating func lowerCaptured(_ expression: ExprSyntax) -> Node {
        let trap = TrapFinder.firstTrap(in: expression)
        switch expression.as(ExprSyntaxEnum.self) {
        case .nilLiteralExpr: return build("build_NilLiteral", [], isFixed: false)
        case .forceUnwrapExpr(let unwrap):
            return build("build_ForcedUnwrap", [lower(unwrap.expression).text], isFixed: false)
        case .subscriptCallExpr(let call):
            let labels = call.arguments.map { $0.label?.text }
            let isPlain = labels == [nil] || labels == [nil, "default"]
            if isPlain, call.trailingClosure == nil, lastOptional(of: expression) == nil {
                return lower(call)
            }
        case .prefixOperatorExpr(let operation):
            switch operation.operator.text {
            case "!":
                return build("build_Negation", [lower(operation.expression).text], isFixed: true)
            case "-" where trap != nil || operation.expression.isLeaf:
                return build("build_UnaryMinus", [lower(operation.expression).text], isFixed: false)
            default: break
            }
        case .infixOperatorExpr(let operation):
            if let node = lowerCaptured(operation, traps: trap != nil) { return node }
        case .ternaryExpr(let choice):
            let parts = [choice.condition, choice.thenExpression, choice.elseExpression]
            if trap != nil || parts.allSatisfy(\.isLeaf) {
                let nodes = parts.map { lower($0) }
                return conditional(nodes[0], nodes[1], nodes[2])
            }
        case .memberAccessExpr(let member):
            if let steps = member.plainSteps {
                return build("build_captured", steps, isFixed: false)
            }
            if let chain = member.base?.as(OptionalChainingExprSyntax.self), member.isProperty,
                chain.expression.isLeaf
            {
                let name = chain.expression.trimmedDescription
                return build(
                    "build_capturedChain",
                    [name, "\\.\(member.declName.trimmedDescription)"],
                    isFixed: false
                )
            }
            if let unwrap = member.base?.as(ForceUnwrapExprSyntax.self), member.isProperty,
                unwrap.expression.isLeaf
            {
                let name = unwrap.expression.trimmedDescription
                return build(
                    "build_capturedUnwrapped",
                    [name, "\\.\(member.declName.trimmedDescription)"],
                    isFixed: false
                )
            }
            if trap != nil, let base = member.base, lastOptional(of: expression) == nil {
                return keyPath(from: lower(base), "\\.\(member.declName.trimmedDescription)")
            }
        case .functionCallExpr:
            if let trap { return refuse(.trappingCall(trap.trimmedDescription), at: trap) }
        case .asExpr(let cast):
            if cast.questionOrExclamationMark?.tokenKind == .exclamationMark {
                return self.cast("ForceCast", cast.expression, cast.type)
            }
        case .ifExpr(let choice): return lower(choice)
        case .switchExpr(let choice): return refuse(.switchExpression, at: choice)
        default: break
        }
        if let trap {
            if let chain = lastOptional(of: expression) { return lowerChain(chain, of: expression) }
            return refuse(.trappingCall(trap.trimmedDescription), at: trap)
        }
        return constant(expression)
    }

    /// A captured operator; nil where it becomes one constant.
    private mutating func lowerCaptured(
        _ operation: InfixOperatorExprSyntax,
        traps: Bool
    ) -> Node? {
        let name = operation.operator.trimmedDescription
        guard let kind = InfixOperator(name) else { return nil }
        let (left, right) = (operation.leftOperand, operation.rightOperand)
        let areLeaves = left.isLeaf && right.isLeaf
        switch kind {
        case .condition, .range: break
        case .value("build_Division"), .value("build_Remainder"): break
        case .value, .comparison: guard traps || areLeaves else { return nil }
        case .arithmetic(let op):
            if areLeaves {
                let parts = [left, right, ExprSyntax(operation)].map(\.trimmedDescription)
                return build("build_capturedArithmetic", parts + [".\(op)"], isFixed: false)
            }
            guard traps else { return nil }
        case .pattern: guard traps else { return nil }
        case .equality:
            if areLeaves, !traps { return capturedEquality(name, left, right) }
            guard traps else { return nil }
        }
        let leftNode = lower(left)
        return infix(kind, leftNode, lower(right))
    }

    /// `filter == nil`, `mode == 2`: Foundation's node if the values can be part of one, and one
    /// constant if not. The overloads of the library decide, as only the type checker knows.
    private mutating func capturedEquality(
        _ name: String,
        _ left: ExprSyntax,
        _ right: ExprSyntax
    ) -> Node {
        let function = name == "==" ? "build_capturedEqual" : "build_capturedNotEqual"
        func argument(_ side: ExprSyntax) -> String {
            side.is(NilLiteralExprSyntax.self) ? "nil" : side.trimmedDescription
        }
        return build(function, [argument(left), argument(right)], isFixed: true)
    }
}

extension PredicateLowering {
    /// The value of a body `$0.id == value`, where that is a name, members of one, or a literal: what can
    /// be written twice. Nil for every other body.
    static func identity(testedBy closure: ClosureExprSyntax) -> String? {
        guard closure.signature?.capture == nil, closure.statements.count == 1,
            case .expr(let expression) = closure.statements.first?.item,
            let operation = expression.as(InfixOperatorExprSyntax.self),
            operation.operator.trimmedDescription == "=="
        else { return nil }
        let parameter: String
        switch closure.signature?.parameterClause {
        case nil: parameter = "$0"
        case .simpleInput(let names) where names.count == 1:
            parameter = names.first?.name.text ?? ""
        default: return nil
        }
        func isIdentity(_ side: ExprSyntax) -> Bool {
            guard let member = side.as(MemberAccessExprSyntax.self), member.isProperty else {
                return false
            }
            return member.declName.baseName.text == "id"
                && member.base?.as(DeclReferenceExprSyntax.self)?.baseName.text == parameter
        }
        let (left, right) = (operation.leftOperand, operation.rightOperand)
        let value = isIdentity(left) ? right : left
        guard isIdentity(left) || isIdentity(right), !ReferenceFinder.finds(parameter, in: value),
            !value.is(NilLiteralExprSyntax.self),
            value.isLeaf || value.as(MemberAccessExprSyntax.self)?.plainSteps != nil
        else { return nil }
        return value.trimmedDescription
    }
}

extension ExprSyntax {
    var isNumberLiteral: Bool {
        self.is(IntegerLiteralExprSyntax.self) || self.is(FloatLiteralExprSyntax.self)
    }

    /// Whether an expression is one that the toolchain's macro takes as a constant: a literal, a
    /// name, or members of a name.
    fileprivate var isLeaf: Bool {
        switch self.as(ExprSyntaxEnum.self) {
        case .integerLiteralExpr, .floatLiteralExpr, .booleanLiteralExpr, .nilLiteralExpr,
            .stringLiteralExpr:
            true
        case .declReferenceExpr(let name): name.argumentNames == nil
        default: false
        }
    }
}

extension MemberAccessExprSyntax {
    /// Whether a key path can have the member: it is no `self` and names no function.
    fileprivate var isProperty: Bool {
        declName.argumentNames == nil && declName.baseName.tokenKind != .keyword(.self)
    }

    /// `a`, `\.b`, `\.c` for `a.b.c`, where the first is the name of a value and there are at most
    /// three members. By the rules of the language's authors, names of types begin with a capital.
    fileprivate var plainSteps: [String]? {
        var steps: [String] = []
        var part = ExprSyntax(self)
        while let member = part.as(MemberAccessExprSyntax.self) {
            guard let base = member.base, member.isProperty else { return nil }
            steps.append("\\.\(member.declName.trimmedDescription)")
            part = base
        }
        guard steps.count <= 3, let root = part.as(DeclReferenceExprSyntax.self),
            root.argumentNames == nil,
            let first = root.baseName.text.first(where: { $0 != "`" && $0 != "_" }),
            !first.isUppercase, root.baseName.tokenKind != .keyword(.super)
        else { return nil }
        return [root.baseName.text] + steps.reversed()
    }
}

/// Looks for names in an expression. A closure without parameters has `$0` for itself, and names
/// that a closure declares are not those around it.
final class ReferenceFinder: SyntaxVisitor {
    private var names: Set<String>
    private let substitutes: [SyntaxIdentifier: String]
    private var isFound = false

    private init(_ names: Set<String>, _ substitutes: [SyntaxIdentifier: String]) {
        self.names = names
        self.substitutes = substitutes
        super.init(viewMode: .sourceAccurate)
    }

    static func finds(
        _ names: Set<String>,
        _ substitutes: [SyntaxIdentifier: String] = [:],
        in node: some SyntaxProtocol
    ) -> Bool {
        let finder = ReferenceFinder(names, substitutes)
        finder.walk(node)
        return finder.isFound
    }

    static func finds(_ name: String, in node: some SyntaxProtocol) -> Bool {
        finds([name], in: node)
    }

    override func visit(_ node: DeclReferenceExprSyntax) -> SyntaxVisitorContinueKind {
        // The name after a dot is a declaration of the type before it.
        let isMember = node.parent?.as(MemberAccessExprSyntax.self)?.declName.id == node.id
        if !isMember, names.contains(node.baseName.text) { isFound = true }
        return isFound ? .skipChildren : .visitChildren
    }

    override func visit(_ node: OptionalChainingExprSyntax) -> SyntaxVisitorContinueKind {
        if substitutes[node.id] != nil { isFound = true }
        return isFound ? .skipChildren : .visitChildren
    }

    override func visit(_ node: OptionalBindingConditionSyntax) -> SyntaxVisitorContinueKind {
        // `if let x` reads x.
        if node.initializer == nil,
            let name = node.pattern.as(IdentifierPatternSyntax.self)?.identifier.text,
            names.contains(name)
        {
            isFound = true
        }
        return isFound ? .skipChildren : .visitChildren
    }

    override func visit(_ node: ClosureExprSyntax) -> SyntaxVisitorContinueKind {
        var hidden: Set<String> = []
        switch node.signature?.parameterClause {
        case nil: hidden = Set((0...9).map { "$\($0)" })
        case .simpleInput(let list): hidden = Set(list.map(\.name.text))
        case .parameterClause(let clause):
            hidden = Set(clause.parameters.map { ($0.secondName ?? $0.firstName).text })
        @unknown default: break
        }
        let rest = names.subtracting(hidden)
        if !rest.isEmpty {
            for capture in node.signature?.capture?.items ?? [] {
                if let value = capture.initializer?.value, Self.finds(names, substitutes, in: value)
                {
                    isFound = true
                }
            }
            if Self.finds(rest, substitutes, in: node.statements) { isFound = true }
        }
        return .skipChildren
    }
}

/// Looks for what may stop the program: `!`, `as!`, `try!`, an index, a division by something that
/// is no number, and a range whose bounds are no numbers.
private final class TrapFinder: SyntaxVisitor {
    private var trap: Syntax?

    static func firstTrap(in expression: ExprSyntax) -> Syntax? {
        let finder = TrapFinder(viewMode: .sourceAccurate)
        finder.walk(expression)
        return finder.trap
    }

    private func found(_ node: some SyntaxProtocol) -> SyntaxVisitorContinueKind {
        trap = trap ?? Syntax(node)
        return .skipChildren
    }

    override func visit(_ node: ForceUnwrapExprSyntax) -> SyntaxVisitorContinueKind { found(node) }

    override func visit(_ node: SubscriptCallExprSyntax) -> SyntaxVisitorContinueKind {
        // One with a label, such as `default:`, is made so as not to trap.
        node.arguments.contains { $0.label != nil } ? .visitChildren : found(node)
    }

    override func visit(_ node: AsExprSyntax) -> SyntaxVisitorContinueKind {
        node.questionOrExclamationMark?.tokenKind == .exclamationMark ? found(node) : .visitChildren
    }

    override func visit(_ node: TryExprSyntax) -> SyntaxVisitorContinueKind {
        node.questionOrExclamationMark?.tokenKind == .exclamationMark ? found(node) : .visitChildren
    }

    override func visit(_ node: InfixOperatorExprSyntax) -> SyntaxVisitorContinueKind {
        switch node.operator.trimmedDescription {
        case "/", "%": return node.rightOperand.isNumberLiteral ? .visitChildren : found(node)
        case "...", "..<":
            let isPlain = node.leftOperand.isNumberLiteral && node.rightOperand.isNumberLiteral
            return isPlain ? .visitChildren : found(node)
        default: return .visitChildren
        }
    }
}
