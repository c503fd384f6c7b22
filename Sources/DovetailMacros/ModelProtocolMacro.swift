import DovetailSyntax
import SwiftSyntax
import SwiftSyntaxMacros

/// `@ModelProtocol`: requirements that every model fulfils already, and beside the protocol the
/// coding of `any P` with the overloads through which generated code finds it.
struct ModelProtocolMacro {
    static var formatMode: FormatMode { .disabled }

    /// For the roles that leave the reporting to the member role.
    private static func quietly(
        read declaration: some SyntaxProtocol,
        _ macro: AttributeSyntax,
        _ context: some MacroExpansionContext
    ) -> ProtocolDeclaration? {
        var problems = Problems()
        return ProtocolDeclaration(
            declaration,
            macro: macro,
            lexicalContext: context.lexicalContext,
            &problems
        )
    }
}

extension ModelProtocolMacro: MemberMacro {
    static func expansion(
        of node: AttributeSyntax,
        providingMembersOf declaration: some DeclGroupSyntax,
        conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        // The one role that reports, so that a problem is not said three times.
        var problems = Problems()
        let model = ProtocolDeclaration(
            declaration,
            macro: node,
            lexicalContext: context.lexicalContext,
            &problems
        )
        problems.diagnostics.forEach(context.diagnose)
        guard let model else { return [] }
        // Only a list can name generic types, which refuse this requirement.
        let registered =
            model.conformers == nil
            ? ["nonisolated static func _isRegistered()"] : []
        let requirements = [
            "nonisolated static var typeName: Swift::String { get }",
            "nonisolated init(modelValue reader: inout Dovetail::ModelReader) throws",
            "nonisolated func encode(to writer: inout Dovetail::ModelWriter) throws",
            "nonisolated " + ModelProtocolSource(model: model).boxing,
        ]
        return (requirements + registered).map(RawSource.declaration)
    }
}

extension ModelProtocolMacro: PeerMacro {
    static func expansion(
        of node: AttributeSyntax,
        providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        guard let model = quietly(read: declaration, node, context) else { return [] }
        return ModelProtocolSource(model: model).peers.map(RawSource.declaration)
    }
}

extension ModelProtocolMacro: ExtensionMacro {
    static func expansion(
        of node: AttributeSyntax,
        attachedTo declaration: some DeclGroupSyntax,
        providingExtensionsOf type: some TypeSyntaxProtocol,
        conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) throws -> [ExtensionDeclSyntax] {
        guard let model = quietly(read: declaration, node, context) else { return [] }
        let source = ModelProtocolSource(model: model)
        let encoding = RawSource.extensionOf(
            type,
            conformances: [],
            isNonisolated: true,
            members: SourceText.at(depth: 1, source.writeExtension)
        )
        guard model.unknown == .preserve, !model.answers.isEmpty else { return [encoding] }
        let answers = RawSource.extensionOf(
            type,
            conformances: [],
            requirements: ["Self: Dovetail::UnknownModel"],
            isNonisolated: true,
            members: SourceText.at(depth: 1, source.writeAnswers)
        )
        return [encoding, answers]
    }
}
