// The class of an object in documents: a subclass writes it as the field `$type`, since a document may be
// that of an object which a property of another class holds.

extension ModelWriter {
    /// Begins the object of a class that inherits from a model, with the field that names it. Called by
    /// generated code.
    ///
    /// As an element of `[any P]` it has a type key already.
    ///
    /// - Throws: ``ModelEncodingError`` for too deep objects.
    public mutating func beginObject(ofClass name: String) throws -> WriterScope {
        let isNamed = hasTag
        let isWholeRow = isRow && column < 0
        let object = try beginObject()
        if isNamed || isWholeRow { return object }
        beginField("\"$type\":")
        try write(name)
        endField()
        return object
    }
}

extension ModelReader {
    /// Reads the field that names the class of an object, and refuses that of another class. Called by
    /// generated code.
    ///
    /// - Throws: ``ModelDecodingError`` of kind `rejected`.
    public mutating func readClass(_ type: any Model.Type, in object: ObjectScope) throws {
        if state.superclassStart == object.start { return try skipValue() }
        let refusal = rejected(
            expected:
                "\(type) as the class; context.decode(_:from:as:) reads documents of subclasses"
        )
        let name = try readString()
        guard name == type.typeName || type.typeAliases.contains(name) else { throw refusal }
    }

    /// Begins what the superclass of an object reads: the columns of a row that are its own, or the
    /// document of the object from its start. Called by generated code.
    ///
    /// - Complexity: O(1).
    public mutating func beginSuperclass(of object: ObjectScope) {
        guard isRow else {
            state.superclassStart = object.start
            return cursor = object.start
        }
        (row as? ClassRow)?.enterSuperclass()
        enterRow()
    }

    /// Ends what ``beginSuperclass(of:)`` has begun. Called by generated code.
    public mutating func endSuperclass() {
        if !isRow { state.superclassStart = nil }
    }
}
