public import Foundation

// Operations on text for which Foundation on Linux has no expressions. `localizedStandardContains`,
// `localizedCompare` and `caseInsensitiveCompare` work with the toolchain's `#Predicate` too, which
// knows the functions but finds no nodes for them.
//
// The meaning of each is that of `TextFolding`, which knows no locale, so that a predicate answers
// alike in every process and in every store. A further one is a type with the meaning, and a
// `build_` function that `#Predicate` calls.

/// What an expression makes of one text.
public protocol TextOperation: Sendable {
    /// The text that it makes.
    static func value(of text: String) -> String
    /// The same in the language of stores.
    static var function: QueryFunction { get }
}

/// What an expression says of two texts.
public protocol TextRelation: Sendable {
    /// What it says.
    associatedtype Value
    /// What it says of these.
    static func value(of text: String, _ other: String) -> Value
    /// The same in the language of stores.
    static var function: QueryFunction { get }
}

extension PredicateExpressions {
    /// `lowercased()`: a text in lower case, by Unicode's rules.
    public enum Lowercased: TextOperation {
        /// The text in lower case.
        public static func value(of text: String) -> String { TextFolding.lowercased(text) }
        /// `lowercased`.
        public static var function: QueryFunction { .lowercased }
    }

    /// `uppercased()`: a text in upper case, by Unicode's rules.
    public enum Uppercased: TextOperation {
        /// The text in upper case.
        public static func value(of text: String) -> String { text.uppercased() }
        /// `uppercased`.
        public static var function: QueryFunction { .uppercased }
    }

    /// `hasSuffix(_:)`: whether a text ends with another one, letter by letter.
    public enum HasSuffix: TextRelation {
        /// Whether it does.
        public static func value(of text: String, _ suffix: String) -> Bool {
            text.hasSuffix(suffix)
        }
        /// `hasSuffix`.
        public static var function: QueryFunction { .hasSuffix }
    }

    /// `localizedStandardContains(_:)`: whether a text contains another one, whatever the case and the
    /// diacritics of both. An empty text is in none, as Foundation has it.
    public enum LocalizedStandardContains: TextRelation {
        /// Whether it does.
        public static func value(of text: String, _ part: String) -> Bool {
            TextFolding.contains(text, part)
        }
        /// `containsFolded`.
        public static var function: QueryFunction { .containsFolded }
    }

    /// `caseInsensitiveCompare(_:)`: the order of two texts, whatever their case.
    public enum CaseInsensitiveCompare: TextRelation {
        /// The order.
        public static func value(of text: String, _ other: String) -> ComparisonResult {
            TextFolding.compareCaseInsensitive(text, other)
        }
        /// `compareCaseInsensitive`.
        public static var function: QueryFunction { .compareCaseInsensitive }
    }

    /// `localizedCompare(_:)`: the order of two texts, first without and then with regard to diacritics
    /// and case.
    public enum LocalizedCompare: TextRelation {
        /// The order.
        public static func value(of text: String, _ other: String) -> ComparisonResult {
            TextFolding.compareLocalized(text, other)
        }
        /// `compareLocalized`.
        public static var function: QueryFunction { .compareLocalized }
    }

    /// `$0.name.lowercased()`. Written by `#Predicate`.
    public static func build_lowercased<Root>(_ root: Root) -> StringOperation<Root, Lowercased> {
        StringOperation(root: root)
    }

    /// `$0.name.uppercased()`. Written by `#Predicate`.
    public static func build_uppercased<Root>(_ root: Root) -> StringOperation<Root, Uppercased> {
        StringOperation(root: root)
    }

    /// `$0.name.hasSuffix(text)`. Written by `#Predicate`.
    public static func build_hasSuffix<Root, Other>(
        _ root: Root,
        _ suffix: Other
    ) -> StringRelation<Root, Other, HasSuffix> {
        StringRelation(root: root, other: suffix)
    }

    /// `$0.name.localizedStandardContains(text)`. Written by `#Predicate`.
    public static func build_localizedStandardContains<Root, Other>(
        _ root: Root,
        _ other: Other
    ) -> StringRelation<Root, Other, LocalizedStandardContains> {
        StringRelation(root: root, other: other)
    }

    /// `$0.name.caseInsensitiveCompare(text)`. Written by `#Predicate`.
    public static func build_caseInsensitiveCompare<Root, Other>(
        _ root: Root,
        _ other: Other
    ) -> StringRelation<Root, Other, CaseInsensitiveCompare> {
        StringRelation(root: root, other: other)
    }

    /// `$0.name.localizedCompare(text)`. Written by `#Predicate`.
    public static func build_localizedCompare<Root, Other>(
        _ root: Root,
        _ other: Other
    ) -> StringRelation<Root, Other, LocalizedCompare> {
        StringRelation(root: root, other: other)
    }
}

extension PredicateExpressions {
    /// What an operation makes of a text: `$0.name.lowercased()`.
    ///
    /// - Complexity: linear in the length of the text for each evaluation.
    public struct StringOperation<Root: PredicateExpression, Operation: TextOperation>:
        PredicateExpression
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
            Operation.value(of: String(try root.evaluate(bindings)))
        }
    }

    /// What a relation says of two texts: `$0.name.hasSuffix(".txt")`.
    ///
    /// - Complexity: linear in the length of both texts for each evaluation.
    public struct StringRelation<
        Root: PredicateExpression,
        Other: PredicateExpression,
        Relation: TextRelation
    >: PredicateExpression where Root.Output: StringProtocol, Other.Output: StringProtocol {
        /// What it says.
        public typealias Output = Relation.Value

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
        public func evaluate(_ bindings: PredicateBindings) throws -> Relation.Value {
            let text = String(try root.evaluate(bindings))
            return Relation.value(of: text, String(try other.evaluate(bindings)))
        }
    }
}

extension PredicateExpressions.StringOperation: Sendable where Root: Sendable {}

extension PredicateExpressions.StringOperation: Codable where Root: Codable {
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

extension PredicateExpressions.StringOperation: StandardPredicateExpression
where Root: StandardPredicateExpression {}

extension PredicateExpressions.StringOperation: CustomStringConvertible {
    /// The name of the operation and its part.
    public var description: String { "\(Operation.self)(root: \(root))" }
}

extension PredicateExpressions.StringRelation: Sendable where Root: Sendable, Other: Sendable {}

extension PredicateExpressions.StringRelation: Codable where Root: Codable, Other: Codable {
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

extension PredicateExpressions.StringRelation: StandardPredicateExpression
where Root: StandardPredicateExpression, Other: StandardPredicateExpression {}

extension PredicateExpressions.StringRelation: CustomStringConvertible {
    /// The name of the relation and its parts.
    public var description: String { "\(Relation.self)(root: \(root), other: \(other))" }
}
