import SwiftDiagnostics
import SwiftSyntax

/// Writes the body of a predicate as one constant for each node.
///
/// A node whose type is fixed, because it comes from the parameter or is a condition, gets a `let`.
/// What takes its type from its neighbours stays inline in them: literals, `nil`, `.case`, captured
/// values, and operators over nothing else. So `3` becomes a `Double` where it is compared with one.
struct PredicateLowering {
    /// A node that has been written.
    struct Node {
        /// The name of its constant, or the expression to put in place.
        var text: String
        /// Whether it has a type of its own.
        var isFixed: Bool
        /// Whether the type can be nothing but that of the neighbour.
        var isLiteral = false
    }

    /// Where expressions of predicates are found.
    static let library = "Foundation::PredicateExpressions."

    var diagnostics: [Diagnostic] = []
    /// The lines of the closure that is being written.
    var source = SourceText(depth: 1)
    /// What the names of parameters and of bound optionals are called in the expansion, the
    /// innermost closure last.
    var scopes: [[String: String]] = []
    /// What stands for the value in front of a `?` that is being taken apart.
    var substitutes: [SyntaxIdentifier: String] = [:]
    /// Every identifier in the body, which no new name may be.
    private var taken: Set<String>
    private var nodeCount = 0

    init(body: ClosureExprSyntax) {
        taken = []
        for token in body.tokens(viewMode: .sourceAccurate) {
            if case .identifier(let name) = token.tokenKind { taken.insert(name) }
        }
    }

    /// `type({ it in … })`.
    mutating func expansion(of closure: ClosureExprSyntax, type: String) -> String {
        let (names, scope) = parameters(of: closure)
        for constant in constants(capturedBy: closure) { source.line(constant) }
        scopes.append(scope)
        let node = body(closure.statements, of: closure)
        source.line("return \(node.text)")
        // Nothing of the closure is written before its body, so the head can come last.
        return "\(type)({ \(names.joined(separator: ", ")) in\n\(source.text)\n})"
    }

    // MARK: - Names

    /// A name that the body does not use.
    mutating func fresh(_ name: String) -> String {
        var candidate = name
        var number = 1
        while !taken.insert(candidate).inserted {
            number += 1
            candidate = "\(name)\(number)"
        }
        return candidate
    }

    /// Writes `let e1 = …` and gives `e1`.
    mutating func bind(_ expression: String) -> Node {
        nodeCount += 1
        var name = "e\(nodeCount)"
        while taken.contains(name) {
            nodeCount += 1
            name = "e\(nodeCount)"
        }
        source.line("let \(name) = \(expression)")
        return Node(text: name, isFixed: true)
    }

    /// The node in a constant of its own, as the first line of a closure has no room for more. What a
    /// closure is applied to takes no type from it.
    mutating func constant(_ node: Node) -> Node { node.isFixed ? node : bind(node.text) }

    /// A call of `build_…`, in a constant of its own if it has a type of its own.
    mutating func build(_ name: String, _ arguments: [String], isFixed: Bool) -> Node {
        let call = "\(Self.library)\(name)(\(arguments.joined(separator: ", ")))"
        return isFixed ? bind(call) : Node(text: call, isFixed: false)
    }

    /// A captured value.
    func constant(_ expression: some SyntaxProtocol) -> Node {
        let text = "\(Self.library)build_Constant(\(expression.trimmedDescription))"
        return Node(text: text, isFixed: false)
    }

    /// Reports a problem and gives what is never compiled.
    mutating func refuse(_ problem: PredicateProblem, at node: some SyntaxProtocol) -> Node {
        diagnostics.append(problem.at(node))
        return Node(text: "_", isFixed: true)
    }

    // MARK: - Closures

    /// The names of the parameters, and what the body calls them.
    private mutating func parameters(
        of closure: ClosureExprSyntax
    ) -> (names: [String], scope: [String: String]) {
        let given: [TokenSyntax]
        switch closure.signature?.parameterClause {
        case nil:
            let used = (0...9).filter { ReferenceFinder.finds("$\($0)", in: closure.statements) }
            guard let last = used.last else { return (["_"], ["$0": "_"]) }
            let names = (0...last).map { used.contains($0) ? fresh("it") : "_" }
            let shorthands = (0...last).map { "$\($0)" }
            return (names, Dictionary(uniqueKeysWithValues: zip(shorthands, names)))
        case .simpleInput(let list): given = list.map(\.name)
        case .parameterClause(let clause):
            given = clause.parameters.map { $0.secondName ?? $0.firstName }
        @unknown default: given = []
        }
        let names = given.map(\.text)
        let bound = names.filter { $0 != "_" }.map { ($0, $0) }
        return (names, Dictionary(bound) { first, _ in first })
    }

    /// The name of the one parameter, and what the body calls it.
    private mutating func parameter(
        of closure: ClosureExprSyntax
    ) -> (name: String, scope: [String: String])? {
        let (names, scope) = parameters(of: closure)
        guard names.count == 1 else {
            diagnostics.append(PredicateProblem.closureParameters.at(closure))
            return nil
        }
        return (names[0], scope)
    }

    /// `let x = e` for each `[x = e]`. A plain `[x]` needs nothing.
    private mutating func constants(capturedBy closure: ClosureExprSyntax) -> [String] {
        var lines: [String] = []
        for capture in closure.signature?.capture?.items ?? [] {
            if let specifier = capture.specifier, specifier.specifier.text == "weak" {
                diagnostics.append(PredicateProblem.weakCapture.at(capture))
            } else if let value = capture.initializer?.value,
                ReferenceFinder.finds(capture.name.text, in: closure.statements)
            {
                lines.append("let \(capture.name.text) = \(value.trimmedDescription)")
            }
        }
        return lines
    }

    /// A closure over a part of the predicate: `{ item in … }`, with constants of its own.
    mutating func closure(
        _ parameter: (name: String, scope: [String: String]),
        _ write: (inout Self) -> Node
    ) -> String {
        let outer = source
        source = SourceText(depth: outer.depth + 1)
        scopes.append(parameter.scope)
        let node = write(&self)
        source.line("return \(node.text)")
        let lines = source.text
        scopes.removeLast()
        source = outer
        let margin = String(repeating: "    ", count: outer.depth)
        return "{ \(parameter.name) in\n\(lines)\n\(margin)}"
    }

    /// The lines of a closure that the user wrote, or of a key path in place of one.
    mutating func closure(_ argument: ExprSyntax) -> String? {
        if let path = argument.as(KeyPathExprSyntax.self) {
            let name = fresh("item")
            guard let body = path.applied(to: name) else {
                diagnostics.append(PredicateProblem.keyPath.at(path))
                return nil
            }
            return closure((name, [name: name])) { $0.lower(body) }
        }
        guard let written = argument.as(ClosureExprSyntax.self),
            let parameter = parameter(of: written)
        else { return nil }
        let constants = constants(capturedBy: written)
        return closure(parameter) { lowering in
            for constant in constants { lowering.source.line(constant) }
            return lowering.body(written.statements, of: written)
        }
    }

    /// An expression that should be the only one.
    private mutating func lower(
        _ expression: ExprSyntax,
        before second: CodeBlockItemSyntax?
    ) -> Node {
        guard let second else { return lower(expression) }
        if let choice = expression.as(IfExprSyntax.self), choice.elseBody == nil {
            return refuse(.missingElse, at: choice)
        }
        return refuse(.secondStatement, at: second)
    }

    /// The one expression of a closure or a branch.
    mutating func body(_ statements: CodeBlockItemListSyntax, of block: some SyntaxProtocol) -> Node
    {
        guard let first = statements.first else { return refuse(.emptyBody, at: block) }
        let second = statements.dropFirst().first
        switch first.item {
        case .decl(let declaration): return refuse(.declaration, at: declaration)
        case .expr(let expression): return lower(expression, before: second)
        case .stmt(let statement):
            let expression =
                statement.as(ExpressionStmtSyntax.self)?.expression
                ?? statement.as(ReturnStmtSyntax.self)?.expression
            if let expression { return lower(expression, before: second) }
            if let block = statement.as(DoStmtSyntax.self), block.catchClauses.isEmpty,
                second == nil
            {
                return body(block.body.statements, of: block)
            }
            if statement.is(ReturnStmtSyntax.self) { return refuse(.emptyBody, at: statement) }
            let keyword = statement.firstToken(viewMode: .sourceAccurate)?.text ?? ""
            return refuse(.statement(keyword), at: statement)
        @unknown default: return refuse(.unsupported, at: first)
        }
    }
}
