public import Foundation

extension Bool: ModelValue {
    /// Booleans have a column kind of their own.
    public static var columnType: ColumnType { .boolean }

    /// Reads `true` or `false`.
    @inlinable
    public init(modelValue reader: inout ModelReader) throws {
        self = try reader.readBool()
    }

    /// Writes `true` or `false`.
    @inlinable
    public func encode(to writer: inout ModelWriter) throws {
        try writer.write(self)
    }
}

extension String: ModelValue {
    /// Strings are text.
    public static var columnType: ColumnType { .text }

    /// Reads a string.
    @inlinable
    public init(modelValue reader: inout ModelReader) throws {
        self = try reader.readString()
    }

    /// Writes a string.
    @inlinable
    public func encode(to writer: inout ModelWriter) throws {
        try writer.write(self)
    }
}

extension Double: ModelValue {
    /// Doubles have a column kind of their own.
    public static var columnType: ColumnType { .double }

    /// Reads a number.
    @inlinable
    public init(modelValue reader: inout ModelReader) throws {
        self = try reader.readDouble()
    }

    /// Writes a number.
    @inlinable
    public func encode(to writer: inout ModelWriter) throws {
        try writer.write(self)
    }
}

extension Float: ModelValue {
    /// Floats are stored as doubles.
    public static var columnType: ColumnType { .double }

    /// Reads a number and rounds it once; one that no `Float` can hold is an error.
    public init(modelValue reader: inout ModelReader) throws {
        let start = reader.cursor
        let value = try reader.readDouble()
        var float = Float(value)
        // The double may have been rounded to the middle itself; then the text decides.
        if float.isRoundedFromMiddle(value), let text = reader.numberText(from: start) {
            float = Float(text) ?? float
        }
        guard float.isFinite || !value.isFinite else {
            throw reader.outOfRange(Float.self, at: start)
        }
        self = float
    }

    /// Whether `value`, which this is rounded from, lies in the middle between two floats.
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

    /// Writes the value a `Double` has that is equal to it.
    public func encode(to writer: inout ModelWriter) throws {
        if writer.destination != .json, !writer.isRow { return try writer.writeOther(self) }
        // The shortest digits of the float, not those of the double beside it.
        try writer.write(isFinite ? Double(description) ?? Double(self) : Double(self))
    }
}

extension Decimal: ModelValue {
    /// Decimals have a column kind of their own.
    public static var columnType: ColumnType { .decimal }

    /// Reads a number, digit by digit.
    public init(modelValue reader: inout ModelReader) throws {
        self = try reader.readDecimal()
    }

    /// Writes a number, digit by digit.
    public func encode(to writer: inout ModelWriter) throws {
        try writer.write(self)
    }
}

extension FixedWidthInteger where Self: ModelValue {
    /// Integers are stored as whole numbers.
    public static var columnType: ColumnType { .integer }

    /// Reads a whole number; one that does not fit is an error.
    @inlinable
    public init(modelValue reader: inout ModelReader) throws {
        self = try reader.readInteger(Self.self)
    }

    /// Writes a whole number.
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
