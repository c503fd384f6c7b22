public import Foundation

/// A type of large values, which an object may be without until somebody reads its property:
/// `@Attribute(.externalStorage)`.
///
/// Bytes, text and collections are, and their optionals. None of them is a whole number in a column, so
/// that one there says that the value was left out (``RowCell/isDeferred``).
public protocol DeferrableValue {
    /// What a property gives whose value was never read, and cannot be read any more.
    static var placeholder: Self { get }
}

extension Data: DeferrableValue {
    /// No bytes.
    public static var placeholder: Data { Data() }
}

extension String: DeferrableValue {
    /// No text.
    public static var placeholder: String { "" }
}

extension Array: DeferrableValue {
    /// No elements.
    public static var placeholder: [Element] { [] }
}

extension Set: DeferrableValue {
    /// No elements.
    public static var placeholder: Set<Element> { [] }
}

extension Dictionary: DeferrableValue {
    /// No elements.
    public static var placeholder: [Key: Value] { [:] }
}

extension Optional: DeferrableValue where Wrapped: DeferrableValue {
    /// Nil.
    public static var placeholder: Wrapped? { .none }
}

extension RowCell {
    /// Whether it stands for a value that was not read, in a column of a ``DeferrableValue``: a whole
    /// number, or a truth value.
    @inlinable public var isDeferred: Bool { integer != nil }
}

extension ModelReader {
    /// Passes over the next column of a row where its value was left out, and puts a placeholder into the
    /// slot. Called by generated code, before `readColumn(_:)`.
    ///
    /// - Returns: whether it was.
    @inlinable
    public mutating func defers<Value: DeferrableValue>(_ slot: inout Value?) -> Bool {
        column &+= 1
        if rowCell().isDeferred {
            slot = .some(Value.placeholder)
            return true
        }
        column &-= 1
        return false
    }

    /// The value of another type is never left out. Called by generated code.
    @_disfavoredOverload
    @inlinable
    public mutating func defers<Value>(_ slot: inout Value?) -> Bool { false }
}

extension ModelWriter {
    /// Whether a document is written, and no row.
    package var writesDocument: Bool { !isRow }

    /// Whether the next field is wanted: one of a document, or a column whose value counts.
    package var wantsNextField: Bool {
        guard isRow, wanted != .max, column < 63 else { return true }
        return wanted & 1 << UInt64(column &+ 1) != 0
    }
}
