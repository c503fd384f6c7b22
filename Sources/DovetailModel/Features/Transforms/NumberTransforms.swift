public import Foundation

/// Numbers, or any other values that can be made of their own `description`, as strings.
///
/// ```swift
/// @Model struct Account { @Attribute(.transformed(by: AsString<Int>.self)) var balance: Int }
///
/// try Account(balance: 12).encoded(as: .json)       // {"balance":"12"}
/// ```
///
/// What is read is what `Value.init(_:)` of `LosslessStringConvertible` takes: `"007"` is an `Int`
/// too. The column is `TEXT`, whose order is not that of numbers.
public enum AsString<Value: LosslessStringConvertible>: ModelTransform {
    /// The value of a text.
    ///
    /// - Throws: ``ModelTransformError`` when `Value.init(_:)` gives nil.
    public static func decode(_ stored: String) throws -> Value {
        guard let value = Value(stored) else {
            throw ModelTransformError(expected: "\(Value.self) as a string")
        }
        return value
    }

    /// The `description` of a value.
    public static func encode(_ value: Value) -> String { value.description }
}

/// `Decimal` as a string, digit by digit, for amounts that must not become a `Double` on the way.
///
/// ```swift
/// @Model struct Price { @Attribute(.transformed(by: DecimalAsString.self)) var amount: Decimal }
///
/// let price = try Price(decoding: Data(#"{"amount":"12.50"}"#.utf8), as: .json)
/// try price.encoded(as: .json)                      // {"amount":"12.5"}
/// ```
///
/// Zeros at the end are read and not written. The column is `TEXT`, whose order is not that of
/// numbers.
public enum DecimalAsString: ModelTransform {
    /// The number that digits stand for, in the syntax of JSON
    /// ([RFC 8259, section 6](https://www.rfc-editor.org/rfc/rfc8259#section-6)).
    ///
    /// - Throws: ``ModelTransformError`` for what is no number, and for one that `Decimal` cannot
    ///   hold.
    public static func decode(_ stored: String) throws -> Decimal {
        // A number of JSON, and nothing around it.
        guard stored.utf8.allSatisfy({ $0 > 0x20 }),
            let value = try? Decimal(decoding: Data(stored.utf8), as: .json)
        else { throw ModelTransformError(expected: "Decimal as a string") }
        return value
    }

    /// The digits of a number.
    ///
    /// - Throws: ``ModelTransformError`` for NaN, which JSON has no number for.
    public static func encode(_ value: Decimal) throws -> String {
        guard value.isFinite else { throw ModelTransformError(expected: "a number") }
        return value.description
    }
}

/// `Bool` as 0 and 1; other numbers are errors.
///
/// ```swift
/// @Model struct Chore { @Attribute(.transformed(by: BoolAsInteger.self)) var isDone: Bool }
///
/// try Chore(isDone: true).encoded(as: .json)         // {"isDone":1}
/// ```
///
/// The column is `INTEGER`, as that of a plain `Bool`.
public enum BoolAsInteger: ModelTransform {
    /// False for 0, true for 1.
    ///
    /// - Throws: ``ModelTransformError`` for other numbers.
    public static func decode(_ stored: Int) throws -> Bool {
        guard stored == 0 || stored == 1 else { throw ModelTransformError(expected: "0 or 1") }
        return stored == 1
    }

    /// 0 for false, 1 for true.
    public static func encode(_ value: Bool) -> Int { value ? 1 : 0 }
}

/// `Duration` as seconds in a floating point number.
///
/// ```swift
/// @Model struct Lap { @Attribute(.transformed(by: DurationInSeconds.self)) var time: Duration }
///
/// try Lap(time: .milliseconds(250)).encoded(as: .json)    // {"time":0.25}
/// ```
///
/// A `Duration` without a transform is exact, but its column is `TEXT`, in whose order no index is
/// that of time. Here it is `REAL`, and spans of up to 15 significant digits come back exactly.
public enum DurationInSeconds: ModelTransform {
    /// The span of a number of seconds. It is made of the number's shortest decimal digits, so that
    /// 0.1 is exactly 100 milliseconds.
    ///
    /// - Throws: ``ModelTransformError`` for seconds that do not fit into 64 bits, and for NaN.
    public static func decode(_ stored: Double) throws -> Duration {
        guard let decimal = Decimal(exactText: stored.description),
            let value = DurationText.duration(decimal, isRounded: true)
        else { throw ModelTransformError(expected: "a number of seconds") }
        return value
    }

    /// The number of seconds, rounded to a `Double`.
    public static func encode(_ value: Duration) -> Double {
        value / .seconds(1)
    }

    /// Longer spans have larger numbers.
    public static var keepsOrder: Bool { true }
}
