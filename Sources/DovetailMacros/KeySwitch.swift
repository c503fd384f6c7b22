import DovetailSyntax

/// A switch over the integer codes of names, with a comparison where the code alone does not tell.
struct KeySwitch {
    let key: String
    let unknown: String

    func text(_ branches: [(name: String, body: String)]) -> String {
        var order: [UInt64] = []
        var groups: [UInt64: [(name: String, body: String)]] = [:]
        for branch in branches {
            let code = FieldCode.code(of: branch.name)
            if groups[code] == nil { order.append(code) }
            groups[code, default: []].append(branch)
        }
        var text = "switch \(key).code {\n"
        for code in order {
            text += "case \(code):\n"
            for branch in groups[code] ?? [] {
                if branch.name.utf8.count <= FieldCode.longestExactName {
                    text += branch.body + "\n"
                } else {
                    let name = RawSource.literal(branch.name)
                    text += "if \(key).matches(\(name)) { \(branch.body) } else "
                }
            }
            if text.hasSuffix("else ") { text += "{ \(unknown) }\n" }
        }
        return text + "default: \(unknown)\n}"
    }
}
