import DovetailSyntax

/// Writes the members of an enum without a raw type whose cases are strings, with one that keeps
/// any other string: `@Fallback case other(String)`.
///
/// Reading is that of ``StringEnumSource`` with another default; writing is a `switch`:
///
/// ```swift
/// switch self {
/// case .open: try writer.write("open")
/// case .other(let text): try writer.write(text)
/// }
/// ```
struct TextEnumSource {
    let model: ModelDeclaration
    /// The cases without the one that keeps strings.
    let cases: [EnumCase]
    /// The name of the case that keeps strings.
    let fallback: String

    /// Writes `columnType`, `init(modelValue:)` and `encode(to:)`.
    func write(to source: inout SourceText) {
        let access = model.access
        source.line("\(access)static var columnType: Dovetail::ColumnType { .text }")
        source.block(ModelSource.initializer(model)) { source in
            source.line("let name = try reader.readCaseName()")
            source.line("let key = name.key")
            let branches = cases.flatMap { enumCase in
                ([enumCase.documentName] + enumCase.aliases).map {
                    KeySwitch.Branch($0, "self = .\(enumCase.name)")
                }
            }
            KeySwitch(branches: branches, unknown: "self = .\(fallback)(name.text)")
                .write(to: &source)
        }
        source.block(ModelSource.encode(model)) { source in
            source.line("switch self {")
            for enumCase in cases {
                let name = RawSource.literal(enumCase.documentName)
                source.line("case .\(enumCase.name): try writer.write(\(name))")
            }
            source.line("case .\(fallback)(let text): try writer.write(text)")
            source.line("}")
        }
    }
}
