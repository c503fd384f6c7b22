import DovetailSyntax

/// A switch over the integer codes of names, with a comparison where the code alone does not tell.
struct KeySwitch {
    /// What is done with a name.
    struct Branch {
        let name: String
        let body: (inout SourceText) -> Void

        init(_ name: String, body: @escaping (inout SourceText) -> Void) {
            self.name = name
            self.body = body
        }

        init(_ name: String, _ line: String) {
            self.init(name) { $0.line(line) }
        }
    }

    let branches: [Branch]
    /// Stands once, however many names lead to it: every call that throws is a way out of its own,
    /// which the optimizer has to go through.
    let unknown: String

    /// Switches over `key`.
    func write(to source: inout SourceText) {
        source.line("switch key.code {")
        for branch in branches {
            let name = RawSource.literal(branch.name)
            let isExact = branch.name.utf8.count <= FieldCode.longestExactName
            let condition = isExact ? "" : " where key.matches(\(name))"
            // A name that is compared is there to be read already.
            let comment = isExact ? "  // \(name)" : ""
            source.line("case \(Self.hexadecimal(branch.name))\(condition):\(comment)")
            source.indented(branch.body)
        }
        source.line("default:")
        source.indented { $0.line(unknown) }
        source.line("}")
    }

    private static func hexadecimal(_ name: String) -> String {
        let digits = String(FieldCode.code(of: name), radix: 16, uppercase: true)
        return "0x" + String(repeating: "0", count: 16 - digits.count) + digits
    }
}
