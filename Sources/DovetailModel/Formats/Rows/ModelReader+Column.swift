// The kinds that most columns have, read without the detour over the value's own initializer: compiled
// here, once, and preferred by the compiler to the generic `readColumn(_:)`.

extension ModelReader {
    /// Reads the next column of a row as a string. Called by generated code.
    ///
    /// - Throws: ``ModelDecodingError`` for what is no text, or not UTF-8.
    @inline(never)
    public mutating func readColumn(_ slot: inout String?) throws {
        column &+= 1
        let text = try readRowString()
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
        let value = try readRowInteger(Int.self)
        guard let result = Int(exactly: value) else { throw outOfRange(Int.self) }
        slot = .some(result)
    }

    /// Reads the next column of a row as a floating point number. Called by generated code.
    ///
    /// - Throws: ``ModelDecodingError`` for what is none.
    @inline(never)
    public mutating func readColumn(_ slot: inout Double?) throws {
        column &+= 1
        slot = .some(try readRowDouble())
    }

    /// Reads the next column of a row as a truth value. Called by generated code.
    ///
    /// - Throws: ``ModelDecodingError`` for what is none.
    @inline(never)
    public mutating func readColumn(_ slot: inout Bool?) throws {
        column &+= 1
        slot = .some(try readRowBool())
    }
}
