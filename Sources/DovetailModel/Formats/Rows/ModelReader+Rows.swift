import Foundation

extension ModelReader {
    /// Reads rows one after the other with one reader.
    ///
    /// ```swift
    /// var owners: [Owner] = []
    /// try ModelReader.readRows(
    ///     of: Owner.self, from: cursor, fields: entity.fields, into: &owners
    /// ) { try cursor.next() }
    /// // In SQLite: one sqlite3_step for each call of the closure.
    /// ```
    ///
    /// - Parameters:
    ///   - type: The model.
    ///   - row: The cursor, positioned before the first row.
    ///   - fields: The columns of the model.
    ///   - values: Takes the models. Those before an error stay in it.
    ///   - advance: Moves the cursor of `row`; false after the last row.
    /// - Complexity: linear in the number of rows and in the size of the columns that are read.
    /// - Throws: ``ModelDecodingError`` whose path starts with the column; what `advance` throws.
    @inlinable
    public static func readRows<Value: Model>(
        of type: Value.Type,
        from row: any RowSource,
        fields: RowFields,
        into values: inout [Value],
        advance: () throws -> Bool
    ) throws {
        try readRows(of: type, from: row, fields: fields) { read in
            while try advance() { values.append(try read()) }
        }
    }

    /// Reads rows that somebody goes over, with one reader.
    ///
    /// - Parameter body: Goes over the rows. What it is given reads the one at which `row` is.
    @inlinable
    package static func readRows<Value: Model>(
        of type: Value.Type,
        from row: any RowSource,
        fields: RowFields,
        _ body: (_ read: () throws -> Value) throws -> Void
    ) throws {
        var reader = ModelReader(row: row, fields: fields)
        try body {
            reader.enterRow()
            return try Value(modelValue: &reader)
        }
    }

    /// Reads the row at which a cursor is.
    ///
    /// - Throws: ``ModelDecodingError`` whose path starts with the column.
    @inlinable
    public static func readRow<Value: Model>(
        of type: Value.Type,
        from row: any RowSource,
        fields: RowFields
    ) throws -> Value {
        var reader = ModelReader(row: row, fields: fields)
        reader.enterRow()
        return try Value(modelValue: &reader)
    }

    /// Reads one column of a cursor's current row.
    ///
    /// - Parameters:
    ///   - column: The position of the attribute in ``Model/modelAttributes``.
    ///   - row: The cursor, positioned at a row.
    ///   - fields: The columns of the model, for the path of an error.
    ///   - type: What the column is to be read as.
    /// - Throws: ``ModelDecodingError`` whose path is the column.
    public static func readColumn<Value: ModelValue>(
        _ column: Int,
        of row: any RowSource,
        fields: RowFields,
        as type: Value.Type
    ) throws -> Value {
        var reader = ModelReader(column, of: row, fields: fields)
        return try Value(modelValue: &reader)
    }

    /// A reader that is at one column of a cursor's current row.
    init(_ column: Int, of row: any RowSource, fields: RowFields) {
        // It may be one of a selection, which has more columns than the model.
        self.init(row: row, fields: fields, columns: max(column, -1) + 1)
        enterColumn(column)
    }

    /// Reads the next column of a row into its slot. Called by generated code, for every attribute in
    /// the order of ``Model/modelAttributes``.
    ///
    /// A model that is written by hand does the same where ``ObjectScope/isRow`` says so:
    ///
    /// ```swift
    /// var object = try reader.beginObject()
    /// if object.isRow {
    ///     try reader.readColumn(&id)
    ///     try reader.readColumn(&name)
    /// } else {
    ///     while let key = try reader.nextKey(in: &object) { … }
    /// }
    /// ```
    ///
    /// - Throws: ``ModelDecodingError`` for what the column's value is not.
    @inlinable
    @inline(never)
    public mutating func readColumn<Value: ModelValue>(_ slot: inout Value?) throws {
        column &+= 1
        slot = .some(try Value(modelValue: &self))
        if !isRow { try leaveColumnDocument() }
    }

    /// Reads the next column of a row as a plain `Codable` type. Called by generated code.
    ///
    /// - Throws: ``ModelDecodingError`` for what the column's value is not.
    @_disfavoredOverload
    public mutating func readColumn<Value: Decodable>(_ slot: inout Value?) throws {
        column &+= 1
        slot = .some(try readCodable(Value.self))
        if !isRow { try leaveColumnDocument() }
    }

    /// Reads the next column of a row through the coding that stands for its type. Called by
    /// generated code.
    ///
    /// - Throws: ``ModelDecodingError`` for what the column's value is not.
    @inlinable
    @inline(never)
    public mutating func readColumn<Coding: ModelCoding>(
        _ slot: inout Coding.Value?,
        by coding: Coding.Type
    ) throws {
        column &+= 1
        slot = .some(try coding.decode(from: &self))
        if !isRow { try leaveColumnDocument() }
    }

    /// Reads the column of the fields that are not declared. Called by generated code.
    ///
    /// - Throws: ``ModelDecodingError`` for what is no object.
    public mutating func readColumn(_ fields: inout UnknownFields) throws {
        column &+= 1
        fields = try UnknownFields(modelValue: &self)
        if !isRow { try leaveColumnDocument() }
    }

    /// Passes over the next column of a row. Called by generated code.
    public mutating func skipColumn() {
        column &+= 1
    }

    /// Turns back from the document inside the current column to the row.
    @usableFromInline
    mutating func leaveColumnDocument() throws {
        try expectEnd()
        source = .row
    }

    /// The error of a model that asks a row for names, which it has none of.
    @inline(never)
    mutating func namesOfRow() -> ModelDecodingError {
        ModelDecodingError(
            kind: .typeMismatch,
            path: "",
            expected: "a model that reads the columns of a row by readColumn(_:)",
            found: "one that calls nextKey(in:)"
        )
    }

    /// Turns to the document inside the current column.
    ///
    /// Invariant of the pointers: the text stays valid until the cursor moves (``RowSource``), and
    /// ``nextColumn()`` turns back to the row before it does. An error ends the reader.
    ///
    /// - Throws: ``ModelDecodingError`` when the column holds no text.
    @usableFromInline
    mutating func enterColumnDocument() throws {
        guard let text = rowText(), let start = text.baseAddress
        else { throw rowError(.typeMismatch, expected: "a JSON document") }
        state.start = start
        cursor = start
        end = start + text.count
        source = .json
        skipWhitespace()
    }

    /// Looks at the row at which the cursor is now, and begins before its first column.
    @usableFromInline
    mutating func enterRow() {
        column = -1
        lookAtRow(0..<cells.count)
    }

    /// Looks at one column of the row at which the cursor is now.
    mutating func enterColumn(_ column: Int) {
        self.column = column
        if cells.indices.contains(column) { lookAtRow(column..<column + 1) }
    }

    /// Neither a mutating function nor one that binds the cursor to a name: the compiler would retain it,
    /// which takes a thirtieth of the time of a row.
    @inline(__always)
    private borrowing func lookAtRow(_ columns: Range<Int>) {
        guard let start = cells.baseAddress else { return }
        row?.read(columns, into: start + columns.lowerBound)
    }

    /// What the current column holds. A column that the model does not have is NULL, and so is
    /// everything before a row is entered.
    ///
    /// Invariant of the cells: all of them are initialized, and what they point to is valid until the
    /// cursor moves, after which the next row is entered.
    @usableFromInline
    @inline(__always)
    borrowing func rowCell() -> RowCell {
        UInt(bitPattern: column) < UInt(bitPattern: cells.count) ? cells[column] : .null
    }

    /// Whether the current column holds NULL.
    @usableFromInline
    borrowing func rowIsNull() throws -> Bool {
        rowCell().isNull
    }

    // MARK: Values of the current column
    //
    // Each looks for one kind and throws a `typeMismatch` when the column holds another.
    //
    // They borrow the reader, and none hands it on, not even for an error: the compiler would copy all
    // of it to the stack first, and the processor wait for `column`, which has just been written. The
    // error is made elsewhere, or each of them would need the registers that making it takes.

    /// Databases without truth values have 0 and 1. Any other number is an error, not true.
    @usableFromInline
    @inline(__always)
    borrowing func readRowBool() throws -> Bool {
        guard let value = rowCell().integer, UInt64(bitPattern: value) <= 1 else {
            throw Self.rowMismatch(column, row, fields, Bool.self)
        }
        return value == 1
    }

    @usableFromInline
    @inline(__always)
    borrowing func readRowInteger(_ type: Any.Type) throws -> Int64 {
        guard let value = rowCell().integer ?? Self.integer(ofDecimal: column, row) else {
            throw Self.rowMismatch(column, row, fields, type)
        }
        return value
    }

    @usableFromInline
    @inline(__always)
    borrowing func readRowDouble() throws -> Double {
        guard let value = rowCell().double ?? Self.double(ofDecimal: column, row) else {
            throw Self.rowMismatch(column, row, fields, Double.self)
        }
        return value
    }

    /// The whole number of which a column has the digits; nil for another one, and for any other text.
    @usableFromInline
    @inline(never)
    static func integer(ofDecimal column: Int, _ row: (any RowSource)?) -> Int64? {
        guard let row, row.isDecimal(column), let text = row.text(column) else { return nil }
        return Decimal(exactBytes: text).flatMap { Int64("\($0)") }
    }

    /// The nearest number to that of which a column has the digits; nil for any other text.
    @usableFromInline
    @inline(never)
    static func double(ofDecimal column: Int, _ row: (any RowSource)?) -> Double? {
        guard let row, row.isDecimal(column), let text = row.text(column) else { return nil }
        return Double(String(decoding: text, as: UTF8.self))
    }

    borrowing func readRowDecimal() throws -> Decimal {
        guard let value = rowCell().decimal else {
            throw Self.rowError(column, row, fields, expected: "Decimal")
        }
        return value
    }

    borrowing func readRowDate() throws -> Date {
        guard let date = rowCell().date else {
            throw Self.rowMismatch(column, row, fields, Date.self)
        }
        return date
    }

    borrowing func readRowData() throws -> Data {
        guard let bytes = rowCell().data else {
            throw Self.rowMismatch(column, row, fields, Data.self)
        }
        return Data(bytes)
    }

    /// The bytes of a text column; nil for another one. Valid until the cursor moves.
    borrowing func rowText() -> UnsafeBufferPointer<UInt8>? {
        rowCell().text
    }

    @usableFromInline
    @inline(__always)
    borrowing func readRowString() throws -> String {
        guard let text = rowCell().text else {
            throw Self.rowMismatch(column, row, fields, String.self)
        }
        if UTF8Check.isASCII(text) { return UTF8Check.string(validated: text, isASCII: true) }
        // `String(validating:)` does both in one call, several times as slowly.
        guard UTF8Check.firstInvalidByte(in: text) == nil else {
            throw Self.rowNotUTF8(column, row, fields)
        }
        return UTF8Check.string(validated: text)
    }

    /// The error of a column that holds another kind than the declared one.
    @usableFromInline
    @inline(never)
    static func rowMismatch(
        _ column: Int,
        _ row: (any RowSource)?,
        _ fields: RowFields?,
        _ type: Any.Type
    ) -> any Error {
        rowError(column, row, fields, expected: "\(type)")
    }

    /// The error of a text column whose bytes are no text.
    @inline(never)
    private static func rowNotUTF8(
        _ column: Int,
        _ row: (any RowSource)?,
        _ fields: RowFields?
    ) -> any Error {
        rowError(column, row, fields, .invalidEncoding, expected: "UTF-8")
    }

    /// An error about the current column. It never quotes what is stored: `found` is the kind that
    /// the cursor names, unless the caller gives a text that is free of data.
    @usableFromInline
    borrowing func rowError(
        _ kind: ModelDecodingError.Kind,
        expected: String,
        found: String? = nil
    ) -> ModelDecodingError {
        Self.rowError(column, row, fields, kind, expected: expected, found: found)
    }

    /// The same without the reader.
    @usableFromInline
    @inline(never)
    static func rowError(
        _ column: Int,
        _ row: (any RowSource)?,
        _ fields: RowFields?,
        _ kind: ModelDecodingError.Kind = .typeMismatch,
        expected: String,
        found: String? = nil
    ) -> ModelDecodingError {
        var error = ModelDecodingError(
            kind: kind,
            path: fields?.path((row as? ClassRow)?.place(column) ?? column) ?? "",
            expected: expected,
            found: found ?? row?.kind(column) ?? "nothing"
        )
        error.table = fields?.table
        return error
    }

    /// Puts the column's name before the path of an error inside the column's document.
    mutating func inColumn(_ inner: ModelDecodingError) -> ModelDecodingError {
        let place = rowError(inner.kind, expected: "", found: "")
        var error = inner.withoutPosition.inside(place.path)
        error.table = place.table
        return error
    }
}
