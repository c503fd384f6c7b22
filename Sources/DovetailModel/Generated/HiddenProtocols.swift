// Properties whose type is a typealias of a collection of `any P`, `typealias Pets = [any Pet]`. A
// macro sees the alias alone, so it names no coding; these overloads find it where the type is known.
// They are disfavored: a type that is a model value is read and written as that.

extension ModelReader {
    /// Reads a field of conformers of a model protocol. Called by generated code.
    ///
    /// - Throws: ``ModelDecodingError`` when the slot is filled, and what an element throws.
    @_disfavoredOverload
    public mutating func read<Element>(
        _ slot: inout [Element]?,
        _ name: StaticString,
        by table: RootCoding<Element> = #_rootCoding
    ) throws {
        if case .some = slot { throw repeatedField(name) }
        slot = try table.decodeArray(&self)
    }

    /// The same for an optional. Called by generated code.
    ///
    /// - Throws: ``ModelDecodingError`` when the slot is filled, and what an element throws.
    @_disfavoredOverload
    public mutating func read<Element>(
        _ slot: inout [Element]??,
        _ name: StaticString,
        by table: RootCoding<Element> = #_rootCoding
    ) throws {
        if case .some = slot { throw repeatedField(name) }
        slot = .some(try readNull() ? nil : table.decodeArray(&self))
    }

    /// Reads a field of conformers under names. Called by generated code.
    ///
    /// - Throws: ``ModelDecodingError`` when the slot is filled, and what a member throws.
    @_disfavoredOverload
    public mutating func read<Key: ModelKey, Element>(
        _ slot: inout [Key: Element]?,
        _ name: StaticString,
        by table: RootCoding<Element> = #_rootCoding
    ) throws {
        if case .some = slot { throw repeatedField(name) }
        slot = try readDictionary { try table.decodeMember(&$0) }
    }

    /// Reads the next column of a row as conformers. Called by generated code.
    ///
    /// - Throws: ``ModelDecodingError`` for what the column's value is not.
    @_disfavoredOverload
    public mutating func readColumn<Element>(
        _ slot: inout [Element]?,
        by table: RootCoding<Element> = #_rootCoding
    ) throws {
        column &+= 1
        slot = try table.decodeArray(&self)
        if !isRow { try leaveColumnDocument() }
    }

    /// The same for an optional. Called by generated code.
    ///
    /// - Throws: ``ModelDecodingError`` for what the column's value is not.
    @_disfavoredOverload
    public mutating func readColumn<Element>(
        _ slot: inout [Element]??,
        by table: RootCoding<Element> = #_rootCoding
    ) throws {
        column &+= 1
        slot = .some(try readNull() ? nil : table.decodeArray(&self))
        if !isRow { try leaveColumnDocument() }
    }

    /// The same for conformers under names. Called by generated code.
    ///
    /// - Throws: ``ModelDecodingError`` for what the column's value is not.
    @_disfavoredOverload
    public mutating func readColumn<Key: ModelKey, Element>(
        _ slot: inout [Key: Element]?,
        by table: RootCoding<Element> = #_rootCoding
    ) throws {
        column &+= 1
        slot = try readDictionary { try table.decodeMember(&$0) }
        if !isRow { try leaveColumnDocument() }
    }
}

extension ModelWriter {
    /// Writes a field of conformers of a model protocol. Called by generated code.
    ///
    /// - Throws: what an element throws.
    @_disfavoredOverload
    public mutating func field<Element>(
        _ name: StaticString,
        _ value: [Element],
        by table: RootCoding<Element> = #_rootCoding
    ) throws {
        if skipsColumn() { return }
        beginField(name)
        try table.encodeArray(value, &self)
        endField()
    }

    /// The same for an optional, which is left out when it is nil. Called by generated code.
    ///
    /// - Throws: what an element throws.
    @_disfavoredOverload
    public mutating func field<Element>(
        _ name: StaticString,
        _ value: [Element]?,
        by table: RootCoding<Element> = #_rootCoding
    ) throws {
        guard let value else {
            if !skipsColumn() { try omitField() }
            return
        }
        try field(name, value, by: table)
    }

    /// Writes a field of conformers under names. Called by generated code.
    ///
    /// - Throws: what a member throws.
    @_disfavoredOverload
    public mutating func field<Key: ModelKey, Element>(
        _ name: StaticString,
        _ value: [Key: Element],
        by table: RootCoding<Element> = #_rootCoding
    ) throws {
        if skipsColumn() { return }
        beginField(name)
        try writeDictionary(value) { try table.encodeElement($0, &$1) }
        endField()
    }

    /// Writes a field of conformers, as null when there is no list. Called by generated code.
    ///
    /// - Throws: what an element throws.
    @_disfavoredOverload
    public mutating func nullableField<Element>(
        _ name: StaticString,
        _ value: [Element]?,
        by table: RootCoding<Element> = #_rootCoding
    ) throws {
        if let value { return try field(name, value, by: table) }
        if skipsColumn() { return }
        beginField(name)
        try writeNull()
        endField()
    }

    /// The same for conformers under names. Called by generated code.
    ///
    /// - Throws: what a member throws.
    @_disfavoredOverload
    public mutating func nullableField<Key: ModelKey, Element>(
        _ name: StaticString,
        _ value: [Key: Element]?,
        by table: RootCoding<Element> = #_rootCoding
    ) throws {
        if let value { return try field(name, value, by: table) }
        if skipsColumn() { return }
        beginField(name)
        try writeNull()
        endField()
    }

    /// Writes a field of conformers, or leaves it out of a document when there are none. Called by
    /// generated code.
    ///
    /// - Throws: what an element throws.
    @_disfavoredOverload
    public mutating func nonEmptyField<Element>(
        _ name: StaticString,
        _ value: [Element],
        by table: RootCoding<Element> = #_rootCoding
    ) throws {
        if value.isEmpty, !isRow { return }
        try field(name, value, by: table)
    }
}
