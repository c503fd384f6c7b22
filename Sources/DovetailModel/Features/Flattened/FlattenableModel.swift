/// A model whose fields may stand among those of another one: what `@Model(flattenable: true)` makes.
///
/// ```swift
/// @Model(flattenable: true) struct LayerHead { var name: String; var opacity = 1.0 }
///
/// @Model struct TextLayer {
///     @Attribute(.flattened) var head: LayerHead
///     var text: String
/// }
/// // {"name":"Title","opacity":1,"text":"Hello"}
/// ```
///
/// The macro writes the conformance. The model has slots of its own for its fields
/// (``FlattenedValue/FieldSlots``), so the object around it is read in one pass and nothing of it is
/// kept aside.
public protocol FlattenableModel: FlattenedValue, Model {
    /// The names of its fields in documents, in the order in which they are written, and the models
    /// that are flattened in it.
    static var flattenedFields: [FlattenedField] { get }

    /// What a store makes columns of where the model is flattened.
    static var flattenedAttributes: [ModelAttribute] { get }
}

extension FlattenableModel {
    /// Its own attributes.
    public static var flattenedAttributes: [ModelAttribute] { modelAttributes }

    /// Itself.
    public static var flattenedModel: any FlattenableModel.Type { Self.self }
}

/// What a property with `@Attribute(.flattened)` holds: a ``FlattenableModel``, or an optional of one.
///
/// An optional is nil where none of the model's fields has a value: all are absent, or null, or empty
/// where the model leaves empty ones out; in a row, where all of its columns are NULL. So a value that
/// writes no field comes back as nil.
public protocol FlattenedValue: SendableMetatype {
    /// The slots of the model's fields.
    associatedtype FieldSlots: ModelFieldSlots where FieldSlots.SlottedModel == Self

    /// The model, also that of an optional.
    static var flattenedModel: any FlattenableModel.Type { get }

    /// Writes the fields into the object that the writer is in, and in a row the columns.
    ///
    /// - Parameter names: What the fields are named there.
    /// - Throws: ``ModelEncodingError`` for what the format has no form for.
    func encodeFields(to writer: inout ModelWriter, names: FlattenedNames) throws
}

/// The fields of a ``FlattenableModel`` while an object is read that has them: one slot for each, empty
/// until its field is met.
public protocol ModelFieldSlots {
    /// What is read.
    associatedtype SlottedModel

    /// How many columns the model has in a row.
    static var columnCount: Int { get }

    /// Makes empty slots.
    ///
    /// - Parameter names: What the fields are named in the object.
    init(_ names: FlattenedNames)

    /// Whether no field with a value was met.
    var isEmpty: Bool { get }

    /// Reads the value under the cursor if the field is one of the model's.
    ///
    /// - Returns: False for all other fields, whose value is not read.
    /// - Throws: ``ModelDecodingError`` for a field that was read before (`repeatedField`), and what
    ///   the value throws.
    mutating func read(
        _ key: FieldKey,
        in object: ObjectScope,
        from reader: inout ModelReader
    ) throws -> Bool

    /// Reads the next columns of a row, ``columnCount`` of them.
    ///
    /// - Throws: ``ModelDecodingError`` for what a column's value is not.
    mutating func readColumns(from reader: inout ModelReader) throws

    /// Empties the slots into a value.
    ///
    /// - Parameters:
    ///   - names: What the fields are named in the object.
    ///   - object: The scope of the object, which was read to its end.
    /// - Throws: ``ModelDecodingError`` for a required field that was not met (`missingField`), and
    ///   when a hook refuses the value.
    mutating func finish(
        names: FlattenedNames,
        in object: ObjectScope,
        from reader: inout ModelReader
    ) throws -> SlottedModel
}

/// The slots of a property with `@Attribute(.flattened)`. Used by generated code.
public typealias FlattenedSlots<Value: FlattenedValue> = Value.FieldSlots

/// The same where the property has a prefix. Used by generated code.
public typealias PrefixedFlattenedSlots<Value: FlattenedValue> = PrefixedSlots<Value.FieldSlots>
