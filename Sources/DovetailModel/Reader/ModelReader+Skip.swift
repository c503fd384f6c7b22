extension ModelReader {
    /// Moves over the value under the cursor, checking that it is one.
    ///
    /// - Complexity: linear; recursion ends at ``maximumDepth``.
    /// - Throws: ``ModelDecodingError`` for what is no JSON value.
    @inlinable
    public mutating func skipValue() throws {
        if isRow { return }
        if byte == 0x22 {
            try skipString()
        } else {
            try skipOther()
        }
    }

    @inlinable
    mutating func skipString() throws {
        var position = cursor + 1
        var high: UInt64 = 0
        while true {
            let word = self.word(at: position)
            let stops = ByteScan.stops(in: word)
            high |= word
            if stops == 0 {
                position += 8
                continue
            }
            position += stops.trailingZeroBitCount &>> 3
            break
        }
        // `high` may hold bytes from behind the quote; that only takes the careful way too often.
        guard byte(at: position) == 0x22, high & 0x8080_8080_8080_8080 == 0 else {
            return try skipUnusualString()
        }
        cursor = position + 1
    }

    @usableFromInline
    @inline(never)
    mutating func skipUnusualString() throws {
        try unescapeString()
    }

    @usableFromInline
    mutating func skipOther() throws {
        switch byte {
        case 0x7B:
            var object = try beginObject()
            while try nextKey(in: &object) != nil { try skipValue() }
        case 0x5B:
            var array = try beginArray()
            while try nextElement(in: &array) { try skipValue() }
        case 0x74, 0x66:
            _ = try readBool()
        case 0x6E:
            _ = try readNull()
        default:
            cursor = try scanNumber("a value").end
        }
    }

    /// Checks that nothing but white space is left.
    @usableFromInline
    mutating func expectEnd() throws {
        skipWhitespace()
        guard cursor == end else {
            throw error(.trailingContent, expected: "end of input", at: cursor)
        }
    }
}
