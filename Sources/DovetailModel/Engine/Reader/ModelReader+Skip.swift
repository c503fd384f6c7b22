import CDovetailScan

// Skipping. Documents of others have many fields that a model does not declare, so this is as hot
// as reading.
//
// Nothing is made of what is skipped, but all of it is checked, by the same rules as what is read.
// Strings are scanned for their end in blocks, numbers are checked against the grammar, and
// containers recurse with their position in a register instead of in the cursor.

extension ModelReader {
    /// Moves over the value under the cursor.
    ///
    /// ```swift
    /// if key.matches("comment") { try reader.skipValue() }
    /// ```
    ///
    /// JSON is checked while it is skipped, so a broken document is never accepted in part. In a
    /// row, a tree or a binary property list nothing needs to be passed over, and nothing is looked
    /// at.
    ///
    /// - Complexity: linear in the length of the value; recursion ends at ``maximumDepth``.
    /// - Throws: ``ModelDecodingError`` when the value breaks the rules of its format.
    public mutating func skipValue() throws {
        if source != .json { return try skipNonJSONValue() }
        switch byte {
        case 0x22: cursor = try skipString(at: cursor)
        case 0x7B, 0x5B:
            var scanner = BlockScanner(to: end)
            cursor = try skipContainer(at: cursor, &scanner)
        default: try skipScalar()
        }
    }

    /// The position after the string whose opening quote is at `start`.
    private mutating func skipString(
        at start: UnsafePointer<UInt8>
    ) throws
        -> UnsafePointer<UInt8>
    {
        var high: UInt64 = 0
        let position = endOfPlainRun(from: start + 1, high: &high)
        if byte(at: position) == 0x22, high == 0 { return position + 1 }
        // Escapes and non-ASCII bytes have to be checked; the result is thrown away.
        cursor = start
        try unescapeString()
        return cursor
    }

    /// The position after the object or array at `start`, where the caller has seen the bracket.
    /// Positions are passed in registers: a cursor in memory would cost a store and a load between
    /// any two tokens.
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
                position = try valueAfterColon(at: position)
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

    /// The position after the value at `position`.
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

    /// Moves from the value of a field to the value of the next field that is called `name`: the
    /// search for a type key that does not come first.
    ///
    /// - Parameter code: the code of `name`, computed once by the caller.
    /// - Returns: false after the last field, when the object is left.
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
            cursor = try valueAfterColon(at: cursor)
            if key.code == code, key.matches(name) { return true }
        }
    }

    /// Moves over the value under the cursor. Short values cost no call.
    @inline(__always)
    mutating func skipShortValue() throws {
        if let value = endOfShortValue(at: cursor) { cursor = value.end } else { try skipValue() }
    }

    /// The position after the value at `start`: a plain string, a number without an exponent, or a
    /// truth value, which most values are; nil for any other, and near the end of the input.
    /// `isText` is whether it is a string, which is one of ASCII without escapes then.
    @inline(__always)
    func endOfShortValue(
        at start: UnsafePointer<UInt8>
    ) -> (end: UnsafePointer<UInt8>, isText: Bool)? {
        // No step below loads further without a look at the end.
        guard end - start >= 48 else { return nil }
        switch start.pointee {
        case 0x22:
            var position = start + 1
            var block = dovetail_scan16(position)
            // In a register: `endOfPlainRun(from:high:)` hands on the address of its masks.
            var high: UInt32 = 0
            while block.stops == 0 {
                high |= block.high
                position += 16
                guard end - position >= 16 else { return nil }
                block = dovetail_scan16(position)
            }
            // The bits up to the first stop, which is ASCII.
            high |= block.high & (block.stops ^ (block.stops &- 1))
            position += block.stops.trailingZeroBitCount
            return high == 0 && position.pointee == 0x22 ? (position + 1, true) : nil
        case 0x2D, 0x30...0x39:
            let first = start.pointee == 0x2D ? start + 1 : start
            var count = Self.countOfDigits(at: first)
            // There is a digit, and no other one after a zero.
            guard 1..<16 ~= count, count == 1 || first.pointee != 0x30 else { return nil }
            var position = first + count
            if position.pointee == 0x2E {
                count = Self.countOfDigits(at: position + 1)
                guard 1..<16 ~= count else { return nil }
                position += count + 1
            }
            let next = position.pointee
            return next != 0x2E && next | 0x20 != 0x65 ? (position, false) : nil
        case 0x74:
            let word = UnsafeRawPointer(start).loadUnaligned(as: UInt32.self)
            return word.littleEndian == 0x6575_7274 ? (start + 4, false) : nil
        case 0x66:
            let word = UnsafeRawPointer(start + 1).loadUnaligned(as: UInt32.self)
            return word.littleEndian == 0x6573_6C61 ? (start + 5, false) : nil
        default: return nil
        }
    }

    /// How many digits there are from `start`, up to sixteen, which can be loaded. Eight a step: how
    /// many there are differs from number to number, so the end of a loop would be guessed wrong.
    @inline(__always)
    private static func countOfDigits(at start: UnsafePointer<UInt8>) -> Int {
        let words = UnsafeRawPointer(start)
        let first = ByteScan.nonDigits(in: words.loadUnaligned(as: UInt64.self).littleEndian)
        if first != 0 { return first.trailingZeroBitCount &>> 3 }
        let second = ByteScan.nonDigits(
            in: words.loadUnaligned(fromByteOffset: 8, as: UInt64.self).littleEndian
        )
        return 8 + second.trailingZeroBitCount &>> 3
    }

    /// Moves over a literal or a number; anything else is an error.
    private mutating func skipScalar() throws {
        switch byte {
        case 0x74, 0x66: _ = try readBool()
        case 0x6E: _ = try readNull()
        default: try skipNumber()
        }
    }

    /// The position of a field's value, given the position after its name.
    ///
    /// The guard leaves three bytes before `end`, so the fast path loads inside the document.
    @inline(__always)
    mutating func valueAfterColon(
        at name: UnsafePointer<UInt8>
    ) throws
        -> UnsafePointer<UInt8>
    {
        // Most printers write a colon, one space or none, and the value.
        if end - name > 2, name.pointee == 0x3A {
            if name[1] > 0x20 { return name + 1 }
            if name[1] == 0x20, name[2] > 0x20 { return name + 2 }
        }
        let colon = endOfWhitespace(from: name)
        guard byte(at: colon) == 0x3A else { throw syntaxError(expected: "\":\"", at: colon) }
        return endOfWhitespace(from: colon + 1)
    }

    /// Moves over a number. Plain whole numbers, which most are, need no second look.
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

    /// Checks that only white space is left in the document.
    @usableFromInline
    package mutating func expectEnd() throws {
        skipWhitespace()
        guard cursor == end else {
            throw error(.trailingContent, expected: "end of input", at: cursor)
        }
    }
}
