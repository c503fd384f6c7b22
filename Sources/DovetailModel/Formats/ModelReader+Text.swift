import Foundation

// Values that come as text where there is no JSON.

extension ModelReader {
    // MARK: Numbers from text
    //
    // Documents keep numbers as the text they had in JSON, and decimals of property lists are
    // strings. Text is read by the scanner of JSON, so both sources accept the same numbers.

    /// The whole number that a text of JSON writes, with a fraction of zeros or an exponent, too.
    ///
    /// - Parameter type: the declared type, for the message.
    mutating func integer(of text: String, _ type: Any.Type) throws -> Int128 {
        var text = text
        let value = text.withUTF8 { bytes -> Int128? in
            var reader = ModelReader(json: bytes)
            return try? reader.readIntegerOnSlowPath(Int128.self)
        }
        guard let value else { throw outOfRange(type) }
        return value
    }

    /// The double nearest to a text of JSON.
    ///
    /// - Throws: ``ModelDecodingError`` for a number that is larger than any double.
    mutating func double(of text: String) throws -> Double {
        var text = text
        let value = text.withUTF8 { RealText.value($0) }
        guard let value, value.isFinite else { throw outOfRange(Double.self) }
        return value
    }

    /// The decimal number that a text of JSON writes, with all of its digits.
    ///
    /// - Throws: ``ModelDecodingError`` for text that is no number, and for one that `Decimal`
    ///   cannot hold exactly.
    mutating func decimal(
        of text: String,
        at position: UnsafePointer<UInt8>? = nil
    ) throws -> Decimal {
        let position = position ?? cursor
        // `Decimal` also accepts text that only starts like a number.
        var copy = text
        let isNumber = copy.withUTF8 { bytes -> Bool in
            var reader = ModelReader(json: bytes)
            guard let number = try? reader.scanNumber("Decimal") else { return false }
            return number.end == reader.end
        }
        guard isNumber else { throw error(.typeMismatch, expected: "Decimal", at: position) }
        guard let value = Decimal(exactText: text) else {
            throw error(.numberOutOfRange, expected: "Decimal", at: position)
        }
        return value
    }

    // MARK: Strings in place of kinds that only property lists have
    //
    // A property list or a document that was made of JSON has strings in these places.

    /// A string in ISO 8601 with its offset (RFC 3339).
    mutating func readDateText() throws -> Date {
        try readText(expected: "Date", DateText.date(iso8601:))
    }

    /// A string in base64 (RFC 4648, section 4).
    mutating func readDataText() throws -> Data {
        try readText(expected: "Data") { Data(base64Encoded: $0) }
    }
}
