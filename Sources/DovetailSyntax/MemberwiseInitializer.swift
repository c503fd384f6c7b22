import SwiftSyntax

/// Tells whether generated code can call the initializer that the compiler writes for structs.
///
/// It is worth the rules below. An initializer that sets the properties one by one copies the whole
/// value at its end, with a reference count for every string: the compiler holds `self` in memory
/// and does not see that nobody needs it there. Nested models are copied once a level.
///
/// ```swift
/// struct Size { var width: Int; var height: Int }             // yes
/// struct Named { var name: String; init() { name = "" } }     // no: an initializer in the body
/// struct Counted { private var count = 0; var name: String }  // no: hidden, with a default
/// struct Wrapped { @Published var name: String }              // no: an unknown attribute
/// ```
///
/// The answer may be no for a struct that has the initializer; then the properties are set one by
/// one. It must never be yes for one that has not, because the generated code would not compile.
enum MemberwiseInitializer {
    /// Whether there is one that takes all attributes, as far as a macro can be sure.
    ///
    /// The compiler writes none for a struct with an initializer in its body
    /// (<https://docs.swift.org/swift-book/documentation/the-swift-programming-language/initialization/>).
    /// A macro does not see what other macros and property wrappers add, so a struct with one of
    /// these has none here. Modifiers that are rare in models, such as `lazy` and `weak`, count as
    /// no too.
    static func exists(for declaration: StructDeclSyntax) -> Bool {
        hasOnly(knownOfTypes, declaration.attributes)
            && declaration.memberBlock.members.allSatisfy { allows($0.decl) }
    }

    private static func allows(_ member: DeclSyntax) -> Bool {
        switch member.kind {
        case .initializerDecl, .ifConfigDecl: false
        case .macroExpansionDecl: IndexDeclaration.isIndex(member)
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
                // With a hidden property that has a default, some compilers hide the initializer
                // and others leave the property out of it.
                if isHidden, binding.initializer != nil || binding.isWrittenAsOptional {
                    return false
                }
                return binding.pattern.is(IdentifierPatternSyntax.self)
            }
    }

    /// Attributes of a struct that add no member.
    private static let knownOfTypes: Set<String> = ["Model", "available", "frozen"]
    /// Attributes of a property that leave it an argument.
    private static let knownOfProperties: Set<String> = ["Attribute", "Transient", "available"]

    /// Whether all attributes are among `names`; one inside of `#if` is not.
    private static func hasOnly(_ names: Set<String>, _ attributes: AttributeListSyntax) -> Bool {
        attributes.allSatisfy { element in
            guard case .attribute(let attribute) = element else { return false }
            return names.contains(attribute.plainName)
        }
    }
}

extension PatternBindingSyntax {
    /// Whether it is a computed property with an `init` accessor, which the initializer takes as an
    /// argument (SE-0400).
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
    /// The expression, when it means the same at every place: a literal, a case or static member
    /// after a dot, an empty collection. Nil for others, as a name may mean something else in the
    /// extension that the macro writes.
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
