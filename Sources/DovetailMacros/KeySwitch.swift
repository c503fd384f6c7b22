import DovetailSyntax

/// Writes a `switch` over the integer codes of names, with a comparison where the code alone does
/// not tell. ``FieldCode`` says what a code is.
///
/// ```swift
/// switch key.code {
/// case 0x0200000000006469:  // "id"
///     try reader.read(&_id, "id")
/// case 0x0A64657461657263 where key.matches("created_at"):
///     try reader.read(&_createdAt, "created_at")
/// default:
///     try reader.skipField(key, in: object)
/// }
/// ```
struct KeySwitch {
    /// What generated code does with a field of one name.
    struct Branch {
        /// The name in documents.
        let name: String
        /// Writes the lines of the branch.
        let body: (inout SourceText) -> Void

        init(_ name: String, body: @escaping (inout SourceText) -> Void) {
            self.name = name
            self.body = body
        }

        init(_ name: String, _ line: String) {
            self.init(name) { $0.line(line) }
        }
    }

    /// The branches in the order of the declaration; no name is there twice.
    let branches: [Branch]
    /// The line for any other name. It is written once, because every call that throws is a way out
    /// of its own, which costs the optimizer time.
    let unknown: String
    /// The slots of flattened models, which are asked before.
    var flattened: [String] = []

    /// Writes the `switch` over the variable `key`.
    func write(to source: inout SourceText) {
        source.line("switch key.code {")
        for branch in branches {
            let name = RawSource.literal(branch.name)
            let isExact = branch.name.utf8.count <= FieldCode.longestExactName
            let condition = isExact ? "" : " where key.matches(\(name))"
            // A comparison shows the name; a code alone needs a comment for people.
            let comment = isExact ? "  // \(name)" : ""
            source.line("case \(Self.hexadecimal(branch.name))\(condition):\(comment)")
            source.indented(branch.body)
        }
        source.line("default:")
        source.indented(writeUnknown)
        source.line("}")
    }

    private func writeUnknown(to source: inout SourceText) {
        guard !flattened.isEmpty else { return source.line(unknown) }
        let asked = flattened.map { "try !\($0).read(key, in: object, from: &reader)" }
        if asked.count == 1 {
            source.line("if \(asked[0]) {")
        } else {
            source.list("if", asked, "{")
        }
        source.indented { $0.line(unknown) }
        source.line("}")
    }

    private static func hexadecimal(_ name: String) -> String {
        let digits = String(FieldCode.code(of: name), radix: 16, uppercase: true)
        return "0x" + String(repeating: "0", count: 16 - digits.count) + digits
    }
}
