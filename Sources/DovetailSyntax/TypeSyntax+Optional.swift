public import SwiftSyntax

extension TypeSyntax {
    /// Whether the type is an optional as it stands in the source.
    public var isWrittenAsOptional: Bool {
        self.is(OptionalTypeSyntax.self) || nominalName == "Optional"
    }

    /// Whether the type may be an optional behind the name of a typealias.
    public var mayHideOptional: Bool {
        guard let name = nominalName else { return false }
        return !Self.plainNames.contains(name)
    }

    /// Names that nobody gives to an optional.
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
