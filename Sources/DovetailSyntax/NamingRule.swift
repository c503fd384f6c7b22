/// How names of properties, cases and labels become names in documents: the twin of
/// `AttributeNaming` in DovetailModel, whose cases have the same names.
///
/// The names are made when the program is compiled. `@Attribute(name:)` is not changed by a rule.
public enum NamingRule: String, CaseIterable {
    /// `createdAt` stays `createdAt`.
    case asDeclared
    /// `createdAt` becomes `created_at`.
    case snakeCase
    /// `thumb360W` becomes `thumb_360_w`.
    case snakeCaseWithDigits
    /// `createdAt` becomes `created-at`.
    case kebabCase
    /// `createdAt` becomes `CreatedAt`.
    case pascalCase

    /// The name in documents of a property, which is given without backticks.
    ///
    /// ```swift
    /// NamingRule.snakeCase.documentName(of: "avatarURL")      // "avatar_url"
    /// ```
    public func documentName(of property: String) -> String {
        switch self {
        case .asDeclared: property
        case .snakeCase: Self.words(of: property).joined(separator: "_")
        case .snakeCaseWithDigits:
            Self.words(of: property).flatMap(Self.splitAtDigits).joined(separator: "_")
        case .kebabCase: Self.words(of: property).joined(separator: "-")
        case .pascalCase: property.prefix(1).uppercased() + property.dropFirst()
        }
    }

    /// The runs of digits of a word, and what is between them.
    private static func splitAtDigits(_ word: String) -> [String] {
        var parts: [String] = []
        for character in word {
            let isNew = parts.last?.last.map { $0.isNumber != character.isNumber } ?? true
            if isNew { parts.append("") }
            parts[parts.count - 1].append(character)
        }
        // An underscore that is there already is the one between both.
        let last = parts.indices.last
        return parts.enumerated().map { index, part in
            index != last && part.hasSuffix("_") ? String(part.dropLast()) : part
        }
    }

    /// The words of a name in lower case: html, url, of, home of `htmlURLOfHome`. A word starts at
    /// a capital after anything but a capital, and at the last capital of a run before a small
    /// letter.
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
