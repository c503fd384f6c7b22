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
        if model.hierarchy?.isSubclass != true {
            source.line("/// What the context knows of the object.")
            source.line(
                "\(access)let persistentBacking: Dovetail::ObjectBacking = Dovetail::ObjectBacking()"
            )
        }
        if model.hierarchy != nil { writeClasses(to: &source) }
        let root = model.hierarchy == nil ? model.name : Self.root
        let relationships = attributes.compactMap { attribute -> String? in
            guard let slot = model.slot(of: attribute.property) else { return nil }
            let arguments = attribute.property.attribute.relationship.map { ", " + $0 }.joined()
            if let existential = attribute.property.relatedProtocol {
                return "Dovetail::_anyRelationship(\(RawSource.literal(attribute.documentName)), "
                    + "\\\(root).\(attribute.property.name), slot: \(slot), "
                    + "to: \(CodingExpression.ofProtocol(existential, in: model)), "
                    + "{ $0 }\(arguments))"
                    + terms(of: attribute.property.attribute)
            }
            return "Dovetail::_relationship(\(RawSource.literal(attribute.documentName)), "
                + "\\\(root).\(attribute.property.name), slot: \(slot)\(arguments))"
                + terms(of: attribute.property.attribute)
        }
        source.block(
            "\(model.classMember())var modelRelationships: [Dovetail::ModelRelationship]"
        ) {
            let list = { (source: inout SourceText) in
                if relationships.isEmpty {
                    source.line("[]")
                } else {
                    let owner = model.hierarchy == nil ? "" : ", of: \(model.name).self"
                    source.list("Dovetail::_relationships([", relationships, "]\(owner))")
                }
            }
            guard model.hierarchy != nil else { return list(&$0) }
            Self.writeList(of: model, "modelRelationships", "ModelRelationship", to: &$0, list)
        }
        source.block(
            "\(model.objectMember())func _$take(from other: any Dovetail::PersistentModel)"
        ) {
            source in
            if model.hierarchy?.isSubclass == true { source.line("super._$take(from: other)") }
            let variables = attributes.map(\.property).filter(\.isVariable)
            if variables.isEmpty { return }
            source.line("guard let other = other as? \(model.name) else { return }")
            for property in variables {
                let storage = model.storage(of: property)
                let taking = "\(storage) = other.\(storage)"
                source.line(
                    model.defers(property)
                        ? "if _$takes(\\.\(property.name), from: other) { \(taking) }" : taking
                )
            }
        }
        if model.hierarchy != nil { writeLink(to: &source) }
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
        if let hierarchy = model.hierarchy {
            if !hierarchy.isSubclass { writeRoot(to: &source) }
            return
        }
        let hasKey = attributes.contains { $0.property.attribute.isPrimaryKey }
        let alias = model.declaresID ? "" : ", aliases: [\\\(name).id]"
        source.line(
            "\(access)static var hiddenKey: Dovetail::ModelAttribute? { "
                + (hasKey ? "nil" : "Dovetail::_hiddenKey(\\\(name).persistentModelID\(alias))")
                + " }"
        )
        writeLink(to: &source)
    }

    private func writeLink(to source: inout SourceText) {
        let stored = attributes.filter(\.property.isVariable).map(\.property)
        source.block("\(model.objectMember())func _$link()") { source in
            source.line(
                model.hierarchy?.isSubclass == true ? "super._$link()" : "_$beginLinking()"
            )
            for property in stored {
                guard let slot = model.slot(of: property) else { continue }
                let storage = model.storage(of: property)
                let linked = property.relatedProtocol == nil ? "_$linked" : "_$anyLinked"
                let linking = "\(storage) = \(linked)(\(storage), \(slot))"
                source.line(property.hasObservers ? "_$taking { \(linking) }" : linking)
            }
        }
    }
}

extension ManagedSource {
    /// The type parameter that stands for the class or a subclass in key paths: the same property has
    /// another key path in each of them.
    static let root = "_$Root"

    /// Writes the body of a class property that is a list, which begins with that of the superclass.
    static func writeList(
        of model: ModelDeclaration,
        _ name: String,
        _ element: String,
        to source: inout SourceText,
        _ list: (inout SourceText) -> Void
    ) {
        source.block(
            "func own<\(root): \(model.name)>(of root: \(root).Type) -> [Dovetail::\(element)]",
            list
        )
        let inherited = model.hierarchy?.isSubclass == true ? "super.\(name) + " : ""
        source.line("return \(inherited)own(of: Self.self)")
    }

    /// Writes which class it is, and which one is above it.
    fileprivate func writeClasses(to source: inout SourceText) {
        let head = model.classMember()
        source.line(
            "\(head)var modelClass: any Dovetail::ManagedModel.Type { \(model.name).self }"
        )
        // No type parameter stands for the class here: the compiler ends at a member that a protocol gives
        // to the classes below another one.
        let name = model.name
        source.block(
            "\(head)var modelIdentity: [any Swift::AnyKeyPath & Swift::Sendable]"
        ) {
            $0.line("[\\\(name).persistentModelID, \\\(name).id]")
        }
        let above = model.hierarchy?.isSubclass == true ? "super.modelClass" : "nil"
        source.line(
            "\(head)var modelSuperclass: (any Dovetail::ManagedModel.Type)? { \(above) }"
        )
        if model.hierarchy?.isSubclass == true {
            // What it inherits stands in no record of the runtime.
            source.block("nonisolated enum _$Inherited: Dovetail::_InheritedModel") {
                $0.line("static var model: any Dovetail::Model.Type { \(name).self }")
            }
        }
    }

    /// Writes what all classes below this one have from it.
    fileprivate func writeRoot(to source: inout SourceText) {
        let table = RawSource.literal(model.table ?? model.typeName)
        source.line("\(access)static var modelTable: Swift::String { \(table) }")
        source.line(
            "\(access)static var modelRoot: any Dovetail::ManagedModel.Type { \(qualifiedName).self }"
        )
        source.block("\(access)static var hiddenKey: Dovetail::ModelAttribute?") { source in
            if attributes.contains(where: { $0.property.attribute.isPrimaryKey }) {
                return source.line("nil")
            }
            let name = qualifiedName
            let alias = model.declaresID ? "" : ", aliases: [\\\(name).id]"
            source.line("Dovetail::_hiddenKey(\\\(name).persistentModelID\(alias))")
        }
    }
}

extension ModelDeclaration {
    /// The words before a member of the type: those of a class member that subclasses override, where
    /// it may have some.
    func classMember() -> String {
        guard let hierarchy else { return access + "static " }
        return hierarchy.access + (hierarchy.isSubclass ? "override class " : "class ")
    }

    /// The same before a member of an object.
    func objectMember() -> String {
        guard let hierarchy else { return access }
        return hierarchy.access + (hierarchy.isSubclass ? "override " : "")
    }

    /// What holds the value of a property: itself, or the storage behind its accessors.
    func storage(of property: StoredProperty) -> String {
        isManaged && property.isVariable ? "_" + property.plainName : property.name
    }

    /// Whether an object may be without the value of a property until somebody reads it. What the compiler
    /// writes for `Codable` reads the storage.
    func defers(_ property: StoredProperty) -> Bool {
        isManaged && !needsCodingKeys && property.isDeferrable && slot(of: property) == nil
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
