import SwiftSyntax

extension ExprSyntax {
    /// Whether an expression is a list that is written out. The type checker could take `["a"]` for a
    /// list of characters, so its element says what it holds.
    fileprivate var isList: Bool { inParentheses?.isList ?? self.is(ArrayExprSyntax.self) }
}

/// The functions that predicates can call on what they test, and how they are written.
private enum PredicateFunction {
    /// `build_name(base, argument)`.
    case ofValue(String)
    /// `build_starts(base, with: argument)`.
    case prefix
    /// `build_name(base, { … })`, or with a label before the closure.
    case ofClosure(String, label: String?)
    /// `build_name(base)`.
    case plain(String)
    /// `build_evaluate(predicate, inputs)`.
    case evaluate

    /// Finds the function by its name and the labels of its arguments; a trailing closure counts as
    /// an argument with any label.
    init?(_ name: String, _ labels: [String?], hasTrailingClosure: Bool) {
        switch (name, labels, hasTrailingClosure) {
        case ("contains", [nil], false): self = .ofValue("build_contains")
        case ("contains", ["where"], false), ("contains", [], true):
            self = .ofClosure("build_contains", label: "where")
        case ("allSatisfy", [nil], false), ("allSatisfy", [], true):
            self = .ofClosure("build_allSatisfy", label: nil)
        case ("filter", [nil], false), ("filter", [], true):
            self = .ofClosure("build_filter", label: nil)
        case ("flatMap", [nil], false), ("flatMap", [], true):
            self = .ofClosure("build_flatMap", label: nil)
        case ("starts", ["with"], false), ("hasPrefix", [nil], false): self = .prefix
        case ("hasSuffix", [nil], false), ("localizedStandardContains", [nil], false),
            ("localizedCompare", [nil], false), ("caseInsensitiveCompare", [nil], false):
            self = .ofValue("build_\(name)")
        case ("min", [], false), ("max", [], false), ("lowercased", [], false),
            ("uppercased", [], false):
            self = .plain("build_\(name)")
        case ("evaluate", _, false) where !labels.isEmpty && labels.allSatisfy { $0 == nil }:
            self = .evaluate
        default: return nil
        }
    }

    /// What to write in place of a function that has no expression.
    static func remedy(for name: String) -> String {
        switch name {
        case "map": "write flatMap for an optional"
        case "compactMap", "first", "last", "firstIndex", "reduce", "sorted", "reversed":
            "write contains(where:), allSatisfy, filter, min() or max()"
        case "count": "write filter { … }.count"
        case "isMultiple": "write x % y == 0"
        case "localizedCaseInsensitiveContains", "range": "write localizedStandardContains"
        case "compare", "localizedStandardCompare", "localizedCaseInsensitiveCompare":
            "write localizedCompare or caseInsensitiveCompare"
        case "isDate", "isDateInToday", "isDateInYesterday", "isDateInTomorrow":
            "compute the start and the end of the day before the predicate and compare with them"
        case "subscript": "write one index, one range of indexes, or one key"
        default:
            "compute it before the predicate, or write contains, starts(with:), hasSuffix, "
                + "lowercased(), filter, min(), max() or operators"
        }
    }
}

extension PredicateLowering {
    mutating func lower(_ call: FunctionCallExprSyntax) -> Node {
        guard let member = call.calledExpression.as(MemberAccessExprSyntax.self),
            let base = member.base
        else {
            let name = call.calledExpression.trimmedDescription
            return refuse(
                isCaptured(call.calledExpression) ? .globalFunction(name) : .closureCall,
                at: call.calledExpression
            )
        }
        let name = member.declName.baseName.text
        guard
            let function = PredicateFunction(
                name,
                call.arguments.map { $0.label?.text },
                hasTrailingClosure: call.trailingClosure != nil
            )
        else {
            return refuse(
                .method(name, remedy: PredicateFunction.remedy(for: name)),
                at: member.declName
            )
        }
        let arguments = call.arguments.map(\.expression)
        if case .ofValue("build_contains") = function, base.isList, !isCaptured(arguments[0]) {
            let element = lower(arguments[0])
            return build(
                "build_listContains",
                [base.trimmedDescription, element.text],
                isFixed: true
            )
        }
        let root = lower(base)
        switch function {
        case .plain(let name): return build(name, [root.text], isFixed: true)
        case .ofValue(let name):
            if let closure = arguments[0].as(ClosureExprSyntax.self) {
                return refuse(.closure, at: closure)
            }
            let value = lower(arguments[0])
            return build(name, [root.text, value.text], isFixed: true)
        case .prefix:
            let value = lower(arguments[0])
            return build("build_starts", [root.text, "with: \(value.text)"], isFixed: true)
        case .ofClosure(let name, let label):
            let argument = call.trailingClosure.map { ExprSyntax($0) } ?? arguments[0]
            guard argument.is(ClosureExprSyntax.self) || argument.is(KeyPathExprSyntax.self) else {
                return refuse(.closure, at: argument)
            }
            let root = constant(root)
            guard let closure = closure(argument) else { return Node(text: "_", isFixed: true) }
            return build(
                name,
                [root.text, (label.map { "\($0): " } ?? "") + closure],
                isFixed: true
            )
        case .evaluate:
            let inputs = arguments.map { lower($0).text }
            return build("build_evaluate", [root.text] + inputs, isFixed: true)
        }
    }

    /// `$0.tags[0]`, `$0.scores["x"]`, `$0.scores["x", default: 0]`, `$0[keyPath: path]`.
    mutating func lower(_ call: SubscriptCallExprSyntax) -> Node {
        let labels = call.arguments.map { $0.label?.text }
        let arguments = call.arguments.map(\.expression)
        switch (labels, call.trailingClosure) {
        case (["keyPath"], nil) where isCaptured(arguments[0]):
            return keyPath(from: lower(call.calledExpression), arguments[0].trimmedDescription)
        case ([nil], nil):
            let root = lower(call.calledExpression)
            let index = lower(arguments[0])
            return build("build_subscript", [root.text, index.text], isFixed: root.isFixed)
        case ([nil, "default"], nil):
            let root = lower(call.calledExpression)
            let key = lower(arguments[0])
            let value = lower(arguments[1])
            return build(
                "build_subscript",
                [root.text, key.text, "default: \(value.text)"],
                isFixed: root.isFixed
            )
        default:
            return refuse(
                .method("subscript", remedy: PredicateFunction.remedy(for: "subscript")),
                at: call.leftSquare
            )
        }
    }
}
