// What generated code calls for each field: one overload for each kind of property, chosen by the
// compiler.
//
// A field is one call. Inlined into every `encode(to:)`, these members would be the larger half of
// what the optimizer has to go through in a target of models: a thousand instructions of SIL for
// each model instead of ninety. That would not be faster either. The kinds that most fields have
// are compiled here, where name, value and comma share one check of the room; encoding flat records
// takes 6 % fewer instructions than inlined.

extension ModelWriter {
    /// Writes a field.
    ///
    /// ```swift
    /// let object = try writer.beginObject()
    /// try writer.field("\"name\":", name)
    /// try writer.endObject(object)
    /// ```
    ///
    /// Specialized in the user's module, once for each type of value.
    ///
    /// - Parameter name: the field's name as JSON: quotes, escapes and colon included.
    /// - Throws: what the value's `encode(to:)` throws.
    @inlinable
    @inline(never)
    public mutating func field<Value: ModelValue>(_ name: StaticString, _ value: Value) throws {
        if skipsColumn() { return }
        beginField(name)
        try value.encode(to: &self)
        endField()
    }

    /// Writes a field, or leaves it out when `value` is nil; a row gets NULL.
    ///
    /// - Throws: what the value's `encode(to:)` throws.
    @inlinable
    @inline(never)
    public mutating func field<Value: ModelValue>(_ name: StaticString, _ value: Value?) throws {
        if skipsColumn() { return }
        guard let value else { return try omitField() }
        beginField(name)
        if Value.readsNull, isRow {
            try embed { try value.encode(to: &$0) }
        } else {
            try value.encode(to: &self)
        }
        endField()
    }

    /// Writes a field through the coding of its type, or leaves it out when the coding says that it
    /// is absent: `any P`, a container of it, or a transform.
    ///
    /// - Throws: what the coding throws.
    @inlinable
    @inline(never)
    public mutating func field<Coding: ModelCoding>(
        _ name: StaticString,
        _ value: Coding.Value,
        by coding: Coding.Type
    ) throws {
        if skipsColumn() { return }
        if coding.isAbsent(value) { return try omitField() }
        beginField(name)
        try coding.encode(value, to: &self)
        endField()
    }

    /// Starts a field, for a value that no `field` function takes.
    ///
    /// ```swift
    /// writer.beginField("\"area\":")
    /// try writer.write(width * height)
    /// writer.endField()
    /// ```
    @inline(never)
    public mutating func beginField(_ name: StaticString) {
        if !isJSON { return beginNonJSONField(name) }
        reserve(name.utf8CodeUnitCount)
        put(name)
    }

    /// Ends a field that ``beginField(_:)`` started and whose value was written.
    @inlinable
    @inline(__always)
    public mutating func endField() {
        putComma()
    }

    /// Passes over a field that is a column which does not count; false for every other one.
    @inlinable
    @inline(__always)
    mutating func skipsColumn() -> Bool { wanted != .max && skipsUnwanted() }

    /// The same where some columns do not count.
    @usableFromInline
    @inline(never)
    mutating func skipsUnwanted() -> Bool {
        if wantsNextField { return false }
        column &+= 1
        return true
    }

    /// Whether the next field counts: each of a document, and of a row those whose columns do.
    package var wantsNextField: Bool {
        !isRow || column >= 63 || wanted & 1 << UInt64(column &+ 1) != 0
    }

    /// Whether the column counts that is being written.
    private var isWanted: Bool {
        @inline(__always) get {
            wanted == .max || column >= 64 || wanted & 1 << UInt64(column) != 0
        }
    }

    /// Passes over a field without a value: nothing in a document, NULL in a row.
    @inlinable
    mutating func omitField() throws {
        if !isJSON { try omitNonJSONField() }
    }

    /// Writes a field, as `null` when `value` is nil: for an optional whose default is not nil,
    /// where an absent field would be read as the default.
    ///
    /// - Throws: what the value's `encode(to:)` throws.
    @inlinable
    @inline(never)
    public mutating func nullableField<Value: ModelValue>(
        _ name: StaticString,
        _ value: Value?
    ) throws {
        if skipsColumn() { return }
        beginField(name)
        try value.encode(to: &self)
        endField()
    }

    /// The same through the coding of the type.
    ///
    /// - Throws: what the coding throws.
    @inlinable
    @inline(never)
    public mutating func nullableField<Coding: ModelCoding>(
        _ name: StaticString,
        _ value: Coding.Value,
        by coding: Coding.Type
    ) throws {
        if skipsColumn() { return }
        beginField(name)
        try coding.encode(value, to: &self)
        endField()
    }

    /// Writes a field, or leaves it out of a document when `value` is empty
    /// (`@Attribute(.omittedWhenEmpty)`). A row keeps the empty value, so that its column is never
    /// NULL.
    ///
    /// - Throws: what the value's `encode(to:)` throws.
    @inlinable
    @inline(never)
    public mutating func nonEmptyField<Value: ModelValue & Collection>(
        _ name: StaticString,
        _ value: Value
    ) throws {
        if value.isEmpty, !isRow { return }
        try field(name, value)
    }

    /// The same through the coding of the type.
    ///
    /// - Throws: what the coding throws.
    @inlinable
    @inline(never)
    public mutating func nonEmptyField<Coding: ModelCoding>(
        _ name: StaticString,
        _ value: Coding.Value,
        by coding: Coding.Type
    ) throws where Coding.Value: Collection {
        if value.isEmpty, !isRow { return }
        try field(name, value, by: coding)
    }
}

// The kinds that most fields have: compiled here, once, and preferred by the compiler to the
// generic ones.

extension ModelWriter {
    /// Writes a field that holds a string.
    ///
    /// - Throws: ``ModelEncodingError`` for what property lists have no form for: `$null`, and in
    ///   XML control characters.
    @inline(never)
    public mutating func field(_ name: StaticString, _ value: String) throws {
        if !isJSON {
            if isRow {
                column &+= 1
                return isWanted ? try setRow(value) : ()
            }
            beginNonJSONField(name)
            return try writeNonJSON(value)
        }
        let isDone: Void? = value.utf8.withContiguousStorageIfAvailable { appendField(name, $0) }
        if isDone == nil {
            var value = value
            value.withUTF8 { appendField(name, $0) }
        }
    }

    /// Name, quotes, text and comma share one check of the room; only escapes need another.
    @inline(never)
    private mutating func appendField(_ name: StaticString, _ bytes: UnsafeBufferPointer<UInt8>) {
        reserve(name.utf8CodeUnitCount &+ bytes.count &+ 11)
        put(name)
        putQuoted(bytes)
        append(0x2C)
    }

    /// Writes a field that holds a string, or leaves it out.
    @inline(never)
    public mutating func field(_ name: StaticString, _ value: String?) throws {
        guard let value else { return try omitField() }
        try field(name, value)
    }

    /// Writes a field that holds a whole number.
    @inline(never)
    public mutating func field(_ name: StaticString, _ value: Int) throws {
        if !isJSON {
            if isRow {
                column &+= 1
                return isWanted ? try row?.set(column, integer: Int64(value)) ?? () : ()
            }
            beginNonJSONField(name)
            return try writeNonJSON(bits: UInt64(truncatingIfNeeded: value), isSigned: true)
        }
        reserve(name.utf8CodeUnitCount &+ 22)
        put(name)
        if value < 0 { put(0x2D) }
        appendDigits(UInt64(truncatingIfNeeded: value.magnitude))
        append(0x2C)
    }

    /// Writes a field that holds a whole number, or leaves it out.
    @inline(never)
    public mutating func field(_ name: StaticString, _ value: Int?) throws {
        guard let value else { return try omitField() }
        try field(name, value)
    }

    /// Writes a field that holds a floating point number.
    ///
    /// - Throws: ``ModelEncodingError`` for NaN in JSON and in a store, and for infinities in JSON.
    @inline(never)
    public mutating func field(_ name: StaticString, _ value: Double) throws {
        if skipsColumn() { return }
        beginField(name)
        try write(value)
        endField()
    }

    /// Writes a field that holds a floating point number, or leaves it out.
    @inline(never)
    public mutating func field(_ name: StaticString, _ value: Double?) throws {
        guard let value else { return try omitField() }
        try field(name, value)
    }

    /// Writes a field that holds a truth value.
    @inline(never)
    public mutating func field(_ name: StaticString, _ value: Bool) throws {
        if !isJSON {
            if skipsColumn() { return }
            beginNonJSONField(name)
            return try writeNonJSON(value)
        }
        reserve(name.utf8CodeUnitCount &+ 6)
        put(name)
        append(value ? "true" : "false")
        append(0x2C)
    }

    /// Writes a field that holds a truth value, or leaves it out.
    @inline(never)
    public mutating func field(_ name: StaticString, _ value: Bool?) throws {
        guard let value else { return try omitField() }
        try field(name, value)
    }
}
