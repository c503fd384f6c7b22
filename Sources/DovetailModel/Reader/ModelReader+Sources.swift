import Foundation

// What the primitives do when values do not come from JSON. None of this is inlined, so that JSON
// pays for it with one comparison a primitive. The case of JSON is never reached.

extension ModelReader {
    /// Enters the object under the cursor unless it is one of JSON; false then, and the cursor
    /// stands on its brace.
    @usableFromInline
    @inline(never)
    mutating func enterOtherObject(_ object: inout ObjectScope) throws -> Bool {
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
        case .binaryPropertyList: try enterBinaryObject()
        case .xmlPropertyList: try enterXMLContainer(.dict, "object")
        case .tree: try enterTreeObject()
        }
        object.kind = .other
        // An object whose type key was looked for is entered again from its start.
        if state.enteredAt == object.start, let entered = state.entered {
            state.enteredAt = nil
            object.tag = entered.tag
        }
        return true
    }

    /// Enters the array under the cursor unless it is one of JSON; false then.
    @usableFromInline
    @inline(never)
    mutating func enterOtherArray() throws -> Bool {
        switch source {
        case .json: return false
        case .row:
            try enterColumnDocument()
            return false
        case .binaryPropertyList: try enterBinaryArray()
        case .xmlPropertyList: try enterXMLContainer(.array, "array")
        case .tree: try enterTreeArray()
        }
        return true
    }

    @usableFromInline
    @inline(never)
    mutating func nextOtherField(in object: inout ObjectScope) throws -> FieldKey? {
        switch source {
        case .tree: try nextTreeKey()
        case .binaryPropertyList: try nextBinaryKey()
        default: try nextXMLKey(in: &object)
        }
    }

    @usableFromInline
    @inline(never)
    mutating func nextOtherElement(in array: inout ArrayScope) throws -> Bool {
        switch source {
        case .tree: try nextTreeElement()
        case .binaryPropertyList: try nextBinaryElement()
        default: try nextXMLElement(in: &array)
        }
    }

    @usableFromInline
    @inline(never)
    mutating func readOtherNull() throws -> Bool {
        switch source {
        case .json, .row: try rowIsNull()
        case .binaryPropertyList: readBinaryNull()
        case .xmlPropertyList: readXMLNull()
        case .tree: readTreeNull()
        }
    }

    @usableFromInline
    @inline(never)
    mutating func readOtherBool() throws -> Bool {
        switch source {
        case .json, .row: try readRowBool()
        case .binaryPropertyList: try readBinaryBool()
        case .xmlPropertyList: try readXMLBool()
        case .tree: try readTreeBool()
        }
    }

    @usableFromInline
    @inline(never)
    mutating func readOtherInteger(_ type: Any.Type) throws -> Int128 {
        switch source {
        case .json, .row: Int128(try readRowInteger(type))
        case .binaryPropertyList: try readBinaryInteger(type)
        case .xmlPropertyList: try readXMLInteger(type)
        case .tree: try readTreeInteger(type)
        }
    }

    @usableFromInline
    @inline(never)
    mutating func readOtherDouble() throws -> Double {
        switch source {
        case .json, .row: try readRowDouble()
        case .binaryPropertyList: try readBinaryDouble()
        case .xmlPropertyList: try readXMLDouble()
        case .tree: try readTreeDouble()
        }
    }

    @inline(never)
    mutating func readOtherDecimal() throws -> Decimal {
        switch source {
        case .json, .row: try readRowDecimal()
        case .binaryPropertyList: try readBinaryDecimal()
        case .xmlPropertyList: try readXMLDecimal()
        case .tree: try readTreeDecimal()
        }
    }

    @usableFromInline
    @inline(never)
    mutating func readOtherString() throws -> String {
        switch source {
        case .json, .row: try readRowString()
        case .binaryPropertyList: try readBinaryString()
        case .xmlPropertyList: try readXMLString()
        case .tree: try readTreeString()
        }
    }

    @inline(never)
    mutating func readOtherDate() throws -> Date {
        switch source {
        case .json, .row: try readRowDate()
        case .binaryPropertyList: try readBinaryDate()
        case .xmlPropertyList: try readXMLDate()
        case .tree: try readTreeDate()
        }
    }

    @inline(never)
    mutating func readOtherData() throws -> Data {
        switch source {
        case .json, .row: try readRowData()
        case .binaryPropertyList: try readBinaryData()
        case .xmlPropertyList: try readXMLData()
        case .tree: try readTreeData()
        }
    }

    @inline(never)
    mutating func readOtherCaseName() throws -> CaseName {
        let start = cursor
        switch source {
        case .json, .row: return try readRowCaseName()
        case .binaryPropertyList:
            return CaseName(key: try readBinaryName("String"), start: start)
        case .xmlPropertyList: return CaseName(key: try readXMLName("String"), start: start)
        case .tree: return CaseName(key: try readTreeName("String"), start: start)
        }
    }

    /// A column is passed over by asking for the next one, and what nobody asks for in a binary
    /// property list is not looked at.
    @inline(never)
    mutating func skipOtherValue() throws {
        if source == .xmlPropertyList { try skipXMLValue() }
    }
}
