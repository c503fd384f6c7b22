import DovetailSyntax
import SwiftSyntax

/// Writes the argument `by:` of a read or a write: the coding of a property that has a transform,
/// or whose type is or contains `any P`. Other types are model values, which need no argument.
///
/// ```swift
/// // var pets: [any Pet]
/// Dovetail::_array(Dovetail::_existential(
///     Dovetail::_coding((any Pet).self) { $0._dovetailCoding }, (any Pet).self
/// ))
/// ```
///
/// The containers are spelled out. The protocol's coding is a member of it, which the compiler finds
/// through typealiases and in other modules. The functions are in DovetailModel/Generated
/// (Codings.swift, ProtocolCodings.swift).
struct CodingExpression {
    /// How a type of the declaration is named where the expression is written.
    private let spelling: (String) -> String

    /// The coding of a property, with its transform and its policy; nil when it needs none.
    static func of(_ property: StoredProperty, in model: ModelDeclaration) -> String? {
        CodingExpression(spelling: model.spelling).coding(of: property)
    }

    /// The coding of a value of an enum's case; nil when it needs none.
    static func of(_ type: TypeSyntax, in model: ModelDeclaration) -> String? {
        CodingExpression(spelling: model.spelling).coding(of: type)
    }

    /// The coding of a type where `spelling` says how types are named; nil when it needs none.
    static func of(_ type: TypeSyntax, spelling: @escaping (String) -> String) -> String? {
        CodingExpression(spelling: spelling).coding(of: type)
    }

    /// The coding of the protocol of an `any P`.
    static func ofProtocol(
        _ existential: SomeOrAnyTypeSyntax,
        in model: ModelDeclaration
    ) -> String {
        CodingExpression(spelling: model.spelling).protocols(existential)
    }

    /// The coding of `any P`, where the protocol is named as it is written.
    static func ofProtocol(named name: String) -> String {
        CodingExpression { $0 }.picked(["any \(name)"])
    }

    /// The coding of the first protocol of a declaration that is a model protocol, whose type key it
    /// writes itself; nil for one that does not.
    static func ofTag(_ model: ModelDeclaration) -> String? {
        let protocols = model.tagProtocols.map { "any \($0)" }
        return protocols.isEmpty
            ? nil : CodingExpression(spelling: model.spelling).picked(protocols)
    }

    /// A transform goes through optionals; one of elements goes through collections too. The policy
    /// is that of the elements, so it is applied inside of the containers.
    private func coding(of property: StoredProperty) -> String? {
        let policy = property.attribute.unknown
        guard let transform = property.attribute.transform else {
            return coding(of: property.type, throughCollections: true) {
                Self.applying(policy, to: ofExistential($0))
            }
        }
        let isForElements = transform.isForElements
        let metatype = transform.typeName.map { spelling($0) + ".self" } ?? transform.metatype
        return coding(of: property.type, throughCollections: isForElements) { _ in
            let function = transform.isTransformer ? "_transformable" : "_transformed"
            let coding = "Dovetail::\(function)(\(metatype))"
            return isForElements ? Self.applying(policy, to: coding) : coding
        }
    }

    /// The coding of an element with the policy of its property. `.skip` is the only policy that
    /// values without a coding have: elements of any type can be left out.
    private static func applying(_ policy: UnknownPolicy?, to coding: String?) -> String? {
        switch policy {
        case nil: coding
        case .throw: coding.map { "Dovetail::_throwing(\($0))" }
        case .preserve: coding.map { "Dovetail::_preserving(\($0))" }
        case .skip: "Dovetail::_skipping(\(coding ?? "Dovetail::_value()"))"
        }
    }

    /// The coding of a type in which only `any P` has one.
    private func coding(of type: TypeSyntax) -> String? {
        coding(of: type, throughCollections: true, leaf: ofExistential)
    }

    /// The coding of `any P`; nil for other types.
    private func ofExistential(_ type: TypeSyntax) -> String? {
        guard let existential = type.existential else { return nil }
        let metatype = "(\(spelling(existential.trimmedDescription))).self"
        return "Dovetail::_existential(\(protocols(existential)), \(metatype))"
    }

    /// The coding of the first part of `any P & Q` that is a model protocol, which the overloads of
    /// `_pick` choose, or that of the one protocol of `any P`. A macro does not see which of the
    /// parts are model protocols.
    private func protocols(_ existential: SomeOrAnyTypeSyntax) -> String {
        picked(existential.partsOfComposition)
    }

    private func picked(_ protocols: [String]) -> String {
        let codings = protocols.map {
            "Dovetail::_coding((\(spelling($0))).self) { $0._dovetailCoding }"
        }
        return codings.dropLast().reversed().reduce(codings[codings.count - 1]) {
            "Dovetail::_pick(\($1), \($0))"
        }
    }

    /// Goes into the type from outside and writes a function for each container; nil when `leaf`
    /// has nothing to say of what is inside.
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

    /// An optional, array, set or dictionary, with brackets or by its name. `Swift.Array<T>` is
    /// none: it is taken for a type of the program.
    private struct Wrapper {
        /// The name of the function without its underscore.
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
