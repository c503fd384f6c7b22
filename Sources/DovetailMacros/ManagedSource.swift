import DovetailSyntax

/// Writes what a class has whose instances a context keeps, beside what every model has.
///
/// ```swift
/// let persistentBacking: Dovetail::ObjectBacking = Dovetail::ObjectBacking()
/// static var modelRelationships: [Dovetail::ModelRelationship] {
///     Dovetail::_relationships([
///         Dovetail::_relationship("items", \Box.items, slot: 0, deleteRule: .cascade)
///     ])
/// }
/// ```
struct ManagedSource {
    let model: ModelDeclaration
    let attributes: [ModelDeclaration.Attribute]
    /// The name of the type as the file knows it.
    var qualifiedName = "Self"

    private var access: String { model.access }

    /// Writes the members of the body: the relationships name types that the extension of a nested
    /// declaration does not see.
    func writeMembers(to source: inout SourceText) {
        source.line("/// What the context knows of the object.")
        source.line(
            "\(access)let persistentBacking: Dovetail::ObjectBacking = Dovetail::ObjectBacking()"
        )
        let relationships = attributes.compactMap { attribute -> String? in
            guard let slot = model.slot(of: attribute.property) else { return nil }
            let arguments = attribute.property.attribute.relationship.map { ", " + $0 }.joined()
            if let existential = attribute.property.relatedProtocol {
                return "Dovetail::_anyRelationship(\(RawSource.literal(attribute.documentName)), "
                    + "\\\(model.name).\(attribute.property.name), slot: \(slot), "
                    + "to: \(CodingExpression.ofProtocol(existential)), "
                    + "{ $0 }\(arguments))"
                    + terms(of: attribute.property.attribute)
            }
            return "Dovetail::_relationship(\(RawSource.literal(attribute.documentName)), "
                + "\\\(model.name).\(attribute.property.name), slot: \(slot)\(arguments))"
                + terms(of: attribute.property.attribute)
        }
        source.block("\(access)static var modelRelationships: [Dovetail::ModelRelationship]") {
            if relationships.isEmpty {
                $0.line("[]")
            } else {
                $0.list("Dovetail::_relationships([", relationships, "])")
            }
        }
        source.block("\(access)func _$take(from other: \(model.name))") { source in
            for property in attributes.map(\.property) where property.isVariable {
                let storage = model.storage(of: property)
                source.line("\(storage) = other.\(storage)")
            }
        }
        if model.needsCodingKeys { writeCodingKeys(to: &source) }
    }

    /// What `@Relationship` says that few relationships have.
    private func terms(of attribute: AttributeArguments) -> String {
        var terms = attribute.relationshipTerms
        if !attribute.relationshipOptions.isEmpty {
            let options = attribute.relationshipOptions.joined(separator: ", ")
            terms.insert("options: [\(options)]", at: 0)
        }
        return terms.isEmpty ? "" : "?.with(\(terms.joined(separator: ", ")))"
    }

    /// Writes the names by which the compiler's own `Codable` writes the properties: that of each, and
    /// not that of its storage.
    private func writeCodingKeys(to source: inout SourceText) {
        source.block("private enum CodingKeys: Swift::String, Swift::CodingKey") { source in
            for property in attributes.map(\.property) where !property.isConstant {
                let storage = model.storage(of: property)
                source.line(
                    storage == property.name
                        ? "case \(storage)"
                        : "case \(storage) = \(RawSource.literal(property.plainName))"
                )
            }
            if model.keepsUnknownFields { source.line("case unknownFields") }
        }
    }

    /// Writes the members of the extension.
    func write(to source: inout SourceText) {
        let name = qualifiedName
        let hasKey = attributes.contains { $0.property.attribute.isPrimaryKey }
        let alias = model.declaresID ? "" : ", aliases: [\\\(name).id]"
        source.line(
            "\(access)static var hiddenKey: Dovetail::ModelAttribute? { "
                + (hasKey ? "nil" : "Dovetail::_hiddenKey(\\\(name).persistentModelID\(alias))")
                + " }"
        )
        let stored = attributes.filter(\.property.isVariable).map(\.property)
        source.block("\(access)func _$link()") { source in
            source.line("_$beginLinking()")
            for property in stored {
                guard let slot = model.slot(of: property) else { continue }
                let storage = model.storage(of: property)
                let linked = property.relatedProtocol == nil ? "_$linked" : "_$anyLinked"
                source.line("\(storage) = \(linked)(\(storage), \(slot))")
            }
        }
    }
}

extension ModelDeclaration {
    /// What holds the value of a property: itself, or the storage behind its accessors.
    func storage(of property: StoredProperty) -> String {
        isManaged && property.isVariable ? "_" + property.plainName : property.name
    }

    /// Whether a property holds objects of all classes that conform to a protocol.
    func isOfProtocol(_ property: StoredProperty) -> Bool {
        slot(of: property) != nil && property.relatedProtocol != nil
    }

    /// The slot of a property that may be a relationship; nil for one that is an attribute.
    func slot(of property: StoredProperty) -> Int? {
        guard isManaged, property.isVariable else { return nil }
        return slots.firstIndex(of: property.plainName)
    }
}
