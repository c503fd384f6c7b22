import DovetailSyntax

/// A switch over the integer codes of names, with a comparison where the code alone does not tell.
struct KeySwitch {
    /// What is done with a name.
    struct Branch {
        let name: String
        /// What has to hold besides, otherwise the name is unknown.
        var condition: String?
        let body: String
        /// Whether documents have the field where the branch stands among the others.
        var isExpected: Bool { condition == nil }
    }

    let key: String
    /// Stands once, however many names lead to it: every call that throws is a way out of its own,
    /// which the optimizer has to go through.
    let unknown: String

    func text(_ branches: [Branch]) -> String {
        var text = "switch \(key).code {\n"
        for branch in branches {
            let isExact = branch.name.utf8.count <= FieldCode.longestExactName
            let match = isExact ? nil : "\(key).matches(\(RawSource.literal(branch.name)))"
            let conditions = [match, branch.condition].compactMap(\.self)
            let condition =
                conditions.isEmpty ? "" : " where " + conditions.joined(separator: " && ")
            text += "case \(FieldCode.code(of: branch.name))\(condition):\n\(branch.body)\n"
        }
        return text + "default: \(unknown)\n}"
    }
}
