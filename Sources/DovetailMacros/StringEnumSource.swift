import DovetailSyntax

/// Writes the members of an enum whose cases are strings: they are found without making a string.
///
/// Enums with another raw type are read by the library alone.
struct StringEnumSource {
    let model: ModelDeclaration
    let cases: [(name: String, value: String)]

    var members: [String] {
        let access = model.access
        let branches = cases.map {
            KeySwitch.Branch(name: $0.value, body: "self = .\($0.name)")
        }
        let unknown =
            model.fallback.map { "self = .\($0)" }
            ?? "throw reader.unknownCase(name, of: Self.self)"
        return [
            """
            \(access)init(modelValue reader: inout Dovetail::ModelReader) throws {
            let name = try reader.readCaseName()
            let key = name.key
            \(KeySwitch(key: "key", unknown: unknown).text(branches))
            }
            """
        ]
    }
}
