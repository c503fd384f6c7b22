public import Foundation

/// What an ``UnknownModel`` answers where its document has no value of this type: for a property of
/// a protocol with `@ModelProtocol(unknown: .preserve)`.
///
/// Conform the types that your protocol's properties have:
///
/// ```swift
/// extension AssetType: UnknownDefault { static var unknownDefault: AssetType { .image } }
/// ```
public protocol UnknownDefault {
    /// The answer.
    static var unknownDefault: Self { get }
}

extension String: UnknownDefault {
    /// The empty string.
    public static var unknownDefault: String { "" }
}

extension Bool: UnknownDefault {
    /// False.
    public static var unknownDefault: Bool { false }
}

extension UnknownDefault where Self: Numeric {
    /// Zero.
    public static var unknownDefault: Self { .zero }
}

extension Int: UnknownDefault {}
extension Int8: UnknownDefault {}
extension Int16: UnknownDefault {}
extension Int32: UnknownDefault {}
extension Int64: UnknownDefault {}
extension UInt: UnknownDefault {}
extension UInt8: UnknownDefault {}
extension UInt16: UnknownDefault {}
extension UInt32: UnknownDefault {}
extension UInt64: UnknownDefault {}
extension Double: UnknownDefault {}
extension Float: UnknownDefault {}
extension Decimal: UnknownDefault {}

extension Date: UnknownDefault {
    /// The first moment of 1970 in UTC.
    public static var unknownDefault: Date { Date(timeIntervalSince1970: 0) }
}

extension Data: UnknownDefault {
    /// No bytes.
    public static var unknownDefault: Data { Data() }
}

extension ModelDocument: UnknownDefault {
    /// Null.
    public static var unknownDefault: ModelDocument { .null }
}

extension Optional: UnknownDefault {
    /// Nil.
    public static var unknownDefault: Wrapped? { nil }
}

extension Array: UnknownDefault {
    /// No elements.
    public static var unknownDefault: [Element] { [] }
}

extension Set: UnknownDefault {
    /// No elements.
    public static var unknownDefault: Set<Element> { [] }
}

extension Dictionary: UnknownDefault {
    /// No elements.
    public static var unknownDefault: [Key: Value] { [:] }
}

extension PreservedElement {
    /// The field of this name, when it holds a value of the type; else its ``UnknownDefault``.
    ///
    /// - Complexity: linear in the size of the field.
    public func answer<Value: ModelValue & UnknownDefault>(_ name: String) -> Value {
        answer(name) { try Value(modelValue: &$0) }
    }

    /// The same for a type that holds `any P`. Called by generated code.
    public func answer<Coding: ModelCoding>(
        _ name: String,
        by coding: Coding.Type
    ) -> Coding.Value where Coding.Value: UnknownDefault {
        answer(name) { try Coding.decode(from: &$0) }
    }

    /// The default of a type that no document holds.
    @_disfavoredOverload
    public func answer<Value: UnknownDefault>(_ name: String) -> Value { Value.unknownDefault }

    /// There is no answer.
    @available(
        *,
        unavailable,
        message: """
            unknown: .preserve needs to know what an unknown element answers for a property of this \
            type; conform the type to UnknownDefault
            """
    )
    @_disfavoredOverload
    public func answer<Value>(_ name: String) -> Value {
        // Nothing can call it: it exists for the message of the compiler.
        fatalError("unavailable")
    }

    private func answer<Value: UnknownDefault>(
        _ name: String,
        _ read: (inout ModelReader) throws -> Value
    ) -> Value {
        // A getter cannot throw, and the element may hold anything under this name.
        guard let field = content?[key: name],
            let value = try? ModelReader.decode(tree: field, read)
        else { return .unknownDefault }
        return value
    }
}
