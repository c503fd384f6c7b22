/// How names of properties become names in documents.
public enum NamingRule: String, CaseIterable {
    /// `createdAt` stays `createdAt`.
    case asDeclared
    /// `createdAt` becomes `created_at`.
    case snakeCase
    /// `createdAt` becomes `created-at`.
    case kebabCase
    /// `createdAt` becomes `CreatedAt`.
    case pascalCase

    /// The name in documents of a property.
    public func documentName(of property: String) -> String {
        switch self {
        case .asDeclared: property
        case .snakeCase: Self.words(of: property).joined(separator: "_")
        case .kebabCase: Self.words(of: property).joined(separator: "-")
        case .pascalCase: property.prefix(1).uppercased() + property.dropFirst()
        }
    }

    /// `htmlURLOfHome` has the words html, url, of, home: a new word starts at a capital behind a
    /// small letter, and at the last capital of a row of them before a small letter.
    private static func words(of name: String) -> [String] {
        let characters = Array(name)
        var words: [String] = []
        var word = ""
        for (index, character) in characters.enumerated() {
            let afterSmall = index > 0 && !characters[index - 1].isUppercase
            let beforeSmall = index + 1 < characters.count && characters[index + 1].isLowercase
            if character.isUppercase, !word.isEmpty, afterSmall || beforeSmall {
                words.append(word)
                word = ""
            }
            word += character.lowercased()
        }
        return word.isEmpty ? words : words + [word]
    }
}
