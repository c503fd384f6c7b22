import SwiftSyntax

/// What a declaration may say about models whose fields are among those of another one: the option
/// `.flattened` of a property, and `flattenable:` of a model.
///
/// A macro does not see the model of a property. That it can be flattened, and that no two fields have
/// one name, is found out by the compiler and by the program.
enum Flattening {
    /// Reports what the options of a property say against each other, or against its type.
    static func check(_ property: StoredProperty, _ problems: inout Problems) {
        let options = property.attribute
        guard let place = options.flattened else {
            if let prefix = options.prefixPlace {
                problems.add(.prefixWithoutFlattened, at: prefix)
            }
            return
        }
        if let prefix = options.prefixPlace, options.prefix == "" {
            problems.add(.emptyName, at: prefix)
        }
        let hasOthers =
            options.name != nil || !options.aliases.isEmpty || options.isPrimaryKey
            || options.isOmittedWhenEmpty || options.transform != nil || options.checksConstant
            || options.unknown != nil || !options.satisfied.isEmpty || options.isRelationship
            || !options.table.isPlain || property.isConstant
        if hasOthers { problems.add(.flattenedWithOption, at: place) }
        if property.type.isCollection || property.type.is(SomeOrAnyTypeSyntax.self) {
            problems.add(.flattenedIsNoModel, at: property.pattern)
        }
    }

    /// Reports a declaration that cannot be flattened and says so, and properties of a class that a
    /// context keeps, which are columns one by one.
    static func check(
        _ declaration: some DeclGroupSyntax,
        _ arguments: ModelArguments,
        _ shape: ModelDeclaration.Shape,
        ofManaged isManaged: Bool,
        _ problems: inout Problems
    ) {
        if case .structure(let attributes) = shape, isManaged {
            for place in attributes.compactMap(\.property.attribute.flattened) {
                problems.add(.flattenedInClass, at: place)
            }
        }
        guard arguments.isFlattenable, let place = arguments.flattenablePlace else { return }
        if arguments.version != nil || arguments.readsNewer {
            problems.add(.flattenableOption("version"), at: place)
        }
        if arguments.saysUnknownFields, arguments.unknownFields == .preserve {
            problems.add(.flattenableOption("place for unknown fields"), at: place)
        }
        switch shape {
        case .structure where declaration.is(ClassDeclSyntax.self):
            problems.add(.flattenableDeclaration, at: place)
        case .structure(let attributes):
            for property in attributes.map(\.property) {
                let paths =
                    [property.attribute.name].compactMap(\.self) + property.attribute.aliases
                guard paths.contains(where: \.isNested) else { continue }
                problems.add(.flattenablePath, at: property.pattern)
            }
        case .caseEnum(let cases):
            let isPlain = cases.allSatisfy { enumCase in
                guard enumCase.values.count == 1, let value = enumCase.values.first else {
                    return false
                }
                return value.label == nil && value.defaultValue == nil
                    && !value.type.isWrittenAsOptional
            }
            if !isPlain { problems.add(.flattenableCase, at: place) }
        case .stringEnum, .rawEnum, .textEnum:
            problems.add(.flattenableDeclaration, at: place)
        }
    }
}
