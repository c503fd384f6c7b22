public import Foundation

extension PredicateExpressions {
    /// `$0.name.lowercased()`: a text in lower case, by Unicode's rules without a locale.
    ///
    /// - Complexity: linear in the length of the text for each evaluation.
    public struct StringLowercased<Root: PredicateExpression>: PredicateExpression
    where Root.Output: StringProtocol {
        /// The text.
        public typealias Output = String

        /// The text that is changed.
        public let root: Root

        /// The expression over another one.
        public init(root: Root) {
            self.root = root
        }

        /// The text for the values that `bindings` has.
        ///
        /// - Throws: what the inner expression throws.
        public func evaluate(_ bindings: PredicateBindings) throws -> String {
            TextFolding.lowercased(String(try root.evaluate(bindings)))
        }
    }

    /// `$0.name.lowercased()`. Written by `#Predicate`.
    public static func build_lowercased<Root>(_ root: Root) -> StringLowercased<Root> {
        StringLowercased(root: root)
    }
}

extension PredicateExpressions.StringLowercased: Sendable where Root: Sendable {}

extension PredicateExpressions.StringLowercased: Codable where Root: Codable {
    /// Writes the part as a list of one.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        try container.encode(root)
    }

    /// Reads what ``encode(to:)`` wrote.
    public init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        root = try container.decode(Root.self)
    }
}

extension PredicateExpressions.StringLowercased: StandardPredicateExpression
where Root: StandardPredicateExpression {}

extension PredicateExpressions.StringLowercased: CustomStringConvertible {
    /// The name of the expression and its part.
    public var description: String { "StringLowercased(root: \(root))" }
}

extension PredicateExpressions {
    /// `$0.name.uppercased()`: a text in upper case, by Unicode's rules without a locale.
    ///
    /// - Complexity: linear in the length of the text for each evaluation.
    public struct StringUppercased<Root: PredicateExpression>: PredicateExpression
    where Root.Output: StringProtocol {
        /// The text.
        public typealias Output = String

        /// The text that is changed.
        public let root: Root

        /// The expression over another one.
        public init(root: Root) {
            self.root = root
        }

        /// The text for the values that `bindings` has.
        ///
        /// - Throws: what the inner expression throws.
        public func evaluate(_ bindings: PredicateBindings) throws -> String {
            try root.evaluate(bindings).uppercased()
        }
    }

    /// `$0.name.uppercased()`. Written by `#Predicate`.
    public static func build_uppercased<Root>(_ root: Root) -> StringUppercased<Root> {
        StringUppercased(root: root)
    }
}

extension PredicateExpressions.StringUppercased: Sendable where Root: Sendable {}

extension PredicateExpressions.StringUppercased: Codable where Root: Codable {
    /// Writes the part as a list of one.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        try container.encode(root)
    }

    /// Reads what ``encode(to:)`` wrote.
    public init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        root = try container.decode(Root.self)
    }
}

extension PredicateExpressions.StringUppercased: StandardPredicateExpression
where Root: StandardPredicateExpression {}

extension PredicateExpressions.StringUppercased: CustomStringConvertible {
    /// The name of the expression and its part.
    public var description: String { "StringUppercased(root: \(root))" }
}
