import DovetailSyntax
import SwiftSyntax
import SwiftSyntaxMacros

/// `@ModelProtocol`: requirements that every model fulfils already and, beside the protocol, the
/// coding of `any P`, which the extension has a member for.
///
/// The compiler expands its three roles separately, each with the declaration as it is written. So
/// each reads it, and only the member role reports problems.
///
/// ```swift
/// nonisolated static var typeName: Swift::String { get }
/// nonisolated init(modelValue reader: inout Dovetail::ModelReader) throws
/// nonisolated func encode(to writer: inout Dovetail::ModelWriter) throws
/// nonisolated static func _boxed(from reader: inout Dovetail::ModelReader) throws -> any Pet
/// nonisolated static func _hasNoParameters()
/// ```
struct ModelProtocolMacro {
    /// The text is formatted already (``SourceText``), and is no syntax that could be.
    static var formatMode: FormatMode { .disabled }

    /// Reads the declaration for the roles that report nothing; nil when it has problems.
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
    /// The requirements, through which `any P` dispatches without a cast. They are nonisolated,
    /// because a value is read and written on any thread.
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
        // A generic type cannot fulfil this requirement, so a protocol without a list refuses it. A
        // list may name generic types.
        let registered =
            model.conformers == nil
            ? ["nonisolated static func _hasNoParameters()"] : []
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
    /// The coding of `any P`, and the types of preserved elements and of wrapped ones.
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
    /// The name of the coding, `encoded(as:)` with the type key for every conformer, and the answers
    /// of preserved elements.
    static func expansion(
        of node: AttributeSyntax,
        attachedTo declaration: some DeclGroupSyntax,
        providingExtensionsOf type: some TypeSyntaxProtocol,
        conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) throws -> [ExtensionDeclSyntax] {
        guard let model = quietly(read: declaration, node, context) else { return [] }
        let source = ModelProtocolSource(model: model, qualifiedName: type.trimmedDescription)
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
