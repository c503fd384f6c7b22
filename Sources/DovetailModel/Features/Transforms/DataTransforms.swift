public import Foundation

/// Bytes as base64 for addresses and file names (RFC 4648, section 5), without padding; padding is
/// read.
public enum Base64URL: ModelTransform {
    /// Makes bytes of base64.
    ///
    /// - Throws: ``ModelTransformError`` for what is none.
    public static func decode(_ stored: String) throws -> Data {
        var text = ""
        for character in stored.utf8 {
            switch character {
            case UInt8(ascii: "-"): text += "+"
            case UInt8(ascii: "_"): text += "/"
            // Those of the other alphabet are errors here.
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

    /// The base64 of bytes.
    public static func encode(_ value: Data) -> String {
        value.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
            .replacing("=", with: "")
    }
}

/// Bytes as hexadecimal digits, two a byte (RFC 4648, section 8): small letters are written, both
/// are read.
public enum Hexadecimal: ModelTransform {
    /// Makes bytes of digits.
    ///
    /// - Throws: ``ModelTransformError`` for what is none.
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

    /// The digits of bytes.
    public static func encode(_ value: Data) -> String {
        value.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// Digits have the order of the bytes.
    public static var keepsOrder: Bool { true }
}
