// The kinds that most columns have, read without the detour over the value's own initializer: compiled
// here, once, and preferred by the compiler to the generic `readColumn(_:)`.
//
// Each looks at the cell for the one kind that it expects. Everything else is a call at its end, which
// becomes a jump: where errors are made in the same function, it needs a frame and more registers, which
// took as long as the rest of it.

extension ModelReader {
    /// Reads the next column of a row as a string. Called by generated code.
    ///
    /// - Throws: ``ModelDecodingError`` for what is no text, or not UTF-8.
    @inline(never)
    public mutating func readColumn(_ slot: inout String?) throws {
        column &+= 1
        guard case .text(let bytes) = rowCell(), UTF8Check.isASCII(bytes) else {
            return try readOtherColumn(&slot)
        }
        let text = UTF8Check.string(validated: bytes, isASCII: true)
        // Assigning releases what was there. Saying that nothing was saves the call, for every text.
        if case nil = slot {
            withUnsafeMutablePointer(to: &slot) { $0.initialize(to: text) }
        } else {
            slot = text
        }
    }

    /// Reads the next column of a row as a whole number. Called by generated code.
    ///
    /// - Throws: ``ModelDecodingError`` for what is none.
    @inline(never)
    public mutating func readColumn(_ slot: inout Int?) throws {
        column &+= 1
        guard case .integer(let value) = rowCell(), let result = Int(exactly: value) else {
            return try readOtherColumn(&slot)
        }
        slot = .some(result)
    }

    /// Reads the next column of a row as a floating point number. Called by generated code.
    ///
    /// - Throws: ``ModelDecodingError`` for what is none.
    @inline(never)
    public mutating func readColumn(_ slot: inout Double?) throws {
        column &+= 1
        guard case .double(let value) = rowCell() else { return try readOtherColumn(&slot) }
        slot = .some(value)
    }

    /// Reads the next column of a row as a truth value. Called by generated code.
    ///
    /// - Throws: ``ModelDecodingError`` for what is none.
    @inline(never)
    public mutating func readColumn(_ slot: inout Bool?) throws {
        column &+= 1
        guard case .integer(let value) = rowCell(), UInt64(bitPattern: value) <= 1 else {
            return try readOtherColumn(&slot)
        }
        slot = .some(value == 1)
    }

    /// Reads the current column where it is not of the kind that most rows have, or throws.
    @inline(never)
    private mutating func readOtherColumn(_ slot: inout String?) throws {
        slot = try readRowString()
    }

    @inline(never)
    private mutating func readOtherColumn(_ slot: inout Int?) throws {
        guard let result = Int(exactly: try readRowInteger(Int.self)) else {
            throw outOfRange(Int.self)
        }
        slot = .some(result)
    }

    @inline(never)
    private mutating func readOtherColumn(_ slot: inout Double?) throws {
        slot = .some(try readRowDouble())
    }

    @inline(never)
    private mutating func readOtherColumn(_ slot: inout Bool?) throws {
        slot = .some(try readRowBool())
    }
}
