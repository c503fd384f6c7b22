import SwiftSyntax

extension ModelDeclaration {
    /// Whether the generated loop has a branch for `$version` that refuses a newer version. A model
    /// that reads newer ones, or has a field of this name, has none.
    public var knowsVersion: Bool { !readsNewer && !shape.hasVersionField }

    /// The version of the shape, 1 unless it is given. A document above it is refused.
    public var knownVersion: Int { version ?? 1 }
}

extension ModelDeclaration.Shape {
    /// Whether the model has a field `$version` of its own.
    var hasVersionField: Bool {
        let name = "$version"
        return switch self {
        case .structure(let attributes):
            ModelDeclaration.Attribute.readFields(of: attributes).contains { $0.name == name }
        case .caseEnum(let cases):
            cases.contains { $0.documentName == name || $0.aliases.contains(name) }
        case .stringEnum, .rawEnum, .textEnum: false
        }
    }

    /// The names of all types that the extension of a nested declaration has to spell: those of
    /// slots, transforms, keys of dictionaries, `any P`, and models that attributes refer to. The
    /// reading initializer of a class is in its body, where the types of its properties are visible.
    func spelledTypes(isClass: Bool) -> [String] {
        var named: [String] = []
        if case .structure(let attributes) = self {
            let options = attributes.map(\.property.attribute)
            named = options.compactMap { $0.transform?.typeName }
            named += options.compactMap { $0.table.reference?.typeName }
        }
        return (isClass ? [] : types.map(\.description)) + named
            + types.flatMap(\.dictionaryKeys) + types.flatMap(\.spelledExistentials)
    }

    /// Whether it is an enum without a raw type of which a case holds values.
    var hasValuesInCases: Bool {
        guard case .caseEnum(let cases) = self else { return false }
        return cases.contains { !$0.values.isEmpty }
    }

    /// The types of all that is read and written.
    var types: [TypeSyntax] {
        switch self {
        case .structure(let attributes): attributes.map(\.property.type)
        case .caseEnum(let cases): cases.flatMap(\.values).map(\.type)
        case .stringEnum, .rawEnum, .textEnum: []
        }
    }
}
