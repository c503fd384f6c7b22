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
            configuration: context.buildConfiguration,
            &problems
        )
        problems.diagnostics.forEach(context.diagnose)
        guard let model else { return [] }
        let parameters = model.typeParameters.joined(separator: ", ")
        let name = type.trimmedDescription + (parameters.isEmpty ? "" : "<\(parameters)>")
        let wanted = Set(
            protocols.compactMap {
                $0.trimmedDescription.split(separator: ".").last.map(String.init)
            }
        )
        let keyed = model.hasOwnKeyExtension ? ["KeyedModel"] : []
        let source = ModelSource(model, named: name)
        let identity = keyed.map {
            RawSource.extensionOf(
                type,
                conformances: wanted.contains($0) ? ["Dovetail::\($0)"] : [],
                members: SourceText.at(depth: 1, source.writeIdentity)
            )
        }
        return [
            RawSource.extensionOf(
                type,
                conformances: model.conformances
                    .filter { wanted.contains($0) && !keyed.contains($0) }
                    .map { "Dovetail::\($0)" },
                requirements: model.requirements,
                // Where a module belongs to the main actor, this keeps the conformances of an enum
                // to Codable from doing so. A struct is not isolated, as models are not.
                isNonisolated: declaration.is(EnumDeclSyntax.self),
                members: SourceText.at(depth: 1, source.write)
            )
        ] + identity
    }
}

extension ModelMacro: MemberMacro {
    /// What cannot stand in an extension: the initializer of a class, and for a nested type the
    /// names that only its surroundings know, and the property for fields that are not declared. Other declarations are not even read here.
    static func expansion(
        of node: AttributeSyntax,
        providingMembersOf declaration: some DeclGroupSyntax,
        conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        guard
            declaration.is(ClassDeclSyntax.self) || !context.lexicalContext.isEmpty
                || ModelDeclaration.keepsUnknownFields(node)
        else { return [] }
        // The extension role reports problems, so that none is said twice.
        var problems = Problems()
        let model = ModelDeclaration(
            declaration,
            macro: node,
            lexicalContext: context.lexicalContext,
            configuration: context.buildConfiguration,
            &problems
        )
        return model.map { ModelSource($0) }?.ownMembers.map(RawSource.declaration) ?? []
    }
}

extension ModelDeclaration {
    /// What the type parameters have to fulfil for the type to be a model.
    var requirements: [String] { modelParameters.map { "\($0): Dovetail::ModelValue" } }

    /// Whether `KeyedModel` stands in an extension of its own, as a conformance with a condition
    /// would not imply `Identifiable`.
    var hasOwnKeyExtension: Bool {
        conformances.contains("KeyedModel") && !modelParameters.isEmpty
    }

    /// The protocols that generated code makes the type conform to.
    var conformances: [String] {
        switch shape {
        case .structure(let attributes):
            attributes.contains { $0.property.attribute.isPrimaryKey }
                ? ["ModelValue", "Model", "KeyedModel"] : ["ModelValue", "Model"]
        case .caseEnum, .textEnum: ["ModelValue", "Model"]
        case .stringEnum, .rawEnum:
            ["ModelValue", "Model", "RawModel"]
                // Fractions are no field names.
                + (rawType == "Double" || rawType == "Float" ? [] : ["ModelKey"])
        }
    }
}
