import SwiftSyntax

extension PredicateLowering {
    // MARK: - Optional chains

    /// The last `?` of a chain of members and calls, as in `$0.team?.name`. It applies to all that
    /// comes after it.
    func lastOptional(of expression: ExprSyntax) -> OptionalChainingExprSyntax? {
        guard !expression.is(ForceUnwrapExprSyntax.self) else { return nil }
        var part = expression
        while true {
            switch part.as(ExprSyntaxEnum.self) {
            case .memberAccessExpr(let member):
                guard let base = member.base else { return nil }
                part = base
            case .functionCallExpr(let call): part = call.calledExpression
            case .subscriptCallExpr(let call): part = call.calledExpression
            case .forceUnwrapExpr(let unwrap): part = unwrap.expression
            case .optionalChainingExpr(let chain):
                return substitutes[chain.id] == nil && part.id != expression.id ? chain : nil
            default: return nil
            }
        }
    }

    /// `build_flatMap(team, { value in value.name })` for `team?.name`.
    mutating func lowerChain(
        _ chain: OptionalChainingExprSyntax,
        of expression: ExprSyntax
    ) -> Node {
        let base = constant(lower(chain.expression))
        let name = fresh("value")
        substitutes[chain.id] = name
        let rest = closure((name, [:])) { $0.lower(expression) }
        return build("build_flatMap", [base.text, rest], isFixed: true)
    }

    // MARK: - Conditions

    /// `if … { … } else { … }`.
    mutating func lower(_ choice: IfExprSyntax) -> Node {
        guard let otherwise = choice.elseBody else { return refuse(.missingElse, at: choice) }
        let conditions = choice.conditions.map(\.condition)
        let bindings = conditions.compactMap { $0.as(OptionalBindingConditionSyntax.self) }
        if bindings.count == conditions.count {
            let value = unwrap(bindings[...], then: choice.body)
            let rest = lower(otherwise)
            return infix(.value("build_NilCoalesce"), value, rest)
        }
        if bindings.isEmpty {
            guard let test = conjunction(conditions) else { return Node(text: "_", isFixed: true) }
            let yes = body(choice.body.statements, of: choice.body)
            return conditional(test, yes, lower(otherwise))
        }
        return lower(conditions[...], then: choice.body, else: otherwise)
    }

    private mutating func lower(_ otherwise: IfExprSyntax.ElseBody) -> Node {
        switch otherwise {
        case .codeBlock(let block): body(block.statements, of: block)
        case .ifExpr(let choice): lower(ExprSyntax(choice))
        @unknown default: refuse(.unsupported, at: otherwise)
        }
    }

    /// Conditions without bindings, joined with `&&`.
    private mutating func conjunction(_ conditions: [ConditionElementSyntax.Condition]) -> Node? {
        var result: Node?
        for condition in conditions {
            guard case .expression(let expression) = condition else {
                _ = refuse(.condition, at: condition)
                return nil
            }
            let next = lower(expression)
            result = result.map { infix(.condition("build_Conjunction"), $0, next) } ?? next
        }
        return result
    }

    /// `if let a = …, let b = …`: one flat map in another.
    private mutating func unwrap(
        _ bindings: ArraySlice<OptionalBindingConditionSyntax>,
        then block: CodeBlockSyntax
    ) -> Node {
        guard let binding = bindings.first else { return body(block.statements, of: block) }
        return flatMap(binding) { $0.unwrap(bindings.dropFirst(), then: block) }
    }

    /// `build_flatMap(optional, { name in … })` for `let name = optional`.
    private mutating func flatMap(
        _ binding: OptionalBindingConditionSyntax,
        _ write: (inout Self) -> Node
    ) -> Node {
        let isWildcard = binding.pattern.is(WildcardPatternSyntax.self)
        let identifier = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.text
        guard let name = isWildcard ? "_" : identifier else {
            return refuse(.condition, at: binding.pattern)
        }
        var value: Node
        if let written = binding.initializer?.value {
            value = lower(written)
        } else {
            value = lower(
                ExprSyntax(DeclReferenceExprSyntax(baseName: .identifier(name)))
            )
        }
        value = constant(value)
        let rest = closure((name, isWildcard ? [:] : [name: name]), write)
        return build("build_flatMap", [value.text, rest], isFixed: true)
    }

    /// Bindings among other conditions, one after the other. The `else` part is written once for
    /// each.
    private mutating func lower(
        _ conditions: ArraySlice<ConditionElementSyntax.Condition>,
        then block: CodeBlockSyntax,
        else otherwise: IfExprSyntax.ElseBody
    ) -> Node {
        guard let condition = conditions.first else { return body(block.statements, of: block) }
        switch condition {
        case .optionalBinding(let binding):
            let value = flatMap(binding) {
                $0.lower(conditions.dropFirst(), then: block, else: otherwise)
            }
            let rest = lower(otherwise)
            return infix(.value("build_NilCoalesce"), value, rest)
        case .expression(let expression):
            let test = lower(expression)
            let yes = lower(conditions.dropFirst(), then: block, else: otherwise)
            let no = lower(otherwise)
            return conditional(test, yes, no)
        default: return refuse(.condition, at: condition)
        }
    }
}

extension KeyPathExprSyntax {
    /// `\.team?.name` as `variable.team?.name`. Nil for components that a predicate cannot have.
    func applied(to variable: String) -> ExprSyntax? {
        var result = ExprSyntax(DeclReferenceExprSyntax(baseName: .identifier(variable)))
        for component in components {
            switch component.component {
            case .property(let property):
                result = ExprSyntax(
                    MemberAccessExprSyntax(base: result, declName: property.declName)
                )
            case .optional(let optional):
                if optional.questionOrExclamationMark.tokenKind == .exclamationMark {
                    result = ExprSyntax(ForceUnwrapExprSyntax(expression: result))
                } else {
                    result = ExprSyntax(OptionalChainingExprSyntax(expression: result))
                }
            case .subscript(let call):
                result = ExprSyntax(
                    SubscriptCallExprSyntax(calledExpression: result, arguments: call.arguments)
                )
            default: return nil
            }
        }
        return result
    }
}
