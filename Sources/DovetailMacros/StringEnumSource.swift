import DovetailSyntax

/// Writes the reading initializer of an enum with the raw type `String`: the case is found by the
/// bytes of its name, without a string being made.
///
/// ```swift
/// let name = try reader.readCaseName()
/// let key = name.key
/// switch key.code {
/// case 0x040000006E65706F:  // "open"
///     self = .open
/// default:
///     throw reader.unknownCase(name, of: Self.self)
/// }
/// ```
///
/// The library writes the raw value, and reads enums with another raw type by `init(rawValue:)`.
struct StringEnumSource {
    let model: ModelDeclaration
    /// The names of the cases, and their raw values.
    let cases: [(name: String, value: String)]

    /// Writes `init(modelValue:)`. A name that no case has is the case with `@Fallback`, or an
    /// error.
    func write(to source: inout SourceText) {
        let unknown =
            model.fallback.map { "self = .\($0)" }
            ?? "throw reader.unknownCase(name, of: Self.self)"
        let names = KeySwitch(
            branches: cases.map { .init($0.value, "self = .\($0.name)") },
            unknown: unknown
        )
        source.block(ModelSource.initializer(model)) { source in
            source.line("let name = try reader.readCaseName()")
            source.line("let key = name.key")
            names.write(to: &source)
        }
    }
}
