import Foundation

// What the primitives do when values do not go to JSON. None of this is inlined, so that JSON pays
// for it with one comparison a primitive.

extension ModelWriter {
    /// Opens an object unless it is one of JSON; false then.
    @usableFromInline
    @inline(never)
    mutating func beginOtherObject(_ kind: inout WriterScope.Kind) throws -> Bool {
        if column < 0 {
            kind = .row
            return true
        }
        enterColumnDocument()
        kind = .column
        return false
    }

    @usableFromInline
    @inline(never)
    mutating func endOtherObject(_ scope: WriterScope) throws {
        if scope.kind == .row { return }
        close(0x7D)
        try leaveColumnDocument()
    }

    /// A row has no objects around attributes.
    @usableFromInline
    @inline(never)
    mutating func beginOtherObjectField(_ name: StaticString) throws -> ObjectFieldScope {
        ObjectFieldScope(start: 0, content: 0)
    }

    @usableFromInline
    @inline(never)
    mutating func endOtherObjectField(_ scope: ObjectFieldScope) {}

    /// Opens an array unless it is one of JSON; false then.
    @usableFromInline
    @inline(never)
    mutating func beginOtherArray(_ kind: inout WriterScope.Kind) throws -> Bool {
        enterColumnDocument()
        kind = .column
        return false
    }

    @usableFromInline
    @inline(never)
    mutating func endOtherArray(_ scope: WriterScope) throws {
        close(0x5D)
        try leaveColumnDocument()
    }

    @usableFromInline
    @inline(never)
    mutating func beginOtherField(_ name: StaticString) {
        column += 1
    }

    @usableFromInline
    @inline(never)
    mutating func omitOtherField() throws {
        column += 1
        try writeOtherNull()
    }

    @usableFromInline
    @inline(never)
    mutating func writeOtherNull() throws {
        try row?.setNull(column)
    }

    @usableFromInline
    @inline(never)
    mutating func writeOther(_ value: String) throws {
        var value = value
        try value.withUTF8 { try row?.set(column, text: $0) }
    }

    @usableFromInline
    @inline(never)
    mutating func writeOther(_ value: Bool) throws {
        try row?.set(column, bool: value)
    }

    @usableFromInline
    @inline(never)
    mutating func writeOther(_ integer: Int64?) throws {
        guard let integer else {
            throw ModelEncodingError(
                reason: .notRepresentable,
                explanation: "a whole number above Int64.max does not fit into a column"
            )
        }
        try row?.set(column, integer: integer)
    }

    @usableFromInline
    @inline(never)
    mutating func writeOther(_ value: Double) throws {
        guard !value.isNaN else {
            throw ModelEncodingError(
                reason: .notRepresentable,
                explanation: "NaN has no form in a column"
            )
        }
        try row?.set(column, double: value)
    }

    @inline(never)
    mutating func writeOther(_ value: Decimal) throws {
        try row?.set(column, decimal: value)
    }

    @inline(never)
    mutating func writeOther(_ value: Date) throws {
        try row?.set(column, date: value)
    }

    @inline(never)
    mutating func writeOther(_ value: Data) throws {
        try value.withUnsafeBytes { try row?.set(column, data: $0) }
    }
}
