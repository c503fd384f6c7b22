import DovetailSyntax

/// Writes the members of an enum whose cases are strings, with a case that keeps other ones.
struct TextEnumSource {
    let model: ModelDeclaration
    let cases: [EnumCase]
    let fallback: String
    private var access: String { model.access }

    var members: [String] {
        let branches = cases.flatMap { enumCase in
            ([enumCase.documentName] + enumCase.aliases).map {
                KeySwitch.Branch(name: $0, body: "self = .\(enumCase.name)")
            }
        }
        let unknown = "self = .\(fallback)(name.text)"
        let writing = cases.map { enumCase in
            "case .\(enumCase.name): try writer.write(\(RawSource.literal(enumCase.documentName)))\n"
        }
        return [
            "\(access)static var columnType: Dovetail::ColumnType { .text }",
            """
            \(access)init(modelValue reader: inout Dovetail::ModelReader) throws {
            let name = try reader.readCaseName()
            let key = name.key
            \(KeySwitch(key: "key", unknown: unknown).text(branches))
            }
            """,
            """
            \(access)func encode(to writer: inout Dovetail::ModelWriter) throws {
            switch self {
            \(writing.joined())case .\(fallback)(let text): try writer.write(text)
            }
            }
            """,
        ]
    }
}
