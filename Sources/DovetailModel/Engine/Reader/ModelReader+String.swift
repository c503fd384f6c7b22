// Strings of JSON (RFC 8259, section 7).
//
// A string is scanned once for what ends its plain run. Plain ASCII, which most strings are,
// becomes a `String` without another look. Non-ASCII text is validated, and only text with escapes
// is copied piece by piece.

extension ModelReader {
    /// Reads a string.
    ///
    /// ```swift
    /// init(modelValue reader: inout ModelReader) throws {
    ///     self.init(code: try reader.readString().uppercased())
    /// }
    /// ```
    ///
    /// - Complexity: linear in the length; sixteen bytes a step in JSON. In documents only strings
    ///   with non-ASCII bytes are validated, in rows all.
    /// - Throws: ``ModelDecodingError`` when there is no string (`typeMismatch`), or one that is
    ///   not UTF-8 or has a lone surrogate (`invalidEncoding`; RFC 8259, sections 7 and 8).
    @inlinable
    public mutating func readString() throws -> String {
        if source != .json { return try readNonJSONString() }
        return try readJSONString()
    }

    /// The string of JSON under the cursor.
    @usableFromInline
    mutating func readJSONString() throws -> String {
        guard byte == 0x22 else { throw mismatch("String") }
        let start = cursor + 1
        var high: UInt64 = 0
        let position = endOfPlainRun(from: start, high: &high)
        guard byte(at: position) == 0x22, high == 0 else {
            return try readStringOnSlowPath(plainUntil: position)
        }
        cursor = position + 1
        if position - start <= 15, end - start >= 15 {
            return ModelReader.shortString(at: start, count: position - start)
        }
        return UTF8Check.string(validated: bytes(from: start, to: position), isASCII: true)
    }

    /// A string of at most 15 ASCII bytes, which a `String` holds inline. Two stores here are
    /// faster than a call into the standard library.
    ///
    /// Invariant: 15 bytes can be loaded from `start`; `readJSONString()` has checked that. The
    /// buffer has room for the 15 that were asked for, of which the first `count` become the
    /// string.
    @inline(__always)
    private static func shortString(at start: UnsafePointer<UInt8>, count: Int) -> String {
        String(unsafeUninitializedCapacity: 15) { buffer in
            guard let target = UnsafeMutableRawPointer(buffer.baseAddress) else { return 0 }
            let source = UnsafeRawPointer(start)
            let (first, last) = (
                source.loadUnaligned(as: UInt64.self),
                source.loadUnaligned(fromByteOffset: 7, as: UInt64.self)
            )
            target.storeBytes(of: first, as: UInt64.self)
            target.storeBytes(of: last, toByteOffset: 7, as: UInt64.self)
            return count
        }
    }

    /// The slow path: a string with escapes, non-ASCII bytes or no end.
    @inline(never)
    private mutating func readStringOnSlowPath(
        plainUntil plainEnd: UnsafePointer<UInt8>
    ) throws -> String {
        if byte(at: plainEnd) != 0x22 {
            try unescapeString()
            return UTF8Check.string(validated: state.scratch.elements)
        }
        let content = bytes(from: cursor + 1, to: plainEnd)
        try validate(content)
        cursor = plainEnd + 1
        return UTF8Check.string(validated: content)
    }

    /// Throws at the first byte that is not UTF-8.
    private mutating func validate(_ bytes: UnsafeBufferPointer<UInt8>) throws {
        if let invalid = UTF8Check.firstInvalidByte(in: bytes), let start = bytes.baseAddress {
            throw invalidUTF8(at: start + invalid)
        }
    }

    /// Resolves the string under the cursor into `state.scratch` and moves after its closing quote.
    ///
    /// Each run up to the next escape is validated and appended as a whole, so text with few
    /// escapes costs little more than a copy.
    mutating func unescapeString() throws {
        state.scratch.truncate(to: 0)
        var start = cursor + 1
        while true {
            var high: UInt64 = 0
            let position = endOfPlainRun(from: start, high: &high)
            let run = bytes(from: start, to: position)
            if high != 0 { try validate(run) }
            state.scratch.append(contentsOf: run)
            let stop = byte(at: position)
            if stop == 0x22 {
                cursor = position + 1
                return
            }
            guard stop == 0x5C else { throw brokenString(at: position) }
            start = try unescape(at: position)
        }
    }

    /// Appends the character of the escape at `position`, and gives the position after the escape
    /// (RFC 8259, section 7).
    private mutating func unescape(at position: UnsafePointer<UInt8>) throws -> UnsafePointer<UInt8>
    {
        switch byte(at: position + 1) {
        case 0x22: state.scratch.append(0x22)
        case 0x5C: state.scratch.append(0x5C)
        case 0x2F: state.scratch.append(0x2F)
        case 0x62: state.scratch.append(0x08)
        case 0x66: state.scratch.append(0x0C)
        case 0x6E: state.scratch.append(0x0A)
        case 0x72: state.scratch.append(0x0D)
        case 0x74: state.scratch.append(0x09)
        case 0x75: return try unescapeUnicode(at: position)
        case 0 where position + 1 >= end: throw brokenString(at: end)
        default:
            throw syntaxError(expected: "an escape sequence of JSON", at: position)
        }
        return position + 2
    }

    /// The same for `\u`. Characters above U+FFFF are written as a surrogate pair, two escapes.
    private mutating func unescapeUnicode(
        at position: UnsafePointer<UInt8>
    ) throws -> UnsafePointer<UInt8> {
        let first = try hexUnit(at: position)
        var scalar = UInt32(first)
        var next = position + 6
        if 0xD800...0xDBFF ~= first, byte(at: next) == 0x5C, byte(at: next + 1) == 0x75 {
            let second = try hexUnit(at: next)
            if 0xDC00...0xDFFF ~= second {
                scalar = 0x10000 + (UInt32(first) - 0xD800) << 10 + (UInt32(second) - 0xDC00)
                next += 6
            }
        }
        guard let character = Unicode.Scalar(scalar) else {
            throw error(
                .invalidEncoding,
                expected: "a surrogate pair",
                found: "a lone surrogate",
                at: position
            )
        }
        for byte in character.utf8 { state.scratch.append(byte) }
        return next
    }

    /// The four hexadecimal digits of the `\u` at `position`.
    private mutating func hexUnit(at position: UnsafePointer<UInt8>) throws -> UInt16 {
        var unit: UInt16 = 0
        for offset in 2..<6 {
            let digit = byte(at: position + offset)
            switch digit {
            case 0x30...0x39: unit = unit << 4 | UInt16(digit - 0x30)
            case 0x41...0x46: unit = unit << 4 | UInt16(digit - 0x37)
            case 0x61...0x66: unit = unit << 4 | UInt16(digit - 0x57)
            default:
                if position + offset >= end { throw brokenString(at: end) }
                throw syntaxError(expected: "four hexadecimal digits", at: position)
            }
        }
        return unit
    }

    /// The error of a string without an end, or with a control character in it.
    private mutating func brokenString(at position: UnsafePointer<UInt8>) -> ModelDecodingError {
        if position >= end {
            return error(
                .unexpectedEnd,
                expected: "the closing quote of a string",
                found: "end of input",
                at: end
            )
        }
        return syntaxError(expected: "no unescaped control character in a string", at: position)
    }

    /// The error of a byte that belongs to no character. It quotes the byte, since it cannot be
    /// shown.
    private mutating func invalidUTF8(at position: UnsafePointer<UInt8>) -> ModelDecodingError {
        error(
            .invalidEncoding,
            expected: "UTF-8",
            found: "byte 0x" + String(byte(at: position), radix: 16, uppercase: true),
            at: position
        )
    }
}
