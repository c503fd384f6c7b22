public import Foundation

/// What one column of a row holds.
///
/// The stored kind decides, not a conversion: the digits of a number in a column of text are a text.
/// A cell is a view of the row that it is of. The bytes of a text belong to the store, and are valid
/// until its cursor moves.
@frozen
public enum RowCell {
    case null
    case integer(Int64)
    /// A truth value, in stores that tell it from a number.
    case boolean(Bool)
    case double(Double)
    /// A text in UTF-8 that is not yet validated; also an embedded document, and the digits of a
    /// decimal number.
    case text(UnsafeBufferPointer<UInt8>)
    case data(UnsafeBufferPointer<UInt8>)
    /// A date, in stores that tell it from a text.
    case date(Date)
    /// Something that is none of these, or could not be read: an error for whatever is read from it.
    case other

    /// Whether it is NULL.
    @inlinable public var isNull: Bool { if case .null = self { true } else { false } }

    /// The whole number, or a truth value as 0 or 1; nil for something else.
    @inlinable public var integer: Int64? {
        switch self {
        case .integer(let value): value
        case .boolean(let value): value ? 1 : 0
        default: nil
        }
    }

    /// The number; nil for something else. Whole numbers are numbers, too: somebody else may have
    /// written 5 for 5.0.
    @inlinable public var double: Double? {
        switch self {
        case .double(let value): value
        case .integer(let value): Double(value)
        default: nil
        }
    }

    /// The text; nil for something else.
    @inlinable public var text: UnsafeBufferPointer<UInt8>? {
        if case .text(let bytes) = self { bytes } else { nil }
    }

    /// The bytes; nil for something else.
    @inlinable public var data: UnsafeBufferPointer<UInt8>? {
        if case .data(let bytes) = self { bytes } else { nil }
    }

    /// The date, or the one that a text spells; nil for something else.
    public var date: Date? {
        switch self {
        case .date(let value): value
        case .text(let bytes): DateText.date(sortable: bytes)
        default: nil
        }
    }

    /// The decimal number that a text spells, with all its digits; nil for what `Decimal` cannot hold
    /// to the last one. Others keep numbers as a database does: a floating point number is the
    /// decimal with the fewest digits that is read as the same.
    public var decimal: Decimal? {
        switch self {
        case .text(let bytes): Decimal(exactBytes: bytes)
        case .integer(let value): Decimal(value)
        case .double(let value): Decimal(exactText: value.description)
        default: nil
        }
    }

    /// The kind in words, for messages. It never shows the content.
    public var kind: String {
        switch self {
        case .null: "NULL"
        case .integer: "an integer"
        case .boolean: "a boolean"
        case .double: "a number"
        case .text: "text"
        case .data: "bytes"
        case .date: "a date"
        case .other: "something else"
        }
    }
}
