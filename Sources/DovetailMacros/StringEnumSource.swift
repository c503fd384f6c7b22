import DovetailSyntax

/// Writes the members of an enum whose cases are strings: they are found without making a string.
///
/// Enums with another raw type are read by the library alone.
struct StringEnumSource {
    let model: ModelDeclaration
    let cases: [(name: String, value: String)]

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
