import DovetailSyntax
import SwiftDiagnostics
import SwiftIfConfig
import SwiftParser
import SwiftSyntax

/// What reading a piece of source ended in: the problems in the order of the report, each as
/// "line:column message".
struct Reading<Declaration> {
    let declaration: Declaration?
    let problems: [String]
    /// What the problems are called in Problems.swift.
    var names: [String] = []
}

/// Reads the first declaration in `source` that carries `@Model`.
func readModel(
    _ source: String,
    in configuration: (any BuildConfiguration)? = linux,
    isSubclass: Bool = false
) -> Reading<ModelDeclaration> {
    read(source, attribute: "Model") { declaration, macro, problems in
        guard let group = declaration.asProtocol((any DeclGroupSyntax).self) else { return nil }
        return ModelDeclaration(
            group,
            macro: macro,
            lexicalContext: lexicalContext(of: declaration),
            configuration: configuration,
            isSubclass: isSubclass,
            &problems
        )
    }
}

/// A build for Linux with the condition `FLAG`, as the compiler describes it to macros.
private var linux: StaticBuildConfiguration {
    StaticBuildConfiguration(
        customConditions: ["FLAG"],
        targetOSs: ["Linux"],
        languageVersion: VersionTuple(6),
        compilerVersion: VersionTuple(6, 3)
    )
}

/// Reads the first declaration in `source` that carries `@ModelProtocol`.
func readProtocol(_ source: String) -> Reading<ProtocolDeclaration> {
    read(source, attribute: "ModelProtocol") { declaration, macro, problems in
        ProtocolDeclaration(
            declaration,
            macro: macro,
            lexicalContext: lexicalContext(of: declaration),
            &problems
        )
    }
}

private func check(_ macro: some FreestandingMacroExpansionSyntax, _ problems: inout Problems) {
    IndexDeclaration.checkPlace(of: macro, lexicalContext: lexicalContext(of: macro), &problems)
}

/// Reads the place of the first `#Index` or `#Unique` in `source`, as these macros do themselves.
func readIndexPlace(_ source: String) -> Reading<Void> {
    let tree = Parser.parse(source: source)
    let finder = IndexFinder(viewMode: .sourceAccurate)
    finder.walk(tree)
    guard let macro = finder.found else {
        return Reading(declaration: nil, problems: ["no index in the source"])
    }
    var problems = Problems()
    check(macro, &problems)
    return reading((), problems, in: tree)
}

private func read<Declaration>(
    _ source: String,
    attribute name: String,
    _ body: (DeclSyntax, AttributeSyntax, inout Problems) -> Declaration?
) -> Reading<Declaration> {
    let tree = Parser.parse(source: source)
    let finder = AttributeFinder(name)
    finder.walk(tree)
    guard let (declaration, macro) = finder.found else {
        return Reading(declaration: nil, problems: ["no @\(name) in the source"])
    }
    var problems = Problems()
    let result = body(declaration, macro, &problems)
    return reading(result, problems, in: tree)
}

private func reading<Declaration>(
    _ result: Declaration?,
    _ problems: Problems,
    in tree: SourceFileSyntax
) -> Reading<Declaration> {
    let converter = SourceLocationConverter(fileName: "Test.swift", tree: tree)
    let texts = problems.diagnostics.map { diagnostic in
        guard diagnostic.node.root.id == tree.id else {
            return "detached \(diagnostic.message)"
        }
        let place = diagnostic.location(converter: converter)
        return "\(place.line):\(place.column) \(diagnostic.message)"
    }
    let names = problems.diagnostics.map { String("\($0.diagMessage)".prefix { $0 != "(" }) }
    return Reading(declaration: result, problems: texts, names: names)
}

/// The declarations around one, from the inside, as a macro is told.
private func lexicalContext(of declaration: some SyntaxProtocol) -> [Syntax] {
    sequence(first: Syntax(declaration), next: \.parent).dropFirst().filter {
        $0.isProtocol((any DeclSyntaxProtocol).self)
    }
}

private final class AttributeFinder: SyntaxAnyVisitor {
    let name: String
    var found: (DeclSyntax, AttributeSyntax)?

    init(_ name: String) {
        self.name = name
        super.init(viewMode: .sourceAccurate)
    }

    override func visitAny(_ node: Syntax) -> SyntaxVisitorContinueKind {
        guard found == nil else { return .skipChildren }
        if let declaration = node.as(DeclSyntax.self),
            let attributes = node.asProtocol((any WithAttributesSyntax).self)?.attributes
        {
            for case .attribute(let attribute) in attributes
            where attribute.attributeName.trimmedDescription == name {
                found = (declaration, attribute)
            }
        }
        return .visitChildren
    }
}

private final class IndexFinder: SyntaxVisitor {
    var found: (any FreestandingMacroExpansionSyntax)?

    override func visit(_ node: MacroExpansionDeclSyntax) -> SyntaxVisitorContinueKind {
        found = found ?? node
        return .skipChildren
    }

    override func visit(_ node: MacroExpansionExprSyntax) -> SyntaxVisitorContinueKind {
        found = found ?? node
        return .skipChildren
    }
}
