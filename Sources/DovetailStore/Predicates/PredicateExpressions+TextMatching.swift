public import Foundation

// Operations on text for which Foundation on Linux has no expressions. `localizedStandardContains`,
// `localizedCompare` and `caseInsensitiveCompare` work with the toolchain's `#Predicate` too, which
// knows the functions but finds no nodes for them.
//
// The meaning of each is that of `TextFolding`, which knows no locale, so that a predicate answers
// alike in every process and in every store.

extension PredicateExpressions {
    /// `$0.name.localizedStandardContains("cafe")`: whether a text contains another one, whatever
    /// the case and the diacritics of both. An empty text is in none, as Foundation has it.
    ///
    /// - Complexity: linear in the length of both texts for each evaluation.
    public struct StringLocalizedStandardContains<
        Root: PredicateExpression,
        Other: PredicateExpression
    >: PredicateExpression where Root.Output: StringProtocol, Other.Output: StringProtocol {
        /// Whether it holds.
        public typealias Output = Bool

        /// The text that is looked at.
        public let root: Root
        /// The text that is looked for.
        public let other: Other

        /// The expression over two others.
        public init(root: Root, other: Other) {
            self.root = root
            self.other = other
        }

        /// The answer for the values that `bindings` has.
        ///
        /// - Throws: what an inner expression throws.
        public func evaluate(_ bindings: PredicateBindings) throws -> Bool {
            let text = try root.evaluate(bindings)
            let other = try other.evaluate(bindings)
            return TextFolding.contains(String(text), String(other))
        }
    }

    /// `$0.name.localizedStandardContains(text)`. Written by `#Predicate`.
    public static func build_localizedStandardContains<Root, Other>(
        _ root: Root,
        _ other: Other
    ) -> StringLocalizedStandardContains<Root, Other> {
        StringLocalizedStandardContains(root: root, other: other)
    }
}

extension PredicateExpressions.StringLocalizedStandardContains: Sendable
where Root: Sendable, Other: Sendable {}

extension PredicateExpressions.StringLocalizedStandardContains: Codable
where Root: Codable, Other: Codable {
    /// Writes both parts as a list.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        try container.encode(root)
        try container.encode(other)
    }

    /// Reads what ``encode(to:)`` wrote.
    public init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        root = try container.decode(Root.self)
        other = try container.decode(Other.self)
    }
}

extension PredicateExpressions.StringLocalizedStandardContains: StandardPredicateExpression
where Root: StandardPredicateExpression, Other: StandardPredicateExpression {}

extension PredicateExpressions.StringLocalizedStandardContains: CustomStringConvertible {
    /// The name of the expression and its parts.
    public var description: String {
        "StringLocalizedStandardContains(root: \(root), other: \(other))"
    }
}

extension PredicateExpressions {
    /// `$0.name.hasSuffix(".txt")`: whether a text ends with another one, letter by letter.
    ///
    /// - Complexity: linear in the length of both texts for each evaluation.
    public struct StringHasSuffix<
        Root: PredicateExpression,
        Suffix: PredicateExpression
    >: PredicateExpression where Root.Output: StringProtocol, Suffix.Output: StringProtocol {
        /// Whether it holds.
        public typealias Output = Bool

        /// The text that is looked at.
        public let root: Root
        /// The text that it should end with.
        public let suffix: Suffix

        /// The expression over two others.
        public init(root: Root, suffix: Suffix) {
            self.root = root
            self.suffix = suffix
        }

        /// The answer for the values that `bindings` has.
        ///
        /// - Throws: what an inner expression throws.
        public func evaluate(_ bindings: PredicateBindings) throws -> Bool {
            let text = try root.evaluate(bindings)
            let suffix = try suffix.evaluate(bindings)
            return text.hasSuffix(suffix)
        }
    }

    /// `$0.name.hasSuffix(text)`. Written by `#Predicate`.
    public static func build_hasSuffix<Root, Suffix>(
        _ root: Root,
        _ suffix: Suffix
    ) -> StringHasSuffix<Root, Suffix> {
        StringHasSuffix(root: root, suffix: suffix)
    }
}

extension PredicateExpressions.StringHasSuffix: Sendable
where Root: Sendable, Suffix: Sendable {}

extension PredicateExpressions.StringHasSuffix: Codable
where Root: Codable, Suffix: Codable {
    /// Writes both parts as a list.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        try container.encode(root)
        try container.encode(suffix)
    }

    /// Reads what ``encode(to:)`` wrote.
    public init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        root = try container.decode(Root.self)
        suffix = try container.decode(Suffix.self)
    }
}

extension PredicateExpressions.StringHasSuffix: StandardPredicateExpression
where Root: StandardPredicateExpression, Suffix: StandardPredicateExpression {}

extension PredicateExpressions.StringHasSuffix: CustomStringConvertible {
    /// The name of the expression and its parts.
    public var description: String {
        "StringHasSuffix(root: \(root), suffix: \(suffix))"
    }
}
