public import Foundation

/// `Data` as base64 for addresses and file names, with `-` and `_` in place of `+` and `/`
/// ([RFC 4648, section 5](https://www.rfc-editor.org/rfc/rfc4648#section-5)).
///
/// It is written without padding; padding is read.
///
/// ```swift
/// @Model struct Passkey { @Attribute(.transformed(by: Base64URL.self)) var challenge: Data }
///
/// try Passkey(challenge: Data([0xFB, 0xFF])).encoded(as: .json)     // {"challenge":"-_8"}
/// ```
///
/// The column is `TEXT`. The alphabet is not in the order of the bytes, so predicates have `==`,
/// `!=` and `contains`, but no `<`.
public enum Base64URL: ModelTransform {
    /// The bytes that base64 stands for.
    ///
    /// - Complexity: linear.
    /// - Throws: ``ModelTransformError`` for other characters, `+` and `/` among them, and for a
    ///   length that base64 cannot have.
    public static func decode(_ stored: String) throws -> Data {
        var text = ""
        for character in stored.utf8 {
            switch character {
            case UInt8(ascii: "-"): text += "+"
            case UInt8(ascii: "_"): text += "/"
            // The standard alphabet has these two, and this one does not: "?" is in neither.
            case UInt8(ascii: "+"), UInt8(ascii: "/"): text += "?"
            default: text.unicodeScalars.append(Unicode.Scalar(character))
            }
        }
        if !text.hasSuffix("=") {
            text += String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        }
        guard let data = Data(base64Encoded: text) else {
            throw ModelTransformError(expected: "base64url")
        }
        return data
    }

    /// The base64 of bytes, without padding.
    ///
    /// - Complexity: linear.
    public static func encode(_ value: Data) -> String {
        value.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
            .replacing("=", with: "")
    }
}

/// `Data` as hexadecimal digits, two for each byte
/// ([RFC 4648, section 8](https://www.rfc-editor.org/rfc/rfc4648#section-8)).
///
/// Lowercase letters are written, both are read.
///
/// ```swift
/// @Model struct Upload { @Attribute(.transformed(by: Hexadecimal.self)) var digest: Data }
///
/// try Upload(digest: Data([0xFB, 0xFF])).encoded(as: .json)         // {"digest":"fbff"}
/// ```
///
/// The column is `TEXT`, in the order of the bytes.
public enum Hexadecimal: ModelTransform {
    /// The bytes that digits stand for.
    ///
    /// - Complexity: linear.
    /// - Throws: ``ModelTransformError`` for other characters and for an odd number of digits.
    public static func decode(_ stored: String) throws -> Data {
        let digits = stored.utf8.map { Character(Unicode.Scalar($0)).hexDigitValue }
        guard digits.count.isMultiple(of: 2), stored.utf8.allSatisfy({ $0 < 0x80 }) else {
            throw ModelTransformError(expected: "two hexadecimal digits a byte")
        }
        var data = Data(capacity: digits.count / 2)
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = digits[index], let low = digits[index + 1] else {
                throw ModelTransformError(expected: "two hexadecimal digits a byte")
            }
            data.append(UInt8(high << 4 | low))
        }
        return data
    }

    /// The digits of bytes, in lowercase.
    ///
    /// - Complexity: linear.
    public static func encode(_ value: Data) -> String {
        value.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// Digits have the order of the bytes, as lowercase letters come after digits in UTF-8.
    public static var keepsOrder: Bool { true }
}
