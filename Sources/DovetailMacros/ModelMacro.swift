import DovetailSyntax
import SwiftSyntax
import SwiftSyntaxMacros

/// `@Model`: the one body that reads and the one that writes, the list of attributes, and the call
/// that makes the type known to its protocols.
struct ModelMacro: ExtensionMacro {
    static var formatMode: FormatMode { .disabled }

    static func expansion(
        of node: AttributeSyntax,
        attachedTo declaration: some DeclGroupSyntax,
        providingExtensionsOf type: some TypeSyntaxProtocol,
        conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) throws -> [ExtensionDeclSyntax] {
        var problems = Problems()
        let model = ModelDeclaration(
            declaration,
            macro: node,
            lexicalContext: context.lexicalContext,
            &problems
        )
        problems.diagnostics.forEach(context.diagnose)
        guard let model else { return [] }
        let wanted = Set(
            protocols.compactMap {
                $0.trimmedDescription.split(separator: ".").last.map(String.init)
            }
        )
        return [
            RawSource.extensionOf(
                type,
                conformances: model.conformances.filter { wanted.contains($0) }
                    .map { $0.hasPrefix("Model") ? "Dovetail::\($0)" : "Swift::\($0)" },
                members: ModelSource(model).members
            )
        ]
    }
}

extension ModelDeclaration {
    /// The protocols that generated code makes the type conform to.
    var conformances: [String] {
        switch shape {
        case .structure(let attributes):
            attributes.contains { $0.property.attribute.isPrimaryKey }
                ? ["Model", "Identifiable"] : ["Model"]
        case .caseEnum: ["Model"]
        // A compared enum has to be Codable for predicates.
        case .stringEnum, .rawEnum:
            ["Model", "Sendable", "Encodable", "Decodable"]
                // Fractions are no field names.
                + (rawType == "Double" || rawType == "Float" ? [] : ["ModelKey"])
        }
    }
}
