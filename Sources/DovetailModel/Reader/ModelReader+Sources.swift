import Foundation

// What the primitives do when values do not come from JSON. None of this is inlined, so that JSON
// pays for it with one comparison a primitive.

extension ModelReader {
    /// Enters the object under the cursor unless it is one of JSON; false then, and the cursor
    /// stands on its brace.
    @usableFromInline
    @inline(never)
    mutating func enterOtherObject(_ object: inout ObjectScope) throws -> Bool {
        if column < 0 {
            object.kind = .row
            return true
        }
        try enterColumnDocument()
        object.start = cursor
        return false
    }

    /// Enters the array under the cursor unless it is one of JSON; false then.
    @usableFromInline
    @inline(never)
    mutating func enterOtherArray() throws -> Bool {
        try enterColumnDocument()
        return false
    }

    @usableFromInline
    @inline(never)
    mutating func readOtherNull() throws -> Bool {
        try rowIsNull()
    }

    @usableFromInline
    @inline(never)
    mutating func readOtherBool() throws -> Bool {
        try readRowBool()
    }

    @usableFromInline
    @inline(never)
    mutating func readOtherInteger(_ type: Any.Type) throws -> Int128 {
        Int128(try readRowInteger(type))
    }

    @usableFromInline
    @inline(never)
    mutating func readOtherDouble() throws -> Double {
        try readRowDouble()
    }

    @inline(never)
    mutating func readOtherDecimal() throws -> Decimal {
        try readRowDecimal()
    }

    @usableFromInline
    @inline(never)
    mutating func readOtherString() throws -> String {
        try readRowString()
    }

    @inline(never)
    mutating func readOtherDate() throws -> Date {
        try readRowDate()
    }

    @inline(never)
    mutating func readOtherData() throws -> Data {
        try readRowData()
    }

    @inline(never)
    mutating func readOtherCaseName() throws -> CaseName {
        try readRowCaseName()
    }

    /// A column is passed over by asking for the next one.
    @inline(never)
    mutating func skipOtherValue() throws {}
}
