import DovetailSyntax
import SwiftSyntax

/// How generated code names the coding of a property that has a transform, or whose type is or
/// holds `any P`; nil for other ones.
///
/// The wrappers are spelled out, and the protocol is left to overload resolution, which sees
/// through typealiases and finds protocols of other modules.
struct CodingExpression {
    /// How the place where the expression stands names a type that is written in the declaration.
    private let spelling: (String) -> String

    static func of(_ property: StoredProperty, in model: ModelDeclaration) -> String? {
        CodingExpression(spelling: model.spelling).coding(of: property)
    }

    static func of(_ type: TypeSyntax, in model: ModelDeclaration) -> String? {
        CodingExpression(spelling: model.spelling)
            .coding(of: type, throughCollections: true, leaf: ofExistential)
    }

    /// The coding of a type at file scope, which is named there as it is written.
    static func atFileScope(of type: TypeSyntax) -> String? {
        CodingExpression { $0 }.coding(of: type, throughCollections: true, leaf: ofExistential)
    }

    private func coding(of property: StoredProperty) -> String? {
        let policy = property.attribute.unknown
        guard let transform = property.attribute.transform else {
            return coding(of: property.type, throughCollections: true) {
                Self.applying(policy, to: Self.ofExistential($0))
            }
        }
        let isForElements = transform.isForElements
        let metatype = transform.typeName.map { spelling($0) + ".self" } ?? transform.metatype
        return coding(of: property.type, throughCollections: isForElements) { _ in
            let coding = "Dovetail::_transformed(\(metatype))"
            return isForElements ? Self.applying(policy, to: coding) : coding
        }
    }

    /// The coding of an element with the policy of its property.
    private static func applying(_ policy: UnknownPolicy?, to coding: String?) -> String? {
        switch policy {
        case nil: coding
        case .throw: coding.map { "Dovetail::_throwing(\($0))" }
        case .preserve: coding.map { "Dovetail::_preserving(\($0))" }
        case .skip: "Dovetail::_skipping(\(coding ?? "Dovetail::_value()"))"
        }
    }

    private static func ofExistential(_ type: TypeSyntax) -> String? {
        guard let existential = type.as(SomeOrAnyTypeSyntax.self),
            existential.someOrAnySpecifier.tokenKind == .keyword(.any)
        else { return nil }
        return "Dovetail::_existential(\(protocols(existential)), (\(existential.trimmed)).self)"
    }

    /// The coding of the first part of a composition that is a model protocol. Without parts it is
    /// that of the one protocol.
    private static func protocols(_ existential: SomeOrAnyTypeSyntax) -> String {
        let parts =
            existential.constraint.as(CompositionTypeSyntax.self)?.elements.map(\.type)
            ?? [existential.constraint]
        let codings = parts.map { "_dovetailCoding(nil as (any \($0.trimmed))?)" }
        return codings.dropLast().reversed().reduce(codings[codings.count - 1]) {
            "Dovetail::_pick(\($1), \($0))"
        }
    }

    private func coding(
        of type: TypeSyntax,
        throughCollections: Bool,
        leaf: (TypeSyntax) -> String?
    ) -> String? {
        func inner(_ type: TypeSyntax) -> String? {
            coding(of: type, throughCollections: throughCollections, leaf: leaf)
        }
        if let tuple = type.as(TupleTypeSyntax.self), tuple.elements.count == 1 {
            return tuple.elements.first.flatMap { inner($0.type) }
        }
        guard let wrapper = Wrapper(type), throughCollections || wrapper.function == "optional"
        else { return leaf(type) }
        return inner(wrapper.content).map {
            let key = wrapper.key.map { spelling($0.trimmedDescription) + ".self, " } ?? ""
            return "Dovetail::_\(wrapper.function)(\(key)\($0))"
        }
    }

    /// A type that holds others, in one of its spellings.
    private struct Wrapper {
        var function: String
        var key: TypeSyntax?
        var content: TypeSyntax

        init?(_ type: TypeSyntax) {
            if let optional = type.as(OptionalTypeSyntax.self) {
                (function, content) = ("optional", optional.wrappedType)
            } else if let array = type.as(ArrayTypeSyntax.self) {
                (function, content) = ("array", array.element)
            } else if let dictionary = type.as(DictionaryTypeSyntax.self) {
                (function, key, content) = ("dictionary", dictionary.key, dictionary.value)
            } else if let name = type.as(IdentifierTypeSyntax.self) {
                let arguments = (name.genericArgumentClause?.arguments).map(Array.init) ?? []
                let types = arguments.compactMap { $0.argument.as(TypeSyntax.self) }
                switch (name.name.text, types.count) {
                case ("Optional", 1), ("Array", 1), ("Set", 1):
                    (function, content) = (name.name.text.lowercased(), types[0])
                case ("Dictionary", 2):
                    (function, key, content) = ("dictionary", types[0], types[1])
                default: return nil
                }
            } else {
                return nil
            }
        }
    }
}
