public import SwiftSyntax

extension TypeSyntax {
    /// Whether the type is written as an optional: `T?` or `Optional<T>`.
    public var isWrittenAsOptional: Bool {
        self.is(OptionalTypeSyntax.self) || nominalName == "Optional"
    }

    /// What is in a type that is written as an optional; nil for others.
    var wrappedInOptional: TypeSyntax? {
        if let optional = self.as(OptionalTypeSyntax.self) { return optional.wrappedType }
        guard nominalName == "Optional" else { return nil }
        let arguments =
            self.as(IdentifierTypeSyntax.self)?.genericArgumentClause
            ?? self.as(MemberTypeSyntax.self)?.genericArgumentClause
        return arguments?.arguments.first?.argument.as(TypeSyntax.self)
    }

    /// Whether the type is written as one that tells null from an absent field: `T??`, and
    /// `ModelDocument?`.
    var tellsNullFromAbsent: Bool {
        guard let wrapped = wrappedInOptional else { return false }
        return wrapped.isWrittenAsOptional || wrapped.nominalName == "ModelDocument"
    }

    /// Whether the type is surely no optional, also behind a typealias.
    var isSurelyNoOptional: Bool { !isWrittenAsOptional && !mayHideOptional }

    /// Whether the type is written by a name that may be a typealias of an optional. Then generated
    /// code cannot tell whether an absent field is an error, and leaves it to overload resolution.
    /// This costs the type checker time, so names that are surely none are known.
    public var mayHideOptional: Bool {
        guard let name = nominalName else { return false }
        return !Self.plainNames.contains(name)
    }

    /// Names of the standard library and Foundation that are no optionals.
    private static let plainNames: Set<String> = [
        "Array", "Bool", "Data", "Date", "Decimal", "Dictionary", "Double", "Duration", "Float",
        "Int", "Int8", "Int16", "Int32", "Int64", "Optional", "Set", "String", "UInt", "UInt8",
        "UInt16", "UInt32", "UInt64", "URL", "UUID",
    ]

    /// The last name of a type that is written by name: `Optional` of `Swift.Optional<Int>`.
    private var nominalName: String? {
        let name = self.as(IdentifierTypeSyntax.self)?.name ?? self.as(MemberTypeSyntax.self)?.name
        // Generated names carry a module selector inside of their one token.
        return name?.text.split(separator: ":").last.map(String.init)
    }
}
