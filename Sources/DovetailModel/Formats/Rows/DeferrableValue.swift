public import Foundation

/// A type of large values, which an object may be without until somebody reads its property:
/// `@Attribute(.externalStorage)`. A value that was never read, and cannot be read any more, is the type's
/// ``UnknownDefault``: nil or nothing.
///
/// Bytes, text and collections are, and their optionals. None of them is a whole number in a column, so
/// that one there says that the value was left out (``RowCell/isDeferred``). A type of your own may be one if its
/// column is bytes, text or a document.
public protocol DeferrableValue: UnknownDefault {}

extension Data: DeferrableValue {}
extension String: DeferrableValue {}
extension Array: DeferrableValue {}
extension Set: DeferrableValue {}
extension Dictionary: DeferrableValue {}
extension Optional: DeferrableValue where Wrapped: DeferrableValue {}

extension RowCell {
    /// Whether it stands for a value that was not read, in a column of a ``DeferrableValue``: a whole
    /// number, or a truth value.
    @inlinable public var isDeferred: Bool { integer != nil }
}

extension ModelReader {
    /// Passes over the next column of a row where its value was left out, and puts nil or nothing into the
    /// slot. Called by generated code, before `readColumn(_:)`.
    ///
    /// - Returns: whether it was.
    @inlinable
    public mutating func defers<Value: DeferrableValue>(_ slot: inout Value?) -> Bool {
        column &+= 1
        if rowCell().isDeferred {
            slot = .some(Value.unknownDefault)
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
