public import Foundation

extension Bool: ModelValue {
    /// Booleans have a column kind of their own.
    public static var columnType: ColumnType { .boolean }

    /// Reads `true` or `false`; in a row an `INTEGER` of 0 or 1.
    ///
    /// - Throws: ``ModelDecodingError`` for anything else; 0 and 1 are numbers in documents.
    @inlinable
    public init(modelValue reader: inout ModelReader) throws {
        self = try reader.readBool()
    }

    /// Writes `true` or `false`; in a row 1 or 0.
    @inlinable
    public func encode(to writer: inout ModelWriter) throws {
        try writer.write(self)
    }
}

extension String: ModelValue {
    /// Strings are text.
    public static var columnType: ColumnType { .text }

    /// Reads a string.
    ///
    /// - Throws: ``ModelDecodingError`` when there is none, or it is not UTF-8.
    @inlinable
    public init(modelValue reader: inout ModelReader) throws {
        self = try reader.readString()
    }

    /// Writes a string.
    ///
    /// - Throws: ``ModelEncodingError`` in property lists, for `$null` and in XML for control
    ///   characters.
    @inlinable
    public func encode(to writer: inout ModelWriter) throws {
        try writer.write(self)
    }
}

extension Double: ModelValue {
    /// Doubles have a column kind of their own.
    public static var columnType: ColumnType { .double }

    /// Reads a number, correctly rounded.
    ///
    /// - Throws: ``ModelDecodingError`` when there is none, or it is larger than any `Double`.
    @inlinable
    public init(modelValue reader: inout ModelReader) throws {
        self = try reader.readDouble()
    }

    /// Writes the fewest digits that give back the value.
    ///
    /// - Throws: ``ModelEncodingError`` for NaN in JSON and in a row, and for infinities in JSON.
    @inlinable
    public func encode(to writer: inout ModelWriter) throws {
        try writer.write(self)
    }
}

extension Float: ModelValue {
    /// Floats are stored as doubles.
    public static var columnType: ColumnType { .double }

    /// Reads a number and rounds it once.
    ///
    /// - Throws: ``ModelDecodingError`` when there is none, or it is larger than any `Float`.
    public init(modelValue reader: inout ModelReader) throws {
        let start = reader.cursor
        let value = try reader.readDouble()
        var float = Float(value)
        // Rounding to `Double` and then to `Float` is wrong when the double is a tie; then the text
        // decides.
        if float.isRoundedFromMiddle(value), let text = reader.numberText(from: start) {
            float = Float(text) ?? float
        }
        guard float.isFinite || !value.isFinite else {
            throw reader.outOfRange(Float.self, at: start)
        }
        self = float
    }

    /// Whether `value`, which was rounded to this, lies in the middle between two floats.
    private func isRoundedFromMiddle(_ value: Double) -> Bool {
        // Infinity begins in the middle between the largest float and 2^128.
        func place(_ float: Float) -> Double {
            float.isInfinite
                ? Double(sign: float.sign, exponent: 128, significand: 1) : Double(float)
        }
        let nearest = place(self)
        guard nearest != value else { return false }
        let other = place(nearest < value ? nextUp : nextDown)
        return value - nearest == other - value
    }

    /// Writes the fewest digits that give back the float, in JSON and in a row; in a binary
    /// property list four bytes, elsewhere the equal `Double`.
    ///
    /// - Throws: ``ModelEncodingError`` as for `Double`.
    public func encode(to writer: inout ModelWriter) throws {
        if writer.destination != .json, !writer.isRow { return try writer.writeNonJSON(self) }
        // The digits of the float: those of the equal double would be `0.10000000149011612` for
        // `0.1`.
        try writer.write(isFinite ? Double(description) ?? Double(self) : Double(self))
    }
}

extension Decimal: ModelValue {
    /// Decimals have a column kind of their own.
    public static var columnType: ColumnType { .decimal }

    /// Reads a number, digit by digit.
    ///
    /// - Throws: ``ModelDecodingError`` when there is none, or it has more digits than `Decimal`
    ///   holds.
    public init(modelValue reader: inout ModelReader) throws {
        self = try reader.readDecimal()
    }

    /// Writes a number, digit by digit; in property lists a string.
    ///
    /// - Throws: ``ModelEncodingError`` for NaN.
    public func encode(to writer: inout ModelWriter) throws {
        try writer.write(self)
    }
}

extension FixedWidthInteger where Self: ModelValue {
    /// Integers are stored as whole numbers.
    public static var columnType: ColumnType { .integer }

    /// Reads a whole number, which may be written as `2.0` or `2e1`.
    ///
    /// - Throws: ``ModelDecodingError`` when there is none, or it does not fit.
    @inlinable
    public init(modelValue reader: inout ModelReader) throws {
        self = try reader.readInteger(Self.self)
    }

    /// Writes a whole number.
    ///
    /// - Throws: ``ModelEncodingError`` in a row, for a number above `Int64.max`.
    @inlinable
    public func encode(to writer: inout ModelWriter) throws {
        try writer.write(self)
    }
}

extension Int: ModelValue {}
extension Int8: ModelValue {}
extension Int16: ModelValue {}
extension Int32: ModelValue {}
extension Int64: ModelValue {}
extension UInt: ModelValue {}
extension UInt8: ModelValue {}
extension UInt16: ModelValue {}
extension UInt32: ModelValue {}
extension UInt64: ModelValue {}
