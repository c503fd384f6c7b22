extension ModelReader {
    /// Moves over the value under the cursor, checking that it is one.
    ///
    /// - Complexity: linear; recursion ends at ``maximumDepth``.
    /// - Throws: ``ModelDecodingError`` for what is no JSON value.
    public mutating func skipValue() throws {
        if source != .json { return try skipOtherValue() }
        switch byte {
        case 0x22: cursor = try skipString(at: cursor)
        case 0x7B, 0x5B:
            var scanner = BlockScanner(to: end)
            cursor = try skipContainer(at: cursor, &scanner)
        default: try skipScalar()
        }
    }

    private mutating func skipString(
        at start: UnsafePointer<UInt8>
    ) throws
        -> UnsafePointer<UInt8>
    {
        var high: UInt64 = 0
        let position = endOfPlainRun(from: start + 1, high: &high)
        if byte(at: position) == 0x22, high == 0 { return position + 1 }
        // Escapes and non-ASCII bytes have to be looked at even so.
        cursor = start
        try unescapeString()
        return cursor
    }

    /// The position behind the object or array at `start`. Positions stay in registers here: a
    /// cursor in memory costs a store and a load between any two tokens.
    private mutating func skipContainer(
        at start: UnsafePointer<UInt8>,
        _ scanner: inout BlockScanner
    ) throws -> UnsafePointer<UInt8> {
        cursor = start
        try descend()
        defer { remainingDepth += 1 }
        let isObject = start.pointee == 0x7B
        let bracket: UInt8 = isObject ? 0x7D : 0x5D
        var position =
            scanner.endOfWhitespace(from: start + 1) ?? endOfWhitespace(from: start + 1)
        if byte(at: position) == bracket { return position + 1 }
        while true {
            if isObject {
                guard byte(at: position) == 0x22 else {
                    throw syntaxError(expected: "a field name", at: position)
                }
                if let quote = scanner.closingQuote(from: position + 1) {
                    position = quote + 1
                } else {
                    position = try skipString(at: position)
                }
                position = try valueBehindColon(at: position)
            }
            position = try skipValue(at: position, &scanner)
            if byte(at: position) != 0x2C { position = endOfWhitespace(from: position) }
            if byte(at: position) == 0x2C {
                position += 1
                position =
                    scanner.endOfWhitespace(from: position) ?? endOfWhitespace(from: position)
            } else if byte(at: position) == bracket {
                return position + 1
            } else {
                let expected = isObject ? "\",\" or \"}\"" : "\",\" or \"]\""
                throw syntaxError(expected: expected, at: position)
            }
        }
    }

    /// The position behind the value at `position`.
    @inline(__always)
    private mutating func skipValue(
        at position: UnsafePointer<UInt8>,
        _ scanner: inout BlockScanner
    ) throws -> UnsafePointer<UInt8> {
        switch byte(at: position) {
        case 0x22:
            if let quote = scanner.closingQuote(from: position + 1) { return quote + 1 }
            return try skipString(at: position)
        case 0x7B, 0x5B:
            return try skipContainer(at: position, &scanner)
        default:
            cursor = position
            try skipScalar()
            return cursor
        }
    }

    /// Moves from the value of a field to that of the next field with a name, if the object has
    /// one: a type key that does not come first.
    ///
    /// - Parameter code: that of `name`.
    /// - Returns: false behind the last field.
    mutating func skipFields(to name: StaticString, code: UInt64) throws -> Bool {
        while true {
            try skipShortValue()
            var position = endOfWhitespace(from: cursor)
            guard byte(at: position) == 0x2C else {
                cursor = position
                guard byte == 0x7D else {
                    throw syntaxError(expected: "\",\" or \"}\"", at: position)
                }
                leave()
                return false
            }
            position = endOfWhitespace(from: position + 1)
            cursor = position
            guard byte == 0x22 else { throw syntaxError(expected: "a field name", at: position) }
            let key = try scanKey()
            cursor = try valueBehindColon(at: cursor)
            if key.code == code, key.matches(name) { return true }
        }
    }

    /// Moves over the value under the cursor; a scalar without a call.
    @inline(__always)
    mutating func skipShortValue() throws {
        var position = cursor
        if byte == 0x22 {
            var high: UInt64 = 0
            position = endOfPlainRun(from: position + 1, high: &high)
            if byte(at: position) == 0x22, high == 0 {
                cursor = position + 1
                return
            }
        } else if 0x31...0x39 ~= byte {
            while 0x30...0x39 ~= byte(at: position) { position += 1 }
            let next = byte(at: position)
            if next != 0x2E, next | 0x20 != 0x65 {
                cursor = position
                return
            }
        }
        try skipValue()
    }

    private mutating func skipScalar() throws {
        switch byte {
        case 0x74, 0x66: _ = try readBool()
        case 0x6E: _ = try readNull()
        default: try skipNumber()
        }
    }

    /// The position of a field's value, given the one behind its name.
    @inline(__always)
    mutating func valueBehindColon(
        at name: UnsafePointer<UInt8>
    ) throws
        -> UnsafePointer<UInt8>
    {
        // A colon, one space or none, and the value, is how most printers have it.
        if end - name > 2, name.pointee == 0x3A {
            if name[1] > 0x20 { return name + 1 }
            if name[1] == 0x20, name[2] > 0x20 { return name + 2 }
        }
        let colon = endOfWhitespace(from: name)
        guard byte(at: colon) == 0x3A else { throw syntaxError(expected: "\":\"", at: colon) }
        return endOfWhitespace(from: colon + 1)
    }

    /// Plain whole numbers, which most are, take the short way.
    private mutating func skipNumber() throws {
        var position = cursor
        while 0x30...0x39 ~= byte(at: position) { position += 1 }
        let next = byte(at: position)
        let isPlain = position > cursor && next != 0x2E && next | 0x20 != 0x65
        if isPlain, byte != 0x30 || position == cursor + 1 {
            cursor = position
        } else {
            cursor = try scanNumber("a value").end
        }
    }

    /// Checks that nothing but white space is left.
    @usableFromInline
    package mutating func expectEnd() throws {
        skipWhitespace()
        guard cursor == end else {
            throw error(.trailingContent, expected: "end of input", at: cursor)
        }
    }
}
