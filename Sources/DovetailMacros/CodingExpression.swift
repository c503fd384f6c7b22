import SwiftSyntax

/// How generated code names the coding of a type that is or holds `any P`; nil for other types.
///
/// The wrappers are spelled out, and the protocol is left to overload resolution, which sees
/// through typealiases and finds protocols of other modules.
enum CodingExpression {
    static func of(_ type: TypeSyntax) -> String? {
        if let optional = type.as(OptionalTypeSyntax.self) {
            return of(optional.wrappedType).map { "Dovetail::_optional(\($0))" }
        }
        if let array = type.as(ArrayTypeSyntax.self) {
            return of(array.element).map { "Dovetail::_array(\($0))" }
        }
        if let dictionary = type.as(DictionaryTypeSyntax.self) {
            return of(dictionary.value).map {
                "Dovetail::_dictionary(\(dictionary.key.trimmed).self, \($0))"
            }
        }
        if let tuple = type.as(TupleTypeSyntax.self), tuple.elements.count == 1 {
            return tuple.elements.first.flatMap { of($0.type) }
        }
        if let existential = type.as(SomeOrAnyTypeSyntax.self),
            existential.someOrAnySpecifier.tokenKind == .keyword(.any)
        {
            return
                "Dovetail::_existential(\(protocols(existential)), (\(existential.trimmed)).self)"
        }
        return type.as(IdentifierTypeSyntax.self).flatMap(ofGeneric)
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

    /// `Array<any P>` and the like.
    private static func ofGeneric(_ type: IdentifierTypeSyntax) -> String? {
        let arguments = (type.genericArgumentClause?.arguments).map(Array.init) ?? []
        let types = arguments.compactMap { $0.argument.as(TypeSyntax.self) }
        guard let inner = types.last.flatMap(of) else { return nil }
        switch (type.name.text, types.count) {
        case ("Optional", 1): return "Dovetail::_optional(\(inner))"
        case ("Array", 1): return "Dovetail::_array(\(inner))"
        case ("Dictionary", 2): return "Dovetail::_dictionary(\(types[0].trimmed).self, \(inner))"
        default: return nil
        }
    }
}
