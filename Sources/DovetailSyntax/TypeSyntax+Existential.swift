public import SwiftSyntax

extension TypeSyntax {
    /// The type itself where it is `any P`; nil for others, also for containers of it.
    public var existential: SomeOrAnyTypeSyntax? {
        self.as(SomeOrAnyTypeSyntax.self).flatMap {
            $0.someOrAnySpecifier.tokenKind == .keyword(.any) ? $0 : nil
        }
    }

    /// Each `any P` in the type, and of `any P & Q` each part as well, as they are written.
    var spelledExistentials: [String] {
        if let existential {
            let whole = existential.trimmedDescription
            return [whole] + existential.partsOfComposition.filter { $0 != whole }
        }
        return switch self.as(TypeSyntaxEnum.self) {
        case .optionalType(let optional): optional.wrappedType.spelledExistentials
        case .arrayType(let array): array.element.spelledExistentials
        case .dictionaryType(let dictionary): dictionary.value.spelledExistentials
        case .tupleType(let tuple): tuple.elements.flatMap(\.type.spelledExistentials)
        case .implicitlyUnwrappedOptionalType(let optional):
            optional.wrappedType.spelledExistentials
        case .identifierType(let name):
            (name.genericArgumentClause?.arguments).map(Array.init)?.flatMap {
                $0.argument.as(TypeSyntax.self)?.spelledExistentials ?? []
            } ?? []
        default: []
        }
    }
}

extension SomeOrAnyTypeSyntax {
    /// The protocols of `any P & Q`, each as an existential: `any P`, `any Q`.
    public var partsOfComposition: [String] {
        let parts =
            constraint.as(CompositionTypeSyntax.self)?.elements.map(\.type) ?? [constraint]
        return parts.map { "any \($0.trimmedDescription)" }
    }
}
