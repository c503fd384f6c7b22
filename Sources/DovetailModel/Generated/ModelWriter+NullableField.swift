// Fields of `T??`: nil is left out, `.some(nil)` is null. Through the generic `field` the value would be
// written by `encode(to:)`, apart from its name; these give the kinds that most fields have to the
// functions that are compiled here for one of them.

extension ModelWriter {
    /// Writes a field that holds a string or null, or leaves it out.
    ///
    /// - Throws: ``ModelEncodingError`` for what property lists have no form for.
    @inline(never)
    public mutating func field(_ name: StaticString, _ value: String??) throws {
        if case .some(.some(let value)) = value, isJSON { return try field(name, value) }
        try doubleOptionalField(name, value)
    }

    /// Writes a field that holds a whole number or null, or leaves it out.
    @inline(never)
    public mutating func field(_ name: StaticString, _ value: Int??) throws {
        if case .some(.some(let value)) = value, isJSON { return try field(name, value) }
        try doubleOptionalField(name, value)
    }

    /// Writes a field that holds a floating point number or null, or leaves it out.
    ///
    /// - Throws: ``ModelEncodingError`` for NaN in JSON and in a store, and for infinities in JSON.
    @inline(never)
    public mutating func field(_ name: StaticString, _ value: Double??) throws {
        if case .some(.some(let value)) = value, isJSON { return try field(name, value) }
        try doubleOptionalField(name, value)
    }

    /// Writes a field that holds a truth value or null, or leaves it out.
    @inline(never)
    public mutating func field(_ name: StaticString, _ value: Bool??) throws {
        if case .some(.some(let value)) = value, isJSON { return try field(name, value) }
        try doubleOptionalField(name, value)
    }

    /// The generic `field`, by a name that the functions above do not have. Inlined it would make them
    /// save registers before they know whether they need it.
    @inline(never)
    private mutating func doubleOptionalField<Value: ModelValue>(
        _ name: StaticString,
        _ value: Value??
    ) throws {
        if skipsColumn() { return }
        guard let value else { return try omitField() }
        beginField(name)
        if isRow {
            try embed { try value.encode(to: &$0) }
        } else {
            try value.encode(to: &self)
        }
        endField()
    }
}
