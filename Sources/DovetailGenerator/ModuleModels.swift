import DovetailSyntax
import SwiftSyntax

/// The models and model protocols of a module, from the text of its sources.
///
/// What stands inside of `#if` is left out: whether it is compiled is not known here.
struct ModuleModels {
    /// A type with `@Model`.
    struct Model {
        /// The name with those of the types around it.
        let path: [String]
        /// The whole name.
        var name: String { path.joined(separator: ".") }
        /// The names in documents, the written one first.
        let names: [String]
        /// The line and column of its name.
        let place: Place
    }

    /// A protocol with `@ModelProtocol`, by its name.
    struct Declared {
        let conformers: [String]?
        let parents: [String]
        /// Whether it is a conformer of another one, with a key of its own.
        let isLevel: Bool
    }

    /// A place of a source, as the compiler prints it.
    struct Place: CustomStringConvertible {
        let path: String
        let line: Int
        let column: Int

        var description: String { "\(path):\(line):\(column)" }
    }

    private(set) var models: [Model] = []
    private(set) var protocols: [String: Declared] = [:]
    /// What types conform to, by their full names: in their declaration and in extensions.
    private(set) var conformances: [String: Set<String>] = [:]
    /// The names of macros that are declared.
    private(set) var declaredMacros: Set<String> = []

    /// Adds what a source declares.
    ///
    /// - Complexity: linear in the size of the source.
    mutating func read(_ source: SourceFileSyntax, at path: String) {
        let reader = Reader(source, path)
        models += reader.models
        protocols.merge(reader.protocols) { first, _ in first }
        conformances.merge(reader.conformances) { $0.union($1) }
        declaredMacros.formUnion(reader.declaredMacros)
    }
}

/// Goes over the declarations of one source.
private final class Reader: SyntaxVisitor {
    var models: [ModuleModels.Model] = []
    var protocols: [String: ModuleModels.Declared] = [:]
    var conformances: [String: Set<String>] = [:]
    var declaredMacros: Set<String> = []
    /// The names of the types around the node.
    private var around: [String] = []
    private let path: String
    private let places: SourceLocationConverter

    init(_ source: SourceFileSyntax, _ path: String) {
        self.path = path
        places = SourceLocationConverter(fileName: path, tree: source)
        super.init(viewMode: .sourceAccurate)
        walk(source)
    }

    override func visit(_ node: IfConfigDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: CodeBlockSyntax) -> SyntaxVisitorContinueKind { .skipChildren }

    override func visit(_ node: MacroDeclSyntax) -> SyntaxVisitorContinueKind {
        declaredMacros.insert(node.name.text)
        return .skipChildren
    }

    override func visit(_ node: ProtocolDeclSyntax) -> SyntaxVisitorContinueKind {
        var problems = Problems()
        if let macro = node.attributes.macro("ModelProtocol"),
            let known = ProtocolDeclaration(node, macro: macro, lexicalContext: [], &problems)
        {
            protocols[known.name] = ModuleModels.Declared(
                conformers: known.conformers,
                parents: known.parents,
                isLevel: known.typeName != nil
            )
        }
        return .skipChildren
    }

    override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind { enter(node) }
    override func visitPost(_ node: StructDeclSyntax) { around.removeLast() }
    override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind { enter(node) }
    override func visitPost(_ node: EnumDeclSyntax) { around.removeLast() }
    override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind { enter(node) }
    override func visitPost(_ node: ClassDeclSyntax) { around.removeLast() }
    override func visit(_ node: ActorDeclSyntax) -> SyntaxVisitorContinueKind { enter(node) }
    override func visitPost(_ node: ActorDeclSyntax) { around.removeLast() }

    override func visit(_ node: ExtensionDeclSyntax) -> SyntaxVisitorContinueKind {
        let type = node.extendedType.trimmedDescription.split(separator: ".").map(String.init)
        around += type
        add(node.inheritanceClause)
        return .visitChildren
    }

    override func visitPost(_ node: ExtensionDeclSyntax) {
        around.removeLast(node.extendedType.trimmedDescription.split(separator: ".").count)
    }

    private func enter(
        _ node: some DeclGroupSyntax & NamedDeclSyntax
    ) -> SyntaxVisitorContinueKind {
        around.append(node.name.text)
        if let macro = node.attributes.macro("Model"),
            let names = ModelDeclaration.names(
                macro,
                of: node.name.text,
                lexicalContext: sequence(first: Syntax(node), next: \.parent).dropFirst().filter {
                    $0.isProtocol((any DeclSyntaxProtocol).self)
                }
            )
        {
            let place = places.location(for: node.name.positionAfterSkippingLeadingTrivia)
            models.append(
                ModuleModels.Model(
                    path: around,
                    names: names,
                    place: ModuleModels.Place(path: path, line: place.line, column: place.column)
                )
            )
        }
        add(node.inheritanceClause)
        return .visitChildren
    }

    /// Adds what the innermost type conforms to.
    private func add(_ clause: InheritanceClauseSyntax?) {
        let names = clause?.inheritedTypes.flatMap { $0.type.conformanceNames } ?? []
        conformances[around.joined(separator: "."), default: []].formUnion(names)
    }
}

extension TypeSyntax {
    /// The names of protocols in an inheritance clause, without modules: `A & Shop.B`.
    fileprivate var conformanceNames: [String] {
        if let composition = self.as(CompositionTypeSyntax.self) {
            return composition.elements.flatMap { $0.type.conformanceNames }
        }
        if let attributed = self.as(AttributedTypeSyntax.self) {
            return attributed.baseType.conformanceNames
        }
        return [trimmedDescription.split(separator: ".").last.map(String.init) ?? ""]
    }
}

extension AttributeListSyntax {
    /// The attribute of a macro, also with its module: `@Model`, `@Dovetail.Model`.
    fileprivate func macro(_ name: String) -> AttributeSyntax? {
        for case .attribute(let attribute) in self {
            let last = attribute.attributeName.trimmedDescription.split(separator: ".").last
            if last == Substring(name) { return attribute }
        }
        return nil
    }
}
