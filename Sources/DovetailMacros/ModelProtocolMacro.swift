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
        _ macro: AttributeSyntax
    ) -> ProtocolDeclaration? {
        var problems = Problems()
        return ProtocolDeclaration(declaration, macro: macro, &problems)
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
        let model = ProtocolDeclaration(declaration, macro: node, &problems)
        problems.diagnostics.forEach(context.diagnose)
        guard model != nil else { return [] }
        return [
            RawSource.declaration("static var typeName: Swift::String { get }"),
            RawSource.declaration("init(modelValue reader: inout Dovetail::ModelReader) throws"),
            RawSource.declaration("func encode(to writer: inout Dovetail::ModelWriter) throws"),
        ]
    }
}

extension ModelProtocolMacro: PeerMacro {
    static func expansion(
        of node: AttributeSyntax,
        providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        guard let model = quietly(read: declaration, node) else { return [] }
        let (name, access) = (model.name, model.access)
        return [
            RawSource.declaration(coding(of: model)),
            RawSource.declaration(
                "\(access)func _dovetailCoding(_: (any \(name))?) -> \(name)Model.Type "
                    + "{ \(name)Model.self }"
            ),
            RawSource.declaration(
                "\(access)func _dovetailCoding() -> Dovetail::ModelTable<any \(name)> "
                    + "{ Dovetail::ModelTable(\(name)Model.self) }"
            ),
        ]
    }

    private static func coding(of model: ProtocolDeclaration) -> String {
        let (name, access) = (model.name, model.access)
        let tagging: String
        if let key = model.typeKey {
            tagging =
                "Dovetail::ModelTagging(typeKey: \(RawSource.literal(key)), "
                + "token: \(RawSource.fieldToken(key)))"
        } else {
            let parents = model.parents.map { "_dovetailCoding(nil as (any \($0))?).tagging" }
            tagging = "_inherited(\(parents.joined(separator: ", ")))"
        }
        return """
            \(access)enum \(name)Model: Dovetail::ProtocolCoding {
            \(access)static let tagging: Dovetail::ModelTagging = \(tagging)
            \(access)static let conformers = Dovetail::ConformerTable<any \(name)>(\(RawSource.literal(name)), tagging: tagging) { model in
            guard let type = model as? any \(name).Type else { return nil }
            return { reader in try type.init(modelValue: &reader) }
            }
            \(access)static func encode(_ value: any \(name), to writer: inout Dovetail::ModelWriter) throws {
            writer.tagNextObject(tagging, name: type(of: value).typeName)
            try value.encode(to: &writer)
            try writer.expectTagWritten()
            }
            }
            """
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
        guard let model = quietly(read: declaration, node) else { return [] }
        return [
            RawSource.extensionOf(
                type,
                conformances: [],
                members: """
                    /// Writes a document that starts with the type key.
                    @_disfavoredOverload
                    \(model.access)func encoded(as format: Dovetail::ModelFormat) throws -> Foundation::Data {
                    try Dovetail::ModelWriter.encode(as: format) { try \(model.name)Model.encode(self, to: &$0) }
                    }
                    """
            )
        ]
    }
}
