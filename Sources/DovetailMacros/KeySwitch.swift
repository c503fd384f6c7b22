import DovetailSyntax

/// A switch over the integer codes of names, with a comparison where the code alone does not tell.
struct KeySwitch {
    /// What is done with a name.
    struct Branch {
        let name: String
        /// What has to hold besides, otherwise the name is unknown.
        var condition: String?
        let body: (inout SourceText) -> Void
        /// Whether documents have the field where the branch is among the others.
        var isExpected: Bool { condition == nil }

        init(
            _ name: String,
            condition: String? = nil,
            body: @escaping (inout SourceText) -> Void
        ) {
            self.name = name
            self.condition = condition
            self.body = body
        }

        init(_ name: String, condition: String? = nil, _ line: String) {
            self.init(name, condition: condition) { $0.line(line) }
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
            let conditions = [isExact ? nil : "key.matches(\(name))", branch.condition]
                .compactMap(\.self)
            let condition =
                conditions.isEmpty ? "" : " where " + conditions.joined(separator: " && ")
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
