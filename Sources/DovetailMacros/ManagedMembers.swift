import DovetailSyntax
import SwiftParser
import SwiftSyntax

/// What the members of classes become, by their text: `@Model` gives each property of a class that a
/// context keeps an attribute, of which the accessors and the storage come, and another attribute to
/// initializers that set what may be a relationship.
///
/// The compiler asks three times for a property and sends the class each time, so what was read is kept.
final class ManagedMembers {
    /// A class around members, as the compiler sends it.
    struct Surroundings: Hashable {
        /// The attribute `@Model`.
        let attribute: String
        /// The class.
        let declaration: String
        /// The declarations around the member, without what is in them.
        let lexicalContext: [String]
    }

    /// The properties by their declarations; nil for a member that is none.
    private var properties: [String: ManagedProperty?] = [:]
    /// The names of the properties of a class that may hold other objects; nil for a class that no
    /// context keeps, or that the macro refuses.
    private var slots: [Surroundings: [String]?] = [:]

    /// The property that a declaration is; nil for one without accessors of the macro's.
    func property(_ source: String) -> ManagedProperty? {
        if let known = properties[source] { return known }
        let property = Self.member(source).flatMap { ManagedProperty($0) }
        properties[source] = .some(property)
        return property
    }

    /// The attribute that a member of a class gets; nil for none.
    func attribute(for source: String, in surroundings: Surroundings) -> String? {
        guard let slots = slots(in: surroundings) else { return nil }
        if let property = property(source) {
            let slot = property.mayBeRelationship ? slots.firstIndex(of: property.plainName) : nil
            return "@Dovetail::_ManagedProperty" + (slot.map { "(\($0))" } ?? "")
        }
        // Most initializers name no object, and need not be parsed.
        guard source.contains("init"),
            slots.contains(where: source.contains)
                || Self.othersInitializers.contains(where: source.contains),
            let initializer = Self.member(source)?.as(InitializerDeclSyntax.self),
            Self.needsLink(initializer, slots)
        else { return nil }
        return "@Dovetail::_ManagedInitializer"
    }

    private func slots(in surroundings: Surroundings) -> [String]? {
        if let known = slots[surroundings] { return known }
        var names: [String]?
        if let declaration = Self.declaration(surroundings.declaration)?.as(ClassDeclSyntax.self),
            let macro = Self.attribute(surroundings.attribute),
            ModelDeclaration.isManaged(
                declaration,
                macro: macro,
                lexicalContext: surroundings.lexicalContext.compactMap {
                    Parser.parse(source: $0).statements.first.map { Syntax($0.item) }
                }
            )
        {
            names = Self.refuses(declaration) ? nil : ManagedProperty.slots(in: declaration)
        }
        slots[surroundings] = .some(names)
        return names
    }

    /// Whether a property is flattened, or several have one declaration, which `@Model` refuses in such a
    /// class. Accessors would be errors after that one, as the class gets no conformance.
    private static func refuses(_ declaration: ClassDeclSyntax) -> Bool {
        declaration.memberBlock.members.contains { member in
            guard let variable = member.decl.as(VariableDeclSyntax.self) else { return false }
            return ManagedProperty.isSeveral(variable)
                || variable.attributes.contains { attribute in
                    guard case .attribute(let attribute) = attribute,
                        attribute.attributeName.trimmedDescription == "Attribute"
                    else { return false }
                    return attribute.description.contains(".flattened")
                }
        }
    }

    private static func declaration(_ source: String) -> DeclSyntax? {
        guard case .decl(let declaration)? = Parser.parse(source: source).statements.first?.item
        else { return nil }
        return declaration
    }

    /// The member of a type that has this text. It is put into a type, since an initializer is no
    /// statement.
    private static func member(_ source: String) -> DeclSyntax? {
        declaration("class C {\(source)\n}")?.as(ClassDeclSyntax.self)?.memberBlock.members.first?
            .decl
    }

    private static func attribute(_ source: String) -> AttributeSyntax? {
        declaration("\(source)\nclass C {}")?.as(ClassDeclSyntax.self)?.attributes.first?
            .as(AttributeSyntax.self)
    }

    /// What is in an initializer that calls another one.
    private static let othersInitializers = ["self.init", "super.init"]

    /// Whether an initializer that is no convenience one names a property that may be a relationship, or one that
    /// may end without an object does, or calls another one.
    private static func needsLink(_ initializer: InitializerDeclSyntax, _ slots: [String]) -> Bool {
        guard let body = initializer.body else { return false }
        let mayEndEarly = ManagedInitializerMacro.mayEndEarly(initializer)
        if !mayEndEarly,
            initializer.modifiers.contains(where: { $0.name.tokenKind == .keyword(.convenience) })
        {
            return false
        }
        return body.tokens(viewMode: .sourceAccurate).contains { token in
            switch token.tokenKind {
            case .identifier(let name): slots.contains(name)
            case .keyword(.`init`): mayEndEarly
            default: false
            }
        }
    }
}
