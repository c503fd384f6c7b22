import SwiftSyntax

extension PredicateLowering {
    /// Writes an expression and everything in it.
    mutating func lower(_ expression: ExprSyntax) -> Node {
        if let inner = expression.inParentheses { return lower(inner) }
        if let attempt = expression.as(TryExprSyntax.self), attempt.questionOrExclamationMark == nil
        {
            return lower(attempt.expression)
        }
        if isCaptured(expression) {
            var node = lowerCaptured(expression)
            node.isLiteral = expression.isLiteral
            return node
        }
        if let chain = lastOptional(of: expression) { return lowerChain(chain, of: expression) }
        switch expression.as(ExprSyntaxEnum.self) {
        case .declReferenceExpr(let reference):
            return Node(text: name(of: reference.baseName.text), isFixed: true)
        case .optionalChainingExpr(let chain):
            if let name = substitutes[chain.id] { return Node(text: name, isFixed: true) }
            return refuse(.unsupported, at: chain)
        case .memberAccessExpr(let member): return lower(member)
        case .functionCallExpr(let call): return lower(call)
        case .subscriptCallExpr(let call): return lower(call)
        case .forceUnwrapExpr(let unwrap):
            return build("build_ForcedUnwrap", [lower(unwrap.expression).text], isFixed: true)
        case .prefixOperatorExpr(let operation): return lower(operation)
        case .infixOperatorExpr(let operation): return lower(operation)
        case .ternaryExpr(let choice):
            return conditional(
                lower(choice.condition),
                lower(choice.thenExpression),
                lower(choice.elseExpression)
            )
        case .isExpr(let check):
            return cast("TypeCheck", check.expression, check.type)
        case .asExpr(let cast):
            let mark = cast.questionOrExclamationMark?.tokenKind
            let name = mark == .postfixQuestionMark ? "ConditionalCast" : "ForceCast"
            return self.cast(name, cast.expression, cast.type)
        case .ifExpr(let choice): return lower(choice)
        case .switchExpr(let choice): return refuse(.switchExpression, at: choice)
        case .stringLiteralExpr(let text): return refuse(.interpolation, at: text)
        case .arrayExpr(let list): return refuse(.collection, at: list)
        case .dictionaryExpr(let list): return refuse(.collection, at: list)
        case .tupleExpr(let list): return refuse(.collection, at: list)
        case .closureExpr(let closure): return refuse(.closure, at: closure)
        case .tryExpr(let attempt): return refuse(.attempt, at: attempt)
        case .postfixOperatorExpr(let operation):
            return refuse(
                .operation(operation.operator.text, remedy: "write both bounds of the range"),
                at: operation.operator
            )
        default: return refuse(.unsupported, at: expression)
        }
    }

    /// What a parameter or a bound optional is called in the expansion.
    private func name(of identifier: String) -> String {
        scopes.last { $0[identifier] != nil }?[identifier] ?? identifier
    }

    /// `$0.name`.
    private mutating func lower(_ member: MemberAccessExprSyntax) -> Node {
        guard let base = member.base else { return refuse(.unsupported, at: member) }
        return keyPath(from: lower(base), "\\.\(member.declName.trimmedDescription)")
    }

    mutating func keyPath(from root: Node, _ path: String) -> Node {
        build("build_KeyPath", ["root: \(root.text)", "keyPath: \(path)"], isFixed: root.isFixed)
    }

    mutating func conditional(_ test: Node, _ yes: Node, _ no: Node) -> Node {
        build(
            "build_ConditionalOrOptional",
            [test.text, yes.text, no.text],
            isFixed: yes.isFixed || no.isFixed
        )
    }

    /// `$0.asset as? Sound`.
    mutating func cast(_ name: String, _ value: ExprSyntax, _ type: TypeSyntax) -> Node {
        let value = lower(value)
        return bind("\(Self.library)\(name)<_, \(type.trimmedDescription)>(\(value.text))")
    }

    // MARK: - Operators

    private mutating func lower(_ operation: PrefixOperatorExprSyntax) -> Node {
        let value = lower(operation.expression)
        switch operation.operator.text {
        case "!": return build("build_Negation", [value.text], isFixed: true)
        case "-": return build("build_UnaryMinus", [value.text], isFixed: value.isFixed)
        case "...", "..<":
            return refuse(
                .operation(operation.operator.text, remedy: "write both bounds of the range"),
                at: operation.operator
            )
        case let other:
            return refuse(
                .operation(other, remedy: "compute it before the predicate"),
                at: operation.operator
            )
        }
    }

    private mutating func lower(_ operation: InfixOperatorExprSyntax) -> Node {
        let name = operation.operator.trimmedDescription
        guard let kind = InfixOperator(name) else {
            let remedy =
                switch name {
                case "=": "compare with =="
                case "===": "compare with =="
                case "!==": "compare with !="
                default: "compute it before the predicate"
                }
            return refuse(.operation(name, remedy: remedy), at: operation.operator)
        }
        if case .equality = kind {
            let left = lower(equated: operation.leftOperand)
            return infix(kind, left, lower(equated: operation.rightOperand))
        }
        let left = lower(operation.leftOperand)
        let right = lower(operation.rightOperand)
        return infix(kind, left, right)
    }

    /// One side of an equality. A negative literal has the type of the other side, which may be an optional: of a
    /// literal with a sign before it only the sign's operand could have that.
    private mutating func lower(equated side: ExprSyntax) -> Node {
        if let inner = side.inParentheses { return lower(equated: inner) }
        guard let operation = side.as(PrefixOperatorExprSyntax.self),
            operation.operator.text == "-", operation.expression.isNumberLiteral
        else { return lower(side) }
        var node = constant(side)
        node.isLiteral = true
        return node
    }

    /// The node of an operator between two nodes.
    mutating func infix(_ kind: InfixOperator, _ left: Node, _ right: Node) -> Node {
        let isEither = left.isFixed || right.isFixed
        switch kind {
        case .condition(let name):
            return build(name, ["lhs: \(left.text)", "rhs: \(right.text)"], isFixed: true)
        case .equality(let name, let ofOptional):
            // A literal takes the type of the other side; of anything else, one may be optional.
            let name = left.isLiteral || right.isLiteral ? name : ofOptional
            return build(name, ["lhs: \(left.text)", "rhs: \(right.text)"], isFixed: true)
        case .comparison(let op):
            return build(
                "build_Comparison",
                ["lhs: \(left.text)", "rhs: \(right.text)", "op: .\(op)"],
                isFixed: true
            )
        case .arithmetic(let op):
            return build(
                "build_Arithmetic",
                ["lhs: \(left.text)", "rhs: \(right.text)", "op: .\(op)"],
                isFixed: isEither
            )
        case .value(let name):
            return build(name, ["lhs: \(left.text)", "rhs: \(right.text)"], isFixed: isEither)
        case .range(let name):
            return build(name, ["lower: \(left.text)", "upper: \(right.text)"], isFixed: isEither)
        case .pattern:
            return build("build_contains", [left.text, right.text], isFixed: true)
        }
    }
}

/// The operators that Foundation has expressions for.
enum InfixOperator {
    /// `&&`, `||`.
    case condition(String)
    /// `==`, `!=`, and the function for an optional and a value.
    case equality(String, ofOptional: String)
    /// `<` and its siblings.
    case comparison(String)
    /// `+`, `-`, `*`.
    case arithmetic(String)
    /// `/`, `%`, `??`.
    case value(String)
    /// `...`, `..<`.
    case range(String)
    /// `~=`.
    case pattern

    init?(_ name: String) {
        switch name {
        case "&&": self = .condition("build_Conjunction")
        case "||": self = .condition("build_Disjunction")
        case "==": self = .equality("build_Equal", ofOptional: "build_EqualOrOptional")
        case "!=": self = .equality("build_NotEqual", ofOptional: "build_NotEqualOrOptional")
        case "<": self = .comparison("lessThan")
        case "<=": self = .comparison("lessThanOrEqual")
        case ">": self = .comparison("greaterThan")
        case ">=": self = .comparison("greaterThanOrEqual")
        case "+": self = .arithmetic("add")
        case "-": self = .arithmetic("subtract")
        case "*": self = .arithmetic("multiply")
        case "/": self = .value("build_Division")
        case "%": self = .value("build_Remainder")
        case "??": self = .value("build_NilCoalesce")
        case "...": self = .range("build_ClosedRange")
        case "..<": self = .range("build_Range")
        case "~=": self = .pattern
        default: return nil
        }
    }
}

extension ExprSyntax {
    /// Whether an expression is a literal, `nil` or `.case`, which takes its type from where it is.
    var isLiteral: Bool {
        if let inner = inParentheses { return inner.isLiteral }
        return switch self.as(ExprSyntaxEnum.self) {
        case .integerLiteralExpr, .floatLiteralExpr, .booleanLiteralExpr, .nilLiteralExpr,
            .stringLiteralExpr, .arrayExpr, .dictionaryExpr:
            true
        case .memberAccessExpr(let member): member.base == nil
        case .prefixOperatorExpr(let operation): operation.expression.isLiteral
        default: false
        }
    }

    /// What is in a pair of parentheses.
    var inParentheses: ExprSyntax? {
        guard let tuple = self.as(TupleExprSyntax.self), tuple.elements.count == 1,
            let element = tuple.elements.first, element.label == nil
        else { return nil }
        return element.expression
    }
}
