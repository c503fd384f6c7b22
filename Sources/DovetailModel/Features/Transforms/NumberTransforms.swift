public import Foundation

/// Numbers, or whatever is made of its own `description`, as strings: `"12"`.
///
/// ```swift
/// @Attribute(.transformed(by: AsString<Int>.self)) var count: Int
/// ```
///
/// Reads what `Value.init(_:)` reads.
public enum AsString<Value: LosslessStringConvertible>: ModelTransform {
    /// Makes a value of its text.
    ///
    /// - Throws: ``ModelTransformError`` for what is none.
    public static func decode(_ stored: String) throws -> Value {
        guard let value = Value(stored) else {
            throw ModelTransformError(expected: "\(Value.self) as a string")
        }
        return value
    }

    /// The text of a value.
    public static func encode(_ value: Value) -> String { value.description }
}

/// Decimal numbers as strings, digit by digit: `"12.50"`, written without zeros at the end.
public enum DecimalAsString: ModelTransform {
    /// Makes a number of its digits.
    ///
    /// - Throws: ``ModelTransformError`` for what is no number, or has more digits than fit.
    public static func decode(_ stored: String) throws -> Decimal {
        // A number of JSON, and nothing around it.
        guard stored.utf8.allSatisfy({ $0 > 0x20 }),
            let value = try? Decimal(decoding: Data(stored.utf8), as: .json)
        else { throw ModelTransformError(expected: "Decimal as a string") }
        return value
    }

    /// The digits of a number.
    ///
    /// - Throws: ``ModelTransformError`` for NaN.
    public static func encode(_ value: Decimal) throws -> String {
        guard value.isFinite else { throw ModelTransformError(expected: "a number") }
        return value.description
    }
}

/// Truth values as 0 and 1; other numbers are errors.
public enum BoolAsInteger: ModelTransform {
    /// Makes a truth value of 0 or 1.
    ///
    /// - Throws: ``ModelTransformError`` for other numbers.
    public static func decode(_ stored: Int) throws -> Bool {
        guard stored == 0 || stored == 1 else { throw ModelTransformError(expected: "0 or 1") }
        return stored == 1
    }

    /// 1 for true.
    public static func encode(_ value: Bool) -> Int { value ? 1 : 0 }
}

/// Spans of time as seconds in a floating point number.
///
/// The property's own form without a transform is exact, but a store has no order for it. This one
/// has, and brings back spans of up to 15 significant digits.
public enum DurationInSeconds: ModelTransform {
    /// Makes a span of a number of seconds, taken by its decimal digits.
    ///
    /// - Throws: ``ModelTransformError`` for what 64 bits of seconds do not hold.
    public static func decode(_ stored: Double) throws -> Duration {
        guard let decimal = Decimal(exactText: stored.description),
            let value = DurationText.duration(decimal, isRounded: true)
        else { throw ModelTransformError(expected: "a number of seconds") }
        return value
    }

    /// The number of seconds.
    public static func encode(_ value: Duration) -> Double {
        value / .seconds(1)
    }

    /// Longer spans have larger numbers.
    public static var keepsOrder: Bool { true }
}
