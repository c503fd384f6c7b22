import SwiftSyntax

/// What a declaration says about the initializer that the compiler writes for structs.
///
/// Generated code calls it where it can: an initializer that sets the properties one by one copies
/// the whole value at its end, every string in it, since the compiler holds the value in memory
/// and does not see that nobody needs it there. Nested models are copied once a level.
enum MemberwiseInitializer {
    /// Whether there is one that takes all attributes, as far as a macro can be sure.
    ///
    /// The compiler writes none for a struct with an initializer in its body. What other macros and
    /// property wrappers add cannot be seen, and properties of kinds that are unusual in models are
    /// not worth their rules.
    static func exists(for declaration: StructDeclSyntax) -> Bool {
        hasOnly(knownOfTypes, declaration.attributes)
            && declaration.memberBlock.members.allSatisfy { allows($0.decl) }
    }

    private static func allows(_ member: DeclSyntax) -> Bool {
        switch member.kind {
        case .initializerDecl, .ifConfigDecl, .macroExpansionDecl: false
        case .variableDecl: member.as(VariableDeclSyntax.self).map(allows) ?? false
        default: true
        }
    }

    private static func allows(_ variable: VariableDeclSyntax) -> Bool {
        if variable.modifiers.contains(where: { $0.name.isOneOf(.static, .class) }) { return true }
        guard hasOnly(knownOfProperties, variable.attributes) else { return false }
        let isHidden = variable.modifiers.contains {
            $0.detail == nil && $0.name.isOneOf(.private, .fileprivate)
        }
        return variable.modifiers.allSatisfy {
            $0.name.isOneOf(.public, .package, .internal, .private, .fileprivate)
        }
            && variable.bindings.allSatisfy { binding in
                if binding.isComputed { return !binding.hasInitAccessor }
                // Compilers differ in whether it takes what it could not do without hiding it.
                if isHidden, binding.initializer != nil || binding.isWrittenAsOptional {
                    return false
                }
                return binding.pattern.is(IdentifierPatternSyntax.self)
            }
    }

    private static let knownOfTypes: Set<String> = ["Model", "available", "frozen"]
    private static let knownOfProperties: Set<String> = ["Attribute", "Transient", "available"]

    private static func hasOnly(_ names: Set<String>, _ attributes: AttributeListSyntax) -> Bool {
        attributes.allSatisfy { element in
            guard case .attribute(let attribute) = element else { return false }
            return names.contains(attribute.plainName)
        }
    }
}

extension PatternBindingSyntax {
    /// A computed property of this kind is an argument of the initializer.
    fileprivate var hasInitAccessor: Bool {
        guard case .accessors(let accessors) = accessorBlock?.accessors else { return false }
        return accessors.contains { $0.accessorSpecifier.isOneOf(.`init`) }
    }

    fileprivate var isWrittenAsOptional: Bool {
        guard let type = typeAnnotation?.type else { return false }
        return type.isWrittenAsOptional || type.is(ImplicitlyUnwrappedOptionalTypeSyntax.self)
    }
}

extension ExprSyntax {
    /// The expression, when it is one that means the same wherever it stands: a literal, a case or
    /// static member behind a dot, an empty collection.
    var portableText: String? {
        switch kind {
        case .integerLiteralExpr, .floatLiteralExpr, .booleanLiteralExpr, .nilLiteralExpr:
            return trimmedDescription
        case .stringLiteralExpr:
            return literalText == nil ? nil : trimmedDescription
        case .prefixOperatorExpr:
            guard let prefixed = self.as(PrefixOperatorExprSyntax.self),
                prefixed.operator.text == "-"
            else { return nil }
            return prefixed.expression.portableText.map { "-" + $0 }
        case .memberAccessExpr:
            let member = self.as(MemberAccessExprSyntax.self)
            return member?.base == nil ? trimmedDescription : nil
        case .arrayExpr:
            let isEmpty = self.as(ArrayExprSyntax.self)?.elements.isEmpty ?? false
            return isEmpty ? "[]" : nil
        case .dictionaryExpr:
            guard case .colon = self.as(DictionaryExprSyntax.self)?.content else { return nil }
            return "[:]"
        default: return nil
        }
    }
}
