import DovetailSyntax
import SwiftSyntax
import SwiftSyntaxMacros

/// `@ModelActor`: the container, the executor and the initializer of an actor, as far as it does not
/// declare them, and the conformance.
///
/// ```swift
/// nonisolated let modelExecutor: any Dovetail::ModelExecutor
/// nonisolated let modelContainer: Dovetail::ModelContainer
/// init(modelContainer: Dovetail::ModelContainer) { … }
///
/// extension Librarian: Dovetail::ModelActor {}
/// ```
///
/// What is no actor is refused by the compiler at the conformance.
struct ModelActorMacro {
    /// The text is formatted already (``SourceText``), and is no syntax that could be.
    static var formatMode: FormatMode { .disabled }

    /// What an actor declares of what the macro writes.
    private struct Declared {
        var names: Set<String> = []
        /// Whether `init(modelContainer:)` would be another declaration of the same call, or cannot
        /// set every property.
        var hidesInitializer = false

        init(_ members: MemberBlockItemListSyntax) {
            for member in members { read(member.decl) }
        }

        private mutating func read(_ declaration: DeclSyntax) {
            if let initializer = declaration.as(InitializerDeclSyntax.self) {
                let parameters = initializer.signature.parameterClause.parameters
                if parameters.first?.firstName.text == "modelContainer",
                    parameters.dropFirst().allSatisfy({ $0.defaultValue != nil })
                {
                    hidesInitializer = true
                }
            } else if let variable = declaration.as(VariableDeclSyntax.self) {
                read(variable)
            } else if let condition = declaration.as(IfConfigDeclSyntax.self) {
                // A branch that is not compiled counts too: the macro cannot tell.
                for clause in condition.clauses {
                    guard case .decls(let members) = clause.elements else { continue }
                    for member in members { read(member.decl) }
                }
            }
        }

        private mutating func read(_ variable: VariableDeclSyntax) {
            let modifiers = variable.modifiers.map(\.name.text)
            guard !modifiers.contains("static"), !modifiers.contains("lazy") else { return }
            for binding in variable.bindings {
                guard let name = binding.pattern.as(IdentifierPatternSyntax.self) else { continue }
                let text = name.identifier.text
                names.insert(text)
                guard text != "modelContainer", text != "modelExecutor", binding.isStored,
                    binding.initializer == nil, variable.attributes.isEmpty
                else { continue }
                let isVariable = variable.bindingSpecifier.tokenKind == .keyword(.var)
                if !(isVariable && binding.isOptional) { hidesInitializer = true }
            }
        }
    }
}

extension PatternBindingSyntax {
    /// Whether it is no computed property: it has no accessors but observers.
    fileprivate var isStored: Bool {
        guard let accessors = accessorBlock?.accessors else { return true }
        guard case .accessors(let list) = accessors else { return false }
        return list.allSatisfy { ["willSet", "didSet"].contains($0.accessorSpecifier.text) }
    }

    /// Whether a variable of the type is nil without a value.
    fileprivate var isOptional: Bool {
        guard let type = typeAnnotation?.type else { return false }
        return type.isWrittenAsOptional || type.is(ImplicitlyUnwrappedOptionalTypeSyntax.self)
    }
}

extension ModelActorMacro: MemberMacro {
    static func expansion(
        of node: AttributeSyntax,
        providingMembersOf declaration: some DeclGroupSyntax,
        conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        let declared = Declared(declaration.memberBlock.members)
        let access = access(of: declaration, in: context.lexicalContext)
        var members: [String] = []
        if !declared.names.contains("modelExecutor") {
            members.append("\(access)nonisolated let modelExecutor: any Dovetail::ModelExecutor")
        }
        if !declared.names.contains("modelContainer") {
            members.append("\(access)nonisolated let modelContainer: Dovetail::ModelContainer")
        }
        if !declared.hidesInitializer {
            members.append(
                SourceText.at(depth: 0) { source in
                    source.block("\(access)init(modelContainer: Dovetail::ModelContainer)") {
                        $0.line("self.modelExecutor = Dovetail::DefaultSerialModelExecutor(")
                        $0.indented { source in
                            source.line("modelContext: Dovetail::ModelContext(modelContainer)")
                        }
                        $0.line(")")
                        $0.line("self.modelContainer = modelContainer")
                    }
                }
            )
        }
        return members.map(RawSource.declaration)
    }

    /// The access level that the members need, with a space behind it. Private actors need none: a
    /// private member could not fulfil the requirement.
    private static func access(
        of declaration: some DeclGroupSyntax,
        in lexicalContext: [Syntax]
    ) -> String {
        let levels = ["public", "package", "internal", "fileprivate", "private"]
        func level(_ modifiers: DeclModifierListSyntax) -> String? {
            modifiers.map(\.name.text).first { levels.contains($0) }
        }
        // What an extension says is the default of the declarations in it.
        let outer = lexicalContext.first?.as(ExtensionDeclSyntax.self)?.modifiers
        switch level(declaration.modifiers) ?? outer.flatMap(level) {
        case "public": return "public "
        case "package": return "package "
        default: return ""
        }
    }
}

extension ModelActorMacro: ExtensionMacro {
    /// The conformance, unless the actor declares it.
    static func expansion(
        of node: AttributeSyntax,
        attachedTo declaration: some DeclGroupSyntax,
        providingExtensionsOf type: some TypeSyntaxProtocol,
        conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) throws -> [ExtensionDeclSyntax] {
        guard !protocols.isEmpty else { return [] }
        return [RawSource.extensionOf(type, conformances: ["Dovetail::ModelActor"], members: "")]
    }
}
