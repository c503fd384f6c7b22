import DovetailSyntax
import SwiftSyntax
import SwiftSyntaxMacros

/// `@Model`: one body that reads and one that writes, the list of attributes, and the function that
/// keeps the type's conformances in the program.
///
/// Everything that can be in an extension is, because an extension leaves the struct its memberwise
/// initializer. The extension role reports the problems of a declaration.
/// `Tests/Packages/Expanded.txt` shows what is written for every form of model.
///
/// ```swift
/// extension Owner: Dovetail::ModelValue, Dovetail::Model {
///     static var typeName: Swift::String { "Owner" }
///     static var modelAttributes: [Dovetail::ModelAttribute] { … }
///     func encode(to writer: inout Dovetail::ModelWriter) throws { … }
///     init(modelValue reader: inout Dovetail::ModelReader) throws { … }
///     @used private static func _$keep() -> Any.Type { Self.self }
/// }
/// ```
struct ModelMacro: ExtensionMacro {
    /// The text is formatted already (``SourceText``), and is no syntax that could be.
    static var formatMode: FormatMode { .disabled }

    /// The extension of the type, and a second one for `KeyedModel` of a generic type.
    ///
    /// `protocols` are the conformances that the type does not declare itself; a conformance that
    /// it has must not be written again.
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
            isSubclass: isSubclass(declaration, conformingTo: protocols),
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
        // Of a class that another one may inherit from, the compiler (Swift 6.3) ends at the other one
        // unless it conforms to every protocol that the macro may add.
        let strangers =
            model.hierarchy.map { !$0.isFinal && !$0.isSubclass } ?? false
            ? [
                RawSource.extensionOf(
                    type,
                    conformances: ["_RawEnum", "_RawFraction"].filter(wanted.contains)
                        .map { "Dovetail::\($0)" },
                    isNonisolated: true,
                    isUnavailable: true,
                    members: ""
                )
            ] : []
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
                // In a module whose default isolation is the main actor this keeps the conformances
                // of an enum to Codable off it, and those that come with `PersistentModel`. A struct needs
                // none, as models are not isolated.
                isNonisolated: declaration.is(EnumDeclSyntax.self) || model.isManaged,
                members: SourceText.at(depth: 1, source.write)
            )
        ] + identity + strangers
    }
}

extension ModelMacro: MemberMacro {
    /// What cannot be in an extension: the initializer of a class, the property `unknownFields`,
    /// and for a nested type the names that only its surroundings know. A declaration that has none
    /// of these is not read a second time.
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
            isSubclass: isSubclass(declaration, conformingTo: protocols),
            &problems
        )
        return model.map { ModelSource($0) }?.ownMembers.map(RawSource.declaration) ?? []
    }
}

extension ModelMacro {
    /// Whether a declaration is a class whose superclass is a managed model. The macro gives each class
    /// at the top of others a protocol that nobody else adopts, so the compiler asks for that one
    /// wherever it is not inherited.
    fileprivate static func isSubclass(
        _ declaration: some DeclGroupSyntax,
        conformingTo protocols: [TypeSyntax]
    ) -> Bool {
        declaration.is(ClassDeclSyntax.self) && declaration.inheritanceClause != nil
            && !protocols.contains { $0.trimmedDescription.hasSuffix("_ManagedRoot") }
    }
}

extension ModelDeclaration {
    /// The conditions of the extension, as `Value: Dovetail::ModelValue`.
    var requirements: [String] { modelParameters.map { "\($0): Dovetail::ModelValue" } }

    /// Whether `KeyedModel` needs an extension of its own: a conformance with a condition does not
    /// imply one to `Identifiable`.
    var hasOwnKeyExtension: Bool {
        conformances.contains("KeyedModel") && !modelParameters.isEmpty
    }

    private var flattenable: [String] { isFlattenable ? ["FlattenableModel"] : [] }

    /// The protocols that generated code makes the type conform to. A raw enum is also the key of a
    /// dictionary, unless its raw values are fractions.
    var conformances: [String] {
        switch shape {
        case .structure where hierarchy?.isSubclass == true: []
        case .structure(let attributes):
            (hierarchy != nil || attributes.contains { $0.property.attribute.isPrimaryKey }
                ? ["ModelValue", "Model", "KeyedModel"] : ["ModelValue", "Model"]) + flattenable
                + (isManaged ? ["_ManagedRoot", "ManagedModel", "PersistentModel"] : [])
        case .caseEnum, .textEnum: ["ModelValue", "Model"] + flattenable
        case .stringEnum, .rawEnum:
            // Fractions are no field names.
            ["ModelValue", "Model"]
                + [rawType == "Double" || rawType == "Float" ? "_RawFraction" : "_RawEnum"]
        }
    }
}
