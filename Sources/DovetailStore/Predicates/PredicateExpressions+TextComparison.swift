public import Foundation

extension PredicateExpressions {
    /// `$0.name.localizedCompare("b")`: the order of two texts, first without and then with regard to
    /// diacritics and case.
    ///
    /// - Complexity: linear in the length of both texts for each evaluation.
    public struct StringLocalizedCompare<
        Root: PredicateExpression,
        Other: PredicateExpression
    >: PredicateExpression where Root.Output: StringProtocol, Other.Output: StringProtocol {
        /// The order.
        public typealias Output = ComparisonResult

        /// The text that is looked at.
        public let root: Root
        /// The text that it is compared with.
        public let other: Other

        /// The expression over two others.
        public init(root: Root, other: Other) {
            self.root = root
            self.other = other
        }

        /// The answer for the values that `bindings` has.
        ///
        /// - Throws: what an inner expression throws.
        public func evaluate(_ bindings: PredicateBindings) throws -> ComparisonResult {
            let text = try root.evaluate(bindings)
            let other = try other.evaluate(bindings)
            return TextFolding.compareLocalized(String(text), String(other))
        }
    }

    /// `$0.name.localizedCompare(text)`. Written by `#Predicate`.
    public static func build_localizedCompare<Root, Other>(
        _ root: Root,
        _ other: Other
    ) -> StringLocalizedCompare<Root, Other> {
        StringLocalizedCompare(root: root, other: other)
    }
}

extension PredicateExpressions.StringLocalizedCompare: Sendable
where Root: Sendable, Other: Sendable {}

extension PredicateExpressions.StringLocalizedCompare: Codable
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

extension PredicateExpressions.StringLocalizedCompare: StandardPredicateExpression
where Root: StandardPredicateExpression, Other: StandardPredicateExpression {}

extension PredicateExpressions.StringLocalizedCompare: CustomStringConvertible {
    /// The name of the expression and its parts.
    public var description: String {
        "StringLocalizedCompare(root: \(root), other: \(other))"
    }
}

extension PredicateExpressions {
    /// `$0.name.caseInsensitiveCompare("B")`: the order of two texts, whatever their case.
    ///
    /// - Complexity: linear in the length of both texts for each evaluation.
    public struct StringCaseInsensitiveCompare<
        Root: PredicateExpression,
        Other: PredicateExpression
    >: PredicateExpression where Root.Output: StringProtocol, Other.Output: StringProtocol {
        /// The order.
        public typealias Output = ComparisonResult

        /// The text that is looked at.
        public let root: Root
        /// The text that it is compared with.
        public let other: Other

        /// The expression over two others.
        public init(root: Root, other: Other) {
            self.root = root
            self.other = other
        }

        /// The answer for the values that `bindings` has.
        ///
        /// - Throws: what an inner expression throws.
        public func evaluate(_ bindings: PredicateBindings) throws -> ComparisonResult {
            let text = try root.evaluate(bindings)
            let other = try other.evaluate(bindings)
            return TextFolding.compareCaseInsensitive(String(text), String(other))
        }
    }

    /// `$0.name.caseInsensitiveCompare(text)`. Written by `#Predicate`.
    public static func build_caseInsensitiveCompare<Root, Other>(
        _ root: Root,
        _ other: Other
    ) -> StringCaseInsensitiveCompare<Root, Other> {
        StringCaseInsensitiveCompare(root: root, other: other)
    }
}

extension PredicateExpressions.StringCaseInsensitiveCompare: Sendable
where Root: Sendable, Other: Sendable {}

extension PredicateExpressions.StringCaseInsensitiveCompare: Codable
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

extension PredicateExpressions.StringCaseInsensitiveCompare: StandardPredicateExpression
where Root: StandardPredicateExpression, Other: StandardPredicateExpression {}

extension PredicateExpressions.StringCaseInsensitiveCompare: CustomStringConvertible {
    /// The name of the expression and its parts.
    public var description: String {
        "StringCaseInsensitiveCompare(root: \(root), other: \(other))"
    }
}
