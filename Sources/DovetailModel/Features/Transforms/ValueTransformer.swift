#if canImport(ObjectiveC)
    public import Foundation
#else
    import Foundation
#endif

#if !canImport(ObjectiveC)
    /// Makes `Data` of values for `@Attribute(.transformable(by:))`, and values of `Data`: the part of
    /// Foundation's class of this name that such attributes need, where Foundation has none.
    ///
    /// ```swift
    /// final class ColorTransformer: ValueTransformer {
    ///     override func transformedValue(_ value: Any?) -> Any? {
    ///         (value as? Color).map { Data([$0.red, $0.green, $0.blue]) }
    ///     }
    ///     override func reverseTransformedValue(_ value: Any?) -> Any? {
    ///         (value as? Data).flatMap { Color(bytes: $0) }
    ///     }
    /// }
    /// ```
    ///
    /// An instance is made for each value.
    open class ValueTransformer {
        /// Makes a transformer.
        public required init() {}

        /// The class of what ``transformedValue(_:)`` gives. Nobody asks for it.
        open class func transformedValueClass() -> AnyClass { ValueTransformer.self }

        /// Whether ``reverseTransformedValue(_:)`` works. Nobody asks for it.
        open class func allowsReverseTransformation() -> Bool { true }

        /// The `Data` of a value; nil for one that has none, which ends in a ``ModelEncodingError``.
        open func transformedValue(_ value: Any?) -> Any? { value }

        /// The value of `Data`; nil for bytes that are none, which ends in a ``ModelDecodingError``.
        open func reverseTransformedValue(_ value: Any?) -> Any? { value }
    }
#endif

/// The coding of a property with a ``ValueTransformer``. Generated code names it.
public enum TransformerCoding<Value, Transformer: ValueTransformer>: ModelCoding {
    /// Reads bytes and makes a value of them.
    ///
    /// - Throws: ``ModelDecodingError`` for what is no `Data`, and with the kind `rejected` when the
    ///   transformer makes nothing of it.
    public static func decode(from reader: inout ModelReader) throws -> Value {
        let start = reader.cursor
        let data = try Data(modelValue: &reader)
        guard let value = Transformer().reverseTransformedValue(data) as? Value else {
            let failure = ModelTransformError(expected: "the data of \(Value.self)")
            throw reader.refusal(of: Value.self, by: Transformer.self, failure, at: start)
        }
        return value
    }

    /// Writes the bytes of a value.
    ///
    /// - Throws: ``ModelEncodingError`` with the kind `rejected` when the transformer gives no `Data`.
    public static func encode(_ value: Value, to writer: inout ModelWriter) throws {
        guard let data = Transformer().transformedValue(value) as? Data else {
            let failure = ModelTransformError(expected: "values of which it makes Data")
            throw ModelWriter.refusal(by: Transformer.self, failure)
        }
        try data.encode(to: &writer)
    }

    /// A column of bytes.
    public static var column: CodedColumn { CodedColumn(type: .data) }
}
