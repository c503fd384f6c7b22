// Objects and arrays. A scope is a value that says how its container is closed, so the writer keeps
// no stack.
//
// An object around attributes is opened before it is known whether any of them is written. When
// none is, its bytes are dropped again, so that no attribute is asked twice.

/// What a writer has to do when an object or array is closed: what ``ModelWriter/beginObject()``
/// gives and ``ModelWriter/endObject(_:)`` takes.
@frozen
public struct WriterScope {
    /// What was opened.
    @usableFromInline enum Kind {
        /// A row, whose columns are written already.
        case row
        /// The document of a column, which now goes to the row.
        case column
        /// Part of a document in JSON: the fast path.
        case document
        /// Part of a document of a non-JSON destination.
        case nonJSON
    }

    @usableFromInline let kind: Kind

    @inlinable
    init(_ kind: Kind) {
        self.kind = kind
    }
}

/// The place of a writer inside an object that lies around attributes of a model (`@Attribute(name:
/// "a.b")`).
@frozen
public struct ObjectFieldScope {
    /// Where the field's name starts, to remove the field again.
    @usableFromInline let start: Int
    /// Where the object's fields start.
    @usableFromInline let content: Int

    @inlinable
    init(start: Int, content: Int) {
        self.start = start
        self.content = content
    }
}

extension ModelWriter {
    /// Opens an object. Within `any P` it starts with the type key.
    ///
    /// ```swift
    /// func encode(to writer: inout ModelWriter) throws {
    ///     let object = try writer.beginObject()
    ///     try writer.field("\"width\":", width)
    ///     try writer.field("\"height\":", height)
    ///     try writer.endObject(object)
    /// }
    /// ```
    ///
    /// At the top of a row this opens the row itself; in a column, the JSON document of the column.
    ///
    /// - Complexity: O(1).
    /// - Throws: ``ModelEncodingError`` when it is nested deeper than ``ModelReader/maximumDepth``.
    @inlinable
    public mutating func beginObject() throws -> WriterScope {
        var kind = WriterScope.Kind.document
        if !isJSON, try beginNonJSONObject(&kind) { return WriterScope(kind) }
        try descend()
        append(0x7B)
        if hasTag { try writeTag() }
        return WriterScope(kind)
    }

    /// Closes the object that `scope` was given for; objects and arrays close in reverse order.
    ///
    /// - Throws: in a row, what the ``RowSink`` throws when it gets the finished document of a
    ///   column.
    @inlinable
    public mutating func endObject(_ scope: WriterScope) throws {
        if scope.kind == .document { return close(0x7D) }
        // A save ends a hundred thousand rows, which have no end.
        if scope.kind != .row { try endNonJSONObject(scope) }
    }

    /// Opens a field that holds an object around attributes of the model. A row has no such
    /// objects. Called by generated code.
    ///
    /// - Parameter name: the field's name as JSON: quotes, escapes and colon included.
    /// - Throws: ``ModelEncodingError`` when it is nested too deep.
    @inlinable
    public mutating func beginObjectField(_ name: StaticString) throws -> ObjectFieldScope {
        if !isJSON { return try beginNonJSONObjectField(name) }
        let start = count
        append(name)
        try descend()
        append(0x7B)
        return ObjectFieldScope(start: start, content: count)
    }

    /// Closes the object, or removes the field when all of its attributes were left out. Called by
    /// generated code.
    @inlinable
    public mutating func endObjectField(_ scope: ObjectFieldScope) {
        if !isJSON { return endNonJSONObjectField(scope) }
        if count == scope.content {
            count = scope.start
            remainingDepth &+= 1
        } else {
            close(0x7D)
            putComma()
        }
    }

    /// Opens an array.
    ///
    /// ```swift
    /// let array = try writer.beginArray()
    /// for point in points { try writer.element(point) }
    /// try writer.endArray(array)
    /// ```
    ///
    /// - Complexity: O(1).
    /// - Throws: ``ModelEncodingError`` when it is nested deeper than ``ModelReader/maximumDepth``,
    ///   and where an object has to carry a type key (`noObject`).
    @inlinable
    public mutating func beginArray() throws -> WriterScope {
        if hasTag { throw noObjectForTag() }
        var kind = WriterScope.Kind.document
        if !isJSON, try beginNonJSONArray(&kind) { return WriterScope(kind) }
        try descend()
        append(0x5B)
        return WriterScope(kind)
    }

    /// Closes the array that `scope` was given for.
    ///
    /// - Throws: in a row, what the ``RowSink`` throws when it gets the finished document of a
    ///   column.
    @inlinable
    public mutating func endArray(_ scope: WriterScope) throws {
        if scope.kind != .document { return try endNonJSONArray(scope) }
        close(0x5D)
    }

    /// Writes an element of an array.
    ///
    /// - Complexity: that of the value.
    /// - Throws: what the value's `encode(to:)` throws.
    @inlinable
    @inline(__always)
    public mutating func element<Value: ModelValue>(_ value: Value) throws {
        try value.encode(to: &self)
        putComma()
    }

    /// Counts one more level; closing counts it back.
    @inlinable
    @inline(__always)
    mutating func descend() throws {
        remainingDepth &-= 1
        if remainingDepth < 0 { throw tooDeep() }
    }

    /// The error at the container that is one level too deep.
    @usableFromInline
    mutating func tooDeep() -> ModelEncodingError {
        ModelEncodingError(
            kind: .tooDeep,
            explanation: "values are nested deeper than \(ModelReader.maximumDepth) levels"
        )
    }
}
