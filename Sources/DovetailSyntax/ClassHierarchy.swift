import SwiftSyntax

/// What a managed class has to do with others: it may have subclasses, or is one. Its members are class
/// members then, in the body of the declaration, since those of an extension cannot be overridden.
public struct ClassHierarchy {
    /// Whether the superclass is a managed model.
    public let isSubclass: Bool
    /// Whether it has no subclasses.
    public let isFinal: Bool
    /// The access level of members that subclasses override, with a space after it.
    public let access: String
    /// Whether it has the initializers of its superclass, since it declares none that are designated.
    public let inheritsInitializers: Bool

    /// Nil for a final class without such a superclass.
    ///
    /// - Parameter members: All members, whatever is compiled.
    init?(
        of modifiers: DeclModifierListSyntax,
        _ members: [DeclSyntax],
        isSubclass: Bool
    ) {
        inheritsInitializers =
            isSubclass
            && !members.contains { member in
                guard let initializer = member.as(InitializerDeclSyntax.self) else { return false }
                return !initializer.modifiers.contains { $0.name.isOneOf(.convenience) }
            }
        isFinal = modifiers.contains { $0.name.isOneOf(.final) }
        guard isSubclass || !isFinal else { return nil }
        self.isSubclass = isSubclass
        let isOpen = modifiers.contains { $0.name.isOneOf(.open) }
        access = isOpen ? "open " : AccessLevel.ofMembers(in: modifiers)
    }

    /// Reports what such a class cannot say.
    func check(
        _ arguments: ModelArguments,
        _ shape: ModelDeclaration.Shape,
        at macro: AttributeSyntax,
        _ problems: inout Problems
    ) {
        if arguments.version != nil {
            let place = arguments.versionPlace.map { Syntax($0) } ?? Syntax(macro)
            problems.add(.optionInHierarchy("'version:'"), at: place)
        }
        if arguments.unknownFields != .skip {
            problems.add(.optionInHierarchy("'unknownFields:'"), at: macro)
        }
        guard isSubclass else { return }
        if inheritsInitializers, !isFinal {
            problems.add(.inheritedInitializers("a class that has subclasses"), at: macro)
        }
        if let place = arguments.tablePlace {
            problems.add(.optionOfSubclass("'table:'"), at: place)
        }
        guard case .structure(let attributes) = shape else { return }
        for attribute in attributes {
            if attribute.property.attribute.isPrimaryKey {
                problems.add(.optionOfSubclass("a primary key"), at: attribute.property.pattern)
            }
            if attribute.path.isNested {
                problems.add(
                    .optionOfSubclass("a name with a path"),
                    at: attribute.property.pattern
                )
            }
            if inheritsInitializers, isFinal, attribute.property.hasObservers {
                problems.add(
                    .inheritedInitializers("a class with observers"),
                    at: attribute.property.pattern
                )
            }
        }
    }
}
