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
        if model.hasNamedCases { writeNames(to: &source) }
    }

    /// Writes how values are written, and what they are as keys of dictionaries, where `naming:` gives
    /// cases other names than their raw values.
    private func writeNames(to source: inout SourceText) {
        let access = model.access
        source.block(ModelSource.encode(model)) { $0.line("try writer.write(modelKey)") }
        source.block("\(access)var modelKey: Swift::String") { source in
            source.line("switch self {")
            for (name, value) in cases {
                source.line("case .\(name): \(RawSource.literal(value))")
            }
            source.line("}")
        }
        source.block("\(access)init?(modelKey: Swift::String)") { source in
            source.line("switch modelKey {")
            for (name, value) in cases {
                source.line("case \(RawSource.literal(value)): self = .\(name)")
            }
            source.line("default: return nil")
            source.line("}")
        }
    }
}
