/// A field of an object in which models are flattened, as generated code lists them in
/// ``FlattenableModel/flattenedFields``: a name, an alias, or a flattened model.
public struct FlattenedField: Sendable {
    enum Content: Sendable {
        case name(StaticString)
        case alias(StaticString)
        case model(any FlattenedValue.Type, prefix: StaticString?)
    }

    let content: Content
    /// The property, or the case of an enum.
    let property: StaticString

    /// A field that is written.
    ///
    /// - Parameter property: The property, if it is named otherwise.
    public static func name(_ name: StaticString, of property: StaticString? = nil) -> Self {
        Self(content: .name(name), property: property ?? name)
    }

    /// A further name under which a field is read.
    public static func alias(_ name: StaticString, of property: StaticString) -> Self {
        Self(content: .alias(name), property: property)
    }

    /// The fields of a flattened model.
    public static func model<Value: FlattenedValue>(
        _ type: Value.Type,
        of property: StaticString,
        prefix: StaticString? = nil
    ) -> Self {
        Self(content: .model(type, prefix: prefix), property: property)
    }
}

extension FlattenedField {
    /// The name of a field with a prefix before it.
    ///
    /// After a letter or a digit the name begins with an upper-case letter: `string` with the prefix
    /// `value` is `valueString`. After any other character it stays: `city` with `billing_` is
    /// `billing_city`.
    static func join(_ prefix: String, _ name: String) -> String {
        guard let last = prefix.last, last.isLetter || last.isNumber else { return prefix + name }
        return prefix + name.prefix(1).uppercased() + name.dropFirst()
    }
}
