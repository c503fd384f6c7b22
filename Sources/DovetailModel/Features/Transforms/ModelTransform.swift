/// Another form for the values of a property in documents and stores, and the adapter for types
/// that are no models.
///
/// ```swift
/// enum PointText: ModelTransform {
///     static func decode(_ stored: String) throws -> Point { … }
///     static func encode(_ value: Point) throws -> String { … }
/// }
///
/// @Attribute(.transformed(by: PointText.self)) var corner: Point
/// ```
///
/// The column of the property is that of ``Stored``. Predicates compare it with constants: `==`,
/// `!=` and `contains` of a list work with every transform, `<` and sorting with those that say
/// ``keepsOrder``, everything else is an error. Documentation/Values.md lists what is built in.
public protocol ModelTransform: SendableMetatype {
    /// The type of the property.
    associatedtype Value
    /// What stands in documents and columns.
    associatedtype Stored: ModelValue

    /// Makes a value of its stored form.
    ///
    /// - Throws: any error. It ends up in a ``ModelDecodingError`` that says `rejected`, with path
    ///   and position; a ``ModelTransformError`` also says what was expected.
    static func decode(_ stored: Stored) throws -> Value

    /// Makes the stored form of a value. Equal values need equal forms, and `decode` of the form
    /// should give the value back.
    ///
    /// - Throws: any error, which ends up in a ``ModelEncodingError`` that says `rejected`.
    static func encode(_ value: Value) throws -> Stored

    /// Whether stored forms are in the same order as the values; false unless you say otherwise.
    static var keepsOrder: Bool { get }
}

extension ModelTransform {
    /// Nothing is promised about the order.
    public static var keepsOrder: Bool { false }
}

/// What a ``ModelTransform`` throws to say what it needs instead of the value it was given.
public struct ModelTransformError: Error, Hashable, Sendable {
    /// What the transform takes, in words that fit behind "expected".
    public let expected: String

    /// Makes an error.
    public init(expected: String) {
        self.expected = expected
    }
}

/// The coding of a property with a transform.
public enum TransformCoding<Transform: ModelTransform>: ModelCoding {
    /// Reads the stored form and decodes it.
    @inlinable
    public static func decode(from reader: inout ModelReader) throws -> Transform.Value {
        let start = reader.cursor
        let wasRow = reader.isRow
        let stored = try Transform.Stored(modelValue: &reader)
        do {
            return try Transform.decode(stored)
        } catch {
            throw reader.refusal(
                of: Transform.Value.self,
                by: Transform.self,
                error,
                // The document of a column starts anew.
                at: wasRow && !reader.isRow ? reader.state.start : start
            )
        }
    }

    /// Encodes the value and writes its stored form.
    @inlinable
    public static func encode(_ value: Transform.Value, to writer: inout ModelWriter) throws {
        let stored: Transform.Stored
        do {
            stored = try Transform.encode(value)
        } catch {
            throw ModelWriter.refusal(by: Transform.self, error)
        }
        try stored.encode(to: &writer)
    }

    /// The column of the stored form.
    public static var column: CodedColumn {
        CodedColumn(
            type: Transform.Stored.columnType,
            isOptional: Transform.Stored.self is any OptionalValue.Type,
            keepsOrder: Transform.keepsOrder,
            rounding: { value in
                guard let value = value as? Transform.Value else { return .exact }
                let stored = try Transform.decode(try Transform.encode(value))
                return AttributeTransform.Rounding(of: value, to: stored)
            }
        )
    }
}

extension AttributeTransform.Rounding {
    init(of value: Any, to stored: Any) {
        func compare<Value: Comparable>(_ value: Value) -> Self? {
            guard let stored = stored as? Value else { return nil }
            return value == stored ? .exact : stored < value ? .down : .up
        }
        func isEqual<Value: Equatable>(_ value: Value) -> Bool { value == stored as? Value }
        if let value = value as? any Comparable {
            self = compare(value) ?? .exact
        } else if let value = value as? any Equatable {
            self = isEqual(value) ? .exact : .other
        } else {
            self = .exact
        }
    }
}

extension ModelReader {
    /// The error that a transform threw about the value at `position`.
    @usableFromInline
    @inline(never)
    mutating func refusal(
        of type: Any.Type,
        by transform: Any.Type,
        _ failure: any Error,
        at position: UnsafePointer<UInt8>
    ) -> ModelDecodingError {
        if let failure = failure as? ModelTransformError {
            return error(.rejected, expected: failure.expected, at: position)
        }
        let plain = error(.rejected, expected: "\(type)", at: position)
        // What a transform says may quote the value, which errors about stores never do.
        let text = column < 0 ? ": " + "\(failure)".prefix(2 * DocumentExcerpt.limit) : ""
        return ModelDecodingError(
            reason: .rejected,
            path: plain.path,
            expected: plain.expected,
            found: "\(plain.found), refused by \(transform)\(text)",
            line: plain.line,
            column: plain.column,
            offset: plain.offset
        )
    }
}

extension ModelWriter {
    /// The error that a transform threw about a value.
    @usableFromInline
    @inline(never)
    static func refusal(by transform: Any.Type, _ failure: any Error) -> ModelEncodingError {
        switch failure {
        case let failure as ModelEncodingError: failure
        case let failure as ModelTransformError:
            ModelEncodingError(
                reason: .rejected,
                explanation: "\(transform) takes \(failure.expected)"
            )
        default:
            ModelEncodingError(
                reason: .rejected,
                explanation: "\(transform): \(type(of: failure))"
            )
        }
    }
}
