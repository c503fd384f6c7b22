// Generated code calls these for every model. Overload resolution finds out whether the type
// conforms to ``ModelLifecycle``, wherever its conformance is. The ones for models without hooks
// are transparent: they are gone before the optimizer sees their callers.

/// A model without hooks. Called by generated code.
@_disfavoredOverload
@_transparent
public func _didDecode<Value>(
    _ value: inout Value,
    _ reader: inout ModelReader,
    _ object: ObjectScope
) throws {}

/// Calls the hook of a value type. Called by generated code.
///
/// - Throws: ``ModelDecodingError`` about the model when the hook throws.
@inlinable
public func _didDecode<Value: ModelLifecycle>(
    _ value: inout Value,
    _ reader: inout ModelReader,
    _ object: ObjectScope
) throws {
    do {
        try value.didDecode()
    } catch {
        throw reader.refused(by: "didDecode()", of: Value.self, error, in: object)
    }
}

/// A class without hooks. Called by generated code.
@_disfavoredOverload
@_transparent
public func _didDecode<Value: AnyObject>(
    object value: Value,
    _ reader: inout ModelReader,
    _ object: ObjectScope
) throws {}

/// Calls the hook of a class. Called by generated code.
///
/// - Throws: ``ModelDecodingError`` about the model when the hook throws.
@inlinable
public func _didDecode<Value: ModelLifecycle & AnyObject>(
    object value: Value,
    _ reader: inout ModelReader,
    _ object: ObjectScope
) throws {
    var value = value
    try _didDecode(&value, &reader, object)
}

/// A model without hooks. Called by generated code.
@_disfavoredOverload
@_transparent
public func _willEncode<Value>(_ value: Value, _ writer: inout ModelWriter) throws -> Value {
    value
}

/// Calls the hook on a copy, which is then written. Called by generated code.
///
/// - Throws: ``ModelEncodingError`` about the model when the hook throws.
@inlinable
public func _willEncode<Value: ModelLifecycle>(
    _ value: Value,
    _ writer: inout ModelWriter
) throws -> Value {
    var copy = value
    do {
        try copy.willEncode()
    } catch {
        throw writer.refused(by: Value.self, error)
    }
    return copy
}
