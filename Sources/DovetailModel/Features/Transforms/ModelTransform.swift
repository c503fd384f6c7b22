/// Another form for the values of a property in documents and stores, and the adapter for types
/// that are no models.
///
/// ```swift
/// struct Point { var x, y: Int }
///
/// enum PointText: ModelTransform {
///     static func decode(_ stored: String) throws -> Point {
///         let parts = stored.split(separator: ",").compactMap { Int($0) }
///         guard parts.count == 2 else { throw ModelTransformError(expected: "two numbers") }
///         return Point(x: parts[0], y: parts[1])
///     }
///     static func encode(_ value: Point) -> String { "\(value.x),\(value.y)" }
/// }
///
/// @Model struct Drawing { @Attribute(.transformed(by: PointText.self)) var corner: Point }
/// ```
///
/// A transform goes through optionals: nil stays nil, and neither function is called. With
/// `.transformed(elementsBy:)` it is for what an array, a set or a dictionary holds.
///
/// The column of the property is that of ``Stored``. Predicates compare it with constants: `==`,
/// `!=` and `contains` of a list work with every transform, `<` and sorting with those that say
/// ``keepsOrder``; anything else is a `QueryError`. Documentation/Values.md lists what is built in.
public protocol ModelTransform: SendableMetatype {
    /// The type of the property.
    associatedtype Value
    /// What documents and columns have in place of it.
    associatedtype Stored: ModelValue

    /// The value of a stored form.
    ///
    /// - Throws: any error. It arrives as a ``ModelDecodingError`` with the kind `rejected`, path
    ///   and position. A ``ModelTransformError`` also says what was expected; the text of another
    ///   error is quoted, except in errors about stores.
    static func decode(_ stored: Stored) throws -> Value

    /// The stored form of a value. Equal values need equal forms, or `==` in predicates misses
    /// rows. `decode` of the form should give the value back.
    ///
    /// - Throws: any error. A ``ModelEncodingError`` is passed on as it is; every other error
    ///   becomes one with the kind `rejected`. It says what a ``ModelTransformError`` expected,
    ///   and of another error only the type.
    static func encode(_ value: Value) throws -> Stored

    /// Whether the column is in the order of the values: larger values never have a smaller stored
    /// form. False unless you say otherwise.
    static var keepsOrder: Bool { get }
}

extension ModelTransform {
    /// No promise about the order: `<` and sorting by the property are errors.
    public static var keepsOrder: Bool { false }
}

/// What a ``ModelTransform`` throws to say what it takes instead of the value that it was given.
///
/// ```swift
/// throw ModelTransformError(expected: "two numbers")
/// // corner: expected two numbers, found "1;2" (line 1, column 11)
/// ```
public struct ModelTransformError: Error, Hashable, Sendable {
    /// What the transform takes, in words that fit after "expected".
    public let expected: String

    /// Makes an error. The text should not quote the value: it ends up in errors about stores too.
    public init(expected: String) {
        self.expected = expected
    }
}

/// The coding of a property with a transform. Generated code names it.
public enum TransformCoding<Transform: ModelTransform>: ModelCoding {
    /// Reads the stored form and decodes it.
    ///
    /// - Throws: ``ModelDecodingError`` for what is no stored form, and with the kind `rejected`
    ///   when the transform throws.
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
                // Reading entered the document of a column, which has a start of its own.
                at: wasRow && !reader.isRow ? reader.state.start : start
            )
        }
    }

    /// Encodes the value and writes its stored form.
    ///
    /// - Throws: ``ModelEncodingError``, with the kind `rejected` when the transform throws
    ///   another error.
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

    /// The column of the stored form, with what predicates ask about constants.
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
    /// Compares a value with what its stored form brings back. Types that are neither comparable
    /// nor equatable count as exact, as nobody can tell.
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
        // The error's own text may quote the value, which errors about stores never do.
        let text = column < 0 ? ": " + "\(failure)".prefix(2 * DocumentExcerpt.limit) : ""
        return ModelDecodingError(
            kind: .rejected,
            path: "",
            expected: plain.expected,
            found: "\(plain.found), refused by \(transform)\(text)"
        )
        .moved(to: plain, path: plain.path)
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
                kind: .rejected,
                explanation: "\(transform) takes \(failure.expected)"
            )
        default:
            ModelEncodingError(
                kind: .rejected,
                explanation: "\(transform): \(type(of: failure))"
            )
        }
    }
}
