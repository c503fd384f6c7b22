extension ModelReader {
    /// Reads a string.
    ///
    /// - Complexity: linear; eight bytes a step. Only strings with non-ASCII bytes are validated.
    /// - Throws: ``ModelDecodingError`` when there is no string, or one that is not UTF-8 or has a
    ///   lone surrogate (RFC 8259, sections 7 and 8).
    @inlinable
    public mutating func readString() throws -> String {
        if isRow { return try readRowString() }
        return try readJSONString()
    }

    @usableFromInline
    mutating func readJSONString() throws -> String {
        guard byte == 0x22 else { throw mismatch("String") }
        let start = cursor + 1
        var high: UInt64 = 0
        let position = endOfPlainRun(from: start, high: &high)
        guard byte(at: position) == 0x22, high == 0 else { return try readUnusualString() }
        cursor = position + 1
        return String(decoding: bytes(from: start, to: position), as: UTF8.self)
    }

    /// Reads a string with escapes or non-ASCII bytes.
    @inline(never)
    mutating func readUnusualString() throws -> String {
        let start = cursor + 1
        if let plainEnd = try skipPlainRun(from: start) {
            cursor = plainEnd + 1
            return String(decoding: bytes(from: start, to: plainEnd), as: UTF8.self)
        }
        try unescapeString()
        return String(decoding: state.scratch, as: UTF8.self)
    }

    /// Where the string that starts at `start` ends, when it has no escape; validates its UTF-8.
    private mutating func skipPlainRun(
        from start: UnsafePointer<UInt8>
    ) throws -> UnsafePointer<UInt8>? {
        var high: UInt64 = 0
        let position = endOfPlainRun(from: start, high: &high)
        let stop = byte(at: position)
        if stop == 0x5C { return nil }
        guard stop == 0x22 else { throw brokenString(at: position) }
        if let invalid = UTF8Check.firstInvalidByte(in: bytes(from: start, to: position)) {
            throw invalidUTF8(at: start + invalid)
        }
        return position
    }

    /// Resolves the string under the cursor into `state.scratch` and moves behind it.
    mutating func unescapeString() throws {
        state.scratch.removeAll(keepingCapacity: true)
        var position = cursor + 1
        var runStart = position
        while true {
            let current = byte(at: position)
            if current == 0x22 || current == 0x5C || current < 0x20 {
                let run = bytes(from: runStart, to: position)
                if let invalid = UTF8Check.firstInvalidByte(in: run) {
                    throw invalidUTF8(at: runStart + invalid)
                }
                state.scratch.append(contentsOf: run)
                if current == 0x22 { break }
                guard current == 0x5C else { throw brokenString(at: position) }
                position = try unescape(at: position)
                runStart = position
            } else {
                position += 1
            }
        }
        cursor = position + 1
    }

    /// Appends what the escape at `position` stands for; gives the position behind it.
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
        state.scratch.append(contentsOf: character.utf8)
        return next
    }

    /// The four digits of the `\u` at `position`.
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

    private mutating func invalidUTF8(at position: UnsafePointer<UInt8>) -> ModelDecodingError {
        error(
            .invalidEncoding,
            expected: "UTF-8",
            found: "byte 0x" + String(byte(at: position), radix: 16, uppercase: true),
            at: position
        )
    }
}

/// Validates UTF-8 (RFC 3629: no overlong forms, no surrogates, at most U+10FFFF).
enum UTF8Check {
    /// The offset of the first byte that belongs to no well-formed sequence.
    ///
    /// - Complexity: linear; runs of ASCII go eight bytes at a time.
    static func firstInvalidByte(in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        guard let base = bytes.baseAddress else { return nil }
        let count = bytes.count
        var index = 0
        while index < count {
            if count - index >= 8,
                UnsafeRawPointer(base + index).loadUnaligned(as: UInt64.self)
                    & 0x8080_8080_8080_8080 == 0
            {
                index += 8
                continue
            }
            let lead = base[index]
            if lead < 0x80 {
                index += 1
                continue
            }
            let length: Int
            var second: ClosedRange<UInt8> = 0x80...0xBF
            switch lead {
            case 0xC2...0xDF: length = 2
            case 0xE0: (length, second) = (3, 0xA0...0xBF)
            case 0xED: (length, second) = (3, 0x80...0x9F)
            case 0xE1...0xEF: length = 3
            case 0xF0: (length, second) = (4, 0x90...0xBF)
            case 0xF4: (length, second) = (4, 0x80...0x8F)
            case 0xF1...0xF3: length = 4
            default: return index
            }
            guard index + length <= count, second ~= base[index + 1] else { return index }
            for offset in 2..<max(length, 2) where base[index + offset] & 0xC0 != 0x80 {
                return index
            }
            index += length
        }
        return nil
    }
}
