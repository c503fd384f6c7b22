/// The slots of a model that is flattened with `prefix:`. A name of the object is looked up once in a
/// table that was made with the names, and the model sees its own name.
public struct PrefixedSlots<Base: ModelFieldSlots>: ModelFieldSlots {
    @usableFromInline let names: FlattenedNames
    @usableFromInline var base: Base

    /// Makes empty slots.
    @inlinable
    public init(_ names: FlattenedNames) {
        self.names = names
        base = Base(names)
    }

    /// Those of the model.
    @inlinable public static var columnCount: Int { Base.columnCount }

    /// Whether no field with a value was met.
    @inlinable public var isEmpty: Bool { base.isEmpty }

    /// Reads the value of a field of the model.
    ///
    /// - Throws: as the model does.
    @inlinable
    public mutating func read(
        _ key: FieldKey,
        in object: ObjectScope,
        from reader: inout ModelReader
    ) throws -> Bool {
        guard let own = names.ownKey(of: key) else { return false }
        return try base.read(own, in: object, from: &reader)
    }

    /// Reads the columns of the model.
    ///
    /// - Throws: as the model does.
    @inlinable
    public mutating func readColumns(from reader: inout ModelReader) throws {
        try base.readColumns(from: &reader)
    }

    /// The value of the model.
    ///
    /// - Throws: as the model does.
    @inlinable
    public mutating func finish(
        names: FlattenedNames,
        in object: ObjectScope,
        from reader: inout ModelReader
    ) throws -> Base.SlottedModel {
        try base.finish(names: names, in: object, from: &reader)
    }
}
