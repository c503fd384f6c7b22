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
            ? [RawSource.declaration("static func _isRegistered()")] : []
        return [
            RawSource.declaration("static var typeName: Swift::String { get }"),
            RawSource.declaration("init(modelValue reader: inout Dovetail::ModelReader) throws"),
            RawSource.declaration("func encode(to writer: inout Dovetail::ModelWriter) throws"),
            RawSource.declaration(boxing(as: model) + " throws -> any \(model.name)"),
        ] + registered
    }
}

extension ModelProtocolMacro: PeerMacro {
    static func expansion(
        of node: AttributeSyntax,
        providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        guard let model = quietly(read: declaration, node, context) else { return [] }
        let (name, access) = (model.name, model.access)
        return [
            RawSource.declaration(coding(of: model)),
            RawSource.declaration(
                "\(access)func _dovetailCoding(_: (any \(name))?) -> \(name)Model.Type "
                    + "{ \(name)Model.self }"
            ),
        ] + (model.preserves ? [RawSource.declaration(unknown(of: model))] : [])
    }

    /// The requirement that gives a conformer as `any P`. The compiler writes it once a conformer,
    /// where it knows the size of the type; made of the metatype alone, the box of the existential
    /// is looked up in a table of the runtime, which took a tenth of the time of reading.
    private static func boxing(as model: ProtocolDeclaration) -> String {
        "static func _boxed(from reader: inout Dovetail::ModelReader)"
    }

    /// The type that stands for elements that are kept as they are.
    private static func unknown(of model: ProtocolDeclaration) -> String {
        let (name, access) = (model.name, model.access)
        return """
            /// An element of a document that no conformer of `\(name)` could read, as it is.
            \(access)struct Unknown\(name): \(name), Dovetail::UnknownModel {
            \(access)let preserved: Dovetail::PreservedElement
            \(access)init(preserved: Dovetail::PreservedElement) { self.preserved = preserved }
            }
            """
    }

    private static func coding(of model: ProtocolDeclaration) -> String {
        let (name, access) = (model.name, model.access)
        let list = model.conformers.map { conformers in
            ", only: { [\(conformers.joined(separator: ", "))] as [any \(name).Type] }"
        }
        var typeName = "type(of: value).typeName"
        if model.preserves {
            typeName = "(value as? any Dovetail::UnknownModel)?.preserved.typeName ?? " + typeName
        }
        return """
            \(access)enum \(name)Model: Dovetail::\(model.preserves ? "PreservingCoding" : "ProtocolCoding") {
            \(access)typealias Value = any \(name)
            \(access)static let tagging: Dovetail::ConformerTagging = \(tagging(of: model))
            \(access)static let conformers = Dovetail::ConformerTable<any \(name)>(\(RawSource.literal(name)), tagging: tagging\(list ?? "")) { model in
            guard let type = model as? any \(name).Type else { return nil }
            return { reader in try type._boxed(from: &reader) }
            }
            \(access)static func modelType(of value: any \(name)) -> Any.Type { type(of: value) }
            \(access)static func typeName(of value: any \(name)) -> Swift::String { \(typeName) }
            \(access)static func encodeContent(_ value: any \(name), to writer: inout Dovetail::ModelWriter) throws {
            try value.encode(to: &writer)
            }\(policy(of: model))
            }
            """
    }

    private static func policy(of model: ProtocolDeclaration) -> String {
        let (name, access) = (model.name, model.access)
        switch model.unknown {
        case "preserve":
            return """

                \(access)static func unknown(_ element: Dovetail::PreservedElement) -> any \(name) {
                Unknown\(name)(preserved: element)
                }
                """
        case "skip": return "\n\(access)static var skipsUnknown: Swift::Bool { true }"
        default: return ""
        }
    }

    /// What the protocol says itself, and the parents that it has the rest from.
    private static func tagging(of model: ProtocolDeclaration) -> String {
        let parents = model.parents.map { "_dovetailCoding(nil as (any \($0))?).tagging" }
        var arguments = ["inheriting: [\(parents.joined(separator: ", "))]"]
        var key = model.typeKey
        if case .adjacent(let tag, _) = model.tagging { key = tag }
        if let key { arguments.append("typeKey: \(RawSource.literal(key))") }
        if let aliases = model.aliases {
            let names = aliases.map(RawSource.literal).joined(separator: ", ")
            arguments.append("aliases: [\(names)]")
        }
        switch model.tagging {
        case .internal: arguments.append("form: .internal")
        case .external: arguments.append("form: .external")
        case .adjacent(_, let content):
            arguments.append("form: .adjacent")
            arguments.append("content: \(RawSource.literal(content))")
        case nil: break
        }
        if let kind = model.tagKind { arguments.append("kind: .\(kind)") }
        return "Dovetail::ConformerTagging(\(arguments.joined(separator: ", ")))"
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
        return [
            RawSource.extensionOf(
                type,
                conformances: [],
                members: """
                    /// Writes a document that says the type, as `any \(model.name)`.
                    @_disfavoredOverload
                    \(model.access)func encoded(as format: Dovetail::ModelFormat) throws -> Foundation::Data {
                    try Dovetail::ModelWriter.encode(as: format) { try \(model.name)Model.encode(self, to: &$0) }
                    }
                    /// Reads a value as `any \(model.name)`. Called by generated code.
                    \(model.access == "public " ? "@inlinable " : "")\(model.access)\(boxing(as: model)) throws -> any \(model.name) {
                    try Self(modelValue: &reader)
                    }
                    """
            )
        ] + answers(of: model, type)
    }

    /// What the protocol asks for, answered for elements that are kept as they are. In an extension
    /// of the protocol, so that those of protocols that refine it have the answers too.
    private static func answers(
        of model: ProtocolDeclaration,
        _ type: some TypeSyntaxProtocol
    ) -> [ExtensionDeclSyntax] {
        guard model.preserves, !model.answers.isEmpty else { return [] }
        let members = model.answers.map { name, type in
            let coding = CodingExpression.of(type).map { ", by: \($0)" } ?? ""
            let key = RawSource.literal(name.filter { $0 != "`" })
            return "\(model.access)var \(name): \(type) { self.preserved.answer(\(key)\(coding)) }"
        }
        return [
            RawSource.extensionOf(
                type,
                conformances: [],
                requirements: ["Self: Dovetail::UnknownModel"],
                members: members.joined(separator: "\n")
            )
        ]
    }
}

extension ProtocolDeclaration {
    fileprivate var preserves: Bool { unknown == "preserve" }
}
