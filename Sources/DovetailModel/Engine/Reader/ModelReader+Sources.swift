import Foundation

// The slow path of every primitive: values that do not come from JSON. A primitive compares its
// source with JSON once and calls the function of the same name here, so that JSON pays one
// comparison for all other sources. None of this is inlined into generated code.
//
// Each function is one `switch` over the sources. The case of JSON is never reached, since the
// primitive has handled it; it shares a branch with the rows.

extension ModelReader {
    /// Enters the object under the cursor. False when it turns out to be JSON, as the document in a
    /// column is; the cursor is at its brace then, and the caller goes on as for JSON.
    @usableFromInline
    @inline(never)
    mutating func enterNonJSONObject(_ object: inout ObjectScope) throws -> Bool {
        switch source {
        case .json: return false
        case .row:
            if column < 0 {
                object.kind = .row
                return true
            }
            try enterColumnDocument()
            object.start = cursor
            return false
        case .tagged:
            try resumeTaggedObject(&object)
            return true
        case .binaryPropertyList: try enterBinaryObject()
        case .xmlPropertyList: try enterXMLContainer(.dict, "object")
        case .tree: try enterTreeObject()
        }
        object.kind = .nonJSON
        return true
    }

    /// Enters the array under the cursor; false when it turns out to be JSON, as for objects.
    @usableFromInline
    @inline(never)
    mutating func enterNonJSONArray() throws -> Bool {
        forgetTaggedObject()
        switch source {
        case .json, .tagged: return false
        case .row:
            try enterColumnDocument()
            return false
        case .binaryPropertyList: try enterBinaryArray()
        case .xmlPropertyList: try enterXMLContainer(.array, "array")
        case .tree: try enterTreeArray()
        }
        return true
    }

    /// The slow path of ``nextKey(in:)``: objects of other kinds. Out of line, so that generated
    /// initializers stay small; comparisons, because a `switch` is a jump through a table.
    @usableFromInline
    @inline(never)
    mutating func nextKeyOnSlowPath(in object: inout ObjectScope) throws -> FieldKey? {
        if object.kind == .migrated { return try nextMigratedField(in: &object) }
        if object.kind == .nonJSON { return try nextNonJSONField(in: &object) }
        return try nextPlainKey(in: &object)
    }

    /// The same for the other kinds.
    @inline(never)
    private mutating func nextPlainKey(in object: inout ObjectScope) throws -> FieldKey? {
        if object.kind == .row { throw namesOfRow() }
        return try nextField(in: &object)
    }

    /// The next field of an object. Whoever reads on forgets the search for a type key.
    @usableFromInline
    @inline(never)
    mutating func nextNonJSONField(in object: inout ObjectScope) throws -> FieldKey? {
        switch source {
        case .tree: return nextTreeKey()
        case .binaryPropertyList: return try nextBinaryKey()
        case .xmlPropertyList: return try nextXMLKey(in: &object)
        case .json, .row: return try nextField(in: &object)
        case .tagged:
            forgetTaggedObject()
            return try nextNonJSONField(in: &object)
        }
    }

    /// The next element of an array.
    @usableFromInline
    @inline(never)
    mutating func nextNonJSONElement(in array: inout ArrayScope) throws -> Bool {
        switch source {
        case .tree: return nextTreeElement()
        case .binaryPropertyList: return try nextBinaryElement()
        case .xmlPropertyList: return try nextXMLElement(in: &array)
        case .json, .row, .tagged:
            forgetTaggedObject()
            return try nextElement(in: &array)
        }
    }

    /// Whether there is a null, which is then read. An object whose type key was found is none.
    @usableFromInline
    @inline(never)
    mutating func readNonJSONNull() throws -> Bool {
        switch source {
        case .json, .row: try rowIsNull()
        case .binaryPropertyList: readBinaryNull()
        case .xmlPropertyList: readXMLNull()
        case .tree: readTreeNull()
        case .tagged: false
        }
    }

    /// A truth value.
    @usableFromInline
    @inline(never)
    mutating func readNonJSONBool() throws -> Bool {
        switch source {
        case .json, .row: try readRowBool()
        case .binaryPropertyList: try readBinaryBool()
        case .xmlPropertyList: try readXMLBool()
        case .tree: try readTreeBool()
        case .tagged: throw mismatch("Bool")
        }
    }

    /// A whole number. 128 bits hold every number that these sources have; the caller checks its
    /// own type.
    @usableFromInline
    @inline(never)
    mutating func readNonJSONInteger(_ type: Any.Type) throws -> Int128 {
        switch source {
        case .json, .row: Int128(try readRowInteger(type))
        case .binaryPropertyList: try readBinaryInteger(type)
        case .xmlPropertyList: try readXMLInteger(type)
        case .tree: try readTreeInteger(type)
        case .tagged: throw mismatch("\(type)")
        }
    }

    /// A floating point number.
    @usableFromInline
    @inline(never)
    mutating func readNonJSONDouble() throws -> Double {
        switch source {
        case .json, .row: try readRowDouble()
        case .binaryPropertyList: try readBinaryDouble()
        case .xmlPropertyList: try readXMLDouble()
        case .tree: try readTreeDouble()
        case .tagged: throw mismatch("Double")
        }
    }

    /// A decimal number. Property lists have no kind for it and hold a string.
    @inline(never)
    mutating func readNonJSONDecimal() throws -> Decimal {
        forgetTaggedObject()
        return switch source {
        case .json: try readDecimal()
        case .row: try readRowDecimal()
        case .binaryPropertyList: try readBinaryDecimal()
        case .xmlPropertyList: try readXMLDecimal()
        case .tree: try readTreeDecimal()
        case .tagged: throw mismatch("Decimal")
        }
    }

    /// A string.
    @usableFromInline
    @inline(never)
    mutating func readNonJSONString() throws -> String {
        switch source {
        case .json, .row: try readRowString()
        case .binaryPropertyList: try readBinaryString()
        case .xmlPropertyList: try readXMLString()
        case .tree: try readTreeString()
        case .tagged: throw mismatch("String")
        }
    }

    /// A date: one of the format's own, or ISO 8601 in a string.
    @inline(never)
    mutating func readNonJSONDate() throws -> Date {
        switch source {
        case .json, .row: try readRowDate()
        case .binaryPropertyList: try readBinaryDate()
        case .xmlPropertyList: try readXMLDate()
        case .tree: try readTreeDate()
        case .tagged: throw mismatch("Date")
        }
    }

    /// Bytes: the format's own data, or base64 in a string.
    @inline(never)
    mutating func readNonJSONData() throws -> Data {
        switch source {
        case .json, .row: try readRowData()
        case .binaryPropertyList: try readBinaryData()
        case .xmlPropertyList: try readXMLData()
        case .tree: try readTreeData()
        case .tagged: throw mismatch("Data")
        }
    }

    /// A string as a key. `$null` is null in a property list and no name.
    @inline(never)
    mutating func readNonJSONCaseName() throws -> CaseName {
        let start = cursor
        switch source {
        case .json, .row: return try readRowCaseName()
        case .binaryPropertyList:
            let name = try readBinaryName("String")
            if PropertyListNull.isNull(name.bytes) { throw nullMismatch("String") }
            return CaseName(key: name, start: start)
        case .xmlPropertyList: return CaseName(key: try readXMLName("String"), start: start)
        case .tree:
            guard let name = treeName() else { throw mismatch("String") }
            return CaseName(key: name, start: start)
        case .tagged: throw mismatch("String")
        }
    }

    /// Skips a value. Only XML has to be scanned for its end. The next column is asked for by its
    /// number, and the next member of a tree or a binary property list by its index.
    @inline(never)
    mutating func skipNonJSONValue() throws {
        forgetTaggedObject()
        if source == .json { try skipValue() }
        if source == .xmlPropertyList { try skipXMLValue() }
    }
}
