public import Foundation

/// A type with a value that an ``UnknownModel`` answers where its document has none.
///
/// A protocol with `@ModelProtocol(unknown: .preserve)` needs it of the types of its properties.
/// Conform your own:
///
/// ```swift
/// @ModelProtocol(unknown: .preserve) protocol Asset { var type: AssetType { get } }
///
/// extension AssetType: UnknownDefault { static var unknownDefault: AssetType { .image } }
/// ```
///
/// Built in are strings, booleans, numbers, `Date`, `Data`, ``ModelDocument``, optionals and
/// collections.
public protocol UnknownDefault {
    /// The answer where the document has no value of the type. It never throws, as properties do
    /// not.
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
    /// The start of 1970 in UTC.
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
    /// Called by generated code, each time that the property is asked for.
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

    /// The default of a type that no document holds. Called by generated code.
    @_disfavoredOverload
    public func answer<Value: UnknownDefault>(_ name: String) -> Value { Value.unknownDefault }

    /// There is no answer: the compiler says what the type of the property needs.
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
        // Unavailable, so nothing can call it.
        fatalError("unavailable")
    }

    private func answer<Value: UnknownDefault>(
        _ name: String,
        _ read: (inout ModelReader) throws -> Value
    ) -> Value {
        // The getter of the protocol cannot throw, and the field may hold anything.
        guard let field = content?[key: name],
            let value = try? ModelReader.decode(tree: field, read)
        else { return .unknownDefault }
        return value
    }
}
