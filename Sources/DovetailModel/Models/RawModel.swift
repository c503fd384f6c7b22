/// A model that is one raw value, and `Codable`, as `#Predicate` requires of what it compares.
/// Generated code makes enums with a raw type conform, for the reason that ``KeyedModel`` gives.
public protocol RawModel: Codable, Sendable {
    /// The case with `@Fallback`, and all others; nil where there is none. Made by generated code.
    static var _fallback: FallbackCase? { get }
}

extension RawModel {
    /// No case is read for raw values that no case has.
    public static var _fallback: FallbackCase? { nil }
}

/// The case that is read for raw values that no case has, and the cases that have one of their own: a query
/// takes a stored value that none of them has for the first.
public struct FallbackCase: Sendable {
    /// The case with `@Fallback`.
    package let value: any ModelValue & Sendable
    /// All other cases.
    package let others: [any ModelValue & Sendable]

    /// The case with `@Fallback`, and all others.
    public init<Value: ModelValue & Sendable>(_ value: Value, besides others: [Value]) {
        self.value = value
        self.others = others
    }
}
