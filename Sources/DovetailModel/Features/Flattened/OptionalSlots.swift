/// The slots of an optional model that is flattened: nil where none of its fields has a value.
public struct OptionalSlots<Base: ModelFieldSlots>: ModelFieldSlots
where Base.SlottedModel: FlattenableModel {
    @usableFromInline var base: Base
    /// Why null is no value of the first field that has it and may not: an error where another one has a value.
    @usableFromInline var refusedNull: (any Error)?

    /// Makes empty slots.
    @inlinable
    public init(_ names: FlattenedNames) {
        base = Base(names)
    }

    /// Those of the model.
    @inlinable public static var columnCount: Int { Base.columnCount }

    /// Whether no field with a value was met.
    @inlinable public var isEmpty: Bool { base.isEmpty }

    /// Reads the value of a field of the model. Null is none, whatever the field is.
    ///
    /// - Throws: as the model does.
    @inlinable
    public mutating func read(
        _ key: FieldKey,
        in object: ObjectScope,
        from reader: inout ModelReader
    ) throws -> Bool {
        if reader.isAtNull { return try readNull(key, in: object, from: &reader) }
        return try base.read(key, in: object, from: &reader)
    }

    /// The same of null, which a field without an optional refuses.
    @usableFromInline
    @inline(never)
    mutating func readNull(
        _ key: FieldKey,
        in object: ObjectScope,
        from reader: inout ModelReader
    ) throws -> Bool {
        let slots = base
        switch reader.attempt({ try base.read(key, in: object, from: &$0) }) {
        case .success(let isOwn): return isOwn
        case .failure(let reason):
            base = slots
            guard (reason as? ModelDecodingError)?.kind == .typeMismatch, try reader.readNull()
            else {
                // Once more, for an error with its place in the document.
                return try base.read(key, in: object, from: &reader)
            }
            refusedNull = refusedNull ?? reason
            return true
        }
    }

    /// Reads the columns, or passes over them where all are NULL.
    @inlinable
    public mutating func readColumns(from reader: inout ModelReader) throws {
        if !reader.skipsNullColumns(Base.columnCount) { try base.readColumns(from: &reader) }
    }

    /// The value of the model; nil where no field with a value was met.
    ///
    /// - Throws: as the model does.
    @inlinable
    public mutating func finish(
        names: FlattenedNames,
        in object: ObjectScope,
        from reader: inout ModelReader
    ) throws -> Base.SlottedModel? {
        if base.isEmpty { return nil }
        if let refusedNull { throw refusedNull }
        return try base.finish(names: names, in: object, from: &reader)
    }
}

extension Optional: FlattenedValue where Wrapped: FlattenableModel {
    /// Those of the model, which may stay empty.
    public typealias FieldSlots = OptionalSlots<Wrapped.FieldSlots>

    /// The model that it is an optional of.
    public static var flattenedModel: any FlattenableModel.Type { Wrapped.self }

    /// Writes the fields of the model; for nil none, and in a row NULL for each.
    ///
    /// - Throws: as the model does.
    @inlinable
    public func encodeFields(to writer: inout ModelWriter, names: FlattenedNames) throws {
        if let self {
            try self.encodeFields(to: &writer, names: names)
        } else {
            try writer.omitColumns(Wrapped.FieldSlots.columnCount)
        }
    }
}

extension ModelReader {
    /// Whether null is under the cursor, or what begins like it.
    @inlinable var isAtNull: Bool {
        mutating get { source == .json ? byte == 0x6E : isAtNonJSONNull }
    }

    /// The same in other sources.
    @usableFromInline var isAtNonJSONNull: Bool {
        mutating get { (try? peekKind()) == .null }
    }

    /// Passes over the next columns of a row if all of them are NULL.
    ///
    /// - Returns: False where one is not; the reader does not move then.
    @inlinable
    public mutating func skipsNullColumns(_ count: Int) -> Bool {
        let start = column
        for _ in 0..<count {
            column &+= 1
            if !rowCell().isNull {
                column = start
                return false
            }
        }
        return true
    }
}

extension ModelWriter {
    /// Writes NULL into the next columns of a row. A document gets nothing.
    ///
    /// - Throws: What the ``RowSink`` throws.
    @inlinable
    public mutating func omitColumns(_ count: Int) throws {
        guard isRow else { return }
        for _ in 0..<count { try omitField() }
    }
}
