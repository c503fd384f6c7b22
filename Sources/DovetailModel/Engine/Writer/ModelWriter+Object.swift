/// What a writer has to do when an object or array is closed.
@frozen
public struct WriterScope {
    @usableFromInline enum Kind {
        /// A row, whose columns are written already.
        case row
        /// The document of a column, which now goes to the row.
        case column
        /// Part of a document in JSON.
        case document
        /// Part of a document in another format.
        case other
    }

    @usableFromInline let kind: Kind

    @inlinable
    init(_ kind: Kind) {
        self.kind = kind
    }
}

/// The place of a writer inside an object that stands around attributes of a model.
@frozen
public struct ObjectFieldScope {
    /// Where the field's name starts.
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
    /// Opens an object. Inside of `any P` the type key comes first.
    ///
    /// - Throws: ``ModelEncodingError`` when it is nested too deep.
    @inlinable
    public mutating func beginObject() throws -> WriterScope {
        var kind = WriterScope.Kind.document
        if !isJSON, try beginOtherObject(&kind) { return WriterScope(kind) }
        try descend()
        append(0x7B)
        if hasTag { try writeTag() }
        return WriterScope(kind)
    }

    /// Closes an object.
    @inlinable
    public mutating func endObject(_ scope: WriterScope) throws {
        if scope.kind != .document { return try endOtherObject(scope) }
        close(0x7D)
    }

    /// Opens a field that holds an object around attributes of the model. A row has no such
    /// objects. Called by generated code.
    ///
    /// - Throws: ``ModelEncodingError`` when it is nested too deep.
    @inlinable
    public mutating func beginObjectField(_ name: StaticString) throws -> ObjectFieldScope {
        if !isJSON { return try beginOtherObjectField(name) }
        let start = count
        append(name)
        try descend()
        append(0x7B)
        return ObjectFieldScope(start: start, content: count)
    }

    /// Closes the object, or takes it back when all of its fields were left out.
    @inlinable
    public mutating func endObjectField(_ scope: ObjectFieldScope) {
        if !isJSON { return endOtherObjectField(scope) }
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
    /// - Throws: ``ModelEncodingError`` when it is nested too deep.
    @inlinable
    public mutating func beginArray() throws -> WriterScope {
        if hasTag { throw noObjectForTag() }
        var kind = WriterScope.Kind.document
        if !isJSON, try beginOtherArray(&kind) { return WriterScope(kind) }
        try descend()
        append(0x5B)
        return WriterScope(kind)
    }

    /// Closes an array.
    @inlinable
    public mutating func endArray(_ scope: WriterScope) throws {
        if scope.kind != .document { return try endOtherArray(scope) }
        close(0x5D)
    }

    /// Writes an element of an array.
    @inlinable
    @inline(__always)
    public mutating func element<Value: ModelValue>(_ value: Value) throws {
        try value.encode(to: &self)
        putComma()
    }

    @inlinable
    @inline(__always)
    mutating func descend() throws {
        remainingDepth &-= 1
        if remainingDepth < 0 { throw tooDeep() }
    }

    @usableFromInline
    mutating func tooDeep() -> ModelEncodingError {
        ModelEncodingError(
            reason: .tooDeep,
            explanation: "values are nested deeper than \(ModelReader.maximumDepth) levels"
        )
    }
}
