import Foundation

// The slow path of every primitive: values that do not go to JSON. A primitive compares its
// destination with JSON once and calls the function of the same name here, so that JSON pays one
// comparison for all other destinations. None of this is inlined into generated code.
//
// Each function is one `switch` over the destinations. The case of JSON is never reached, since the
// primitive has handled it; it shares a branch with the rows.

extension ModelWriter {
    /// Opens an object. False when it turns out to be JSON, as the document of a column is; the
    /// caller then goes on as for JSON. `kind` says what closing has to do.
    @usableFromInline
    @inline(never)
    mutating func beginNonJSONObject(_ kind: inout WriterScope.Kind) throws -> Bool {
        if isRow, column < 0 {
            kind = .row
            return true
        }
        guard try beginContainer(isObject: true, &kind) else { return false }
        if hasTag { try writeNonJSONTag() }
        return true
    }

    /// Opens an array; false when it turns out to be JSON, as for objects.
    @usableFromInline
    @inline(never)
    mutating func beginNonJSONArray(_ kind: inout WriterScope.Kind) throws -> Bool {
        try beginContainer(isObject: false, &kind)
    }

    /// Closes an object. The document of a column goes to the row now.
    @usableFromInline
    @inline(never)
    mutating func endNonJSONObject(_ scope: WriterScope) throws {
        try endContainer(scope, isObject: true)
    }

    /// Closes an array. The document of a column goes to the row now.
    @usableFromInline
    @inline(never)
    mutating func endNonJSONArray(_ scope: WriterScope) throws {
        try endContainer(scope, isObject: false)
    }

    /// Opens the document of a column, which is JSON and false, or a container of another format.
    private mutating func beginContainer(
        isObject: Bool,
        _ kind: inout WriterScope.Kind
    ) throws -> Bool {
        switch destination {
        case .json: return false
        case .row:
            enterColumnDocument()
            kind = .column
            return false
        case .binaryPropertyList, .xmlPropertyList, .tree:
            try beginContainer(isObject: isObject)
            kind = .nonJSON
            return true
        }
    }

    private mutating func endContainer(_ scope: WriterScope, isObject: Bool) throws {
        switch scope.kind {
        case .column:
            close(isObject ? 0x7D : 0x5D)
            try leaveColumnDocument()
        case .nonJSON: endContainer(isObject: isObject)
        case .row, .document: break
        }
    }

    /// Opens a container of a format that is not JSON.
    private mutating func beginContainer(isObject: Bool) throws {
        if destination == .xmlPropertyList {
            beginXMLContainer(isObject ? "<dict>\n" : "<array>\n")
        }
        try descend()
        binary?.pointee.begin()
        tree?.pointee.begin()
    }

    /// Closes it.
    private mutating func endContainer(isObject: Bool) {
        if destination == .xmlPropertyList {
            return isObject
                ? endXMLContainer("<dict>\n", "</dict>\n", "<dict/>\n")
                : endXMLContainer("<array>\n", "</array>\n", "<array/>\n")
        }
        binary?.pointee.end(isObject: isObject)
        tree?.pointee.end(isObject: isObject)
        remainingDepth += 1
    }

    /// Opens an object around attributes. A row has none: its columns lie side by side.
    @usableFromInline
    @inline(never)
    mutating func beginNonJSONObjectField(_ name: StaticString) throws -> ObjectFieldScope {
        if isRow { return ObjectFieldScope(start: 0, content: 0) }
        let start = elementPosition
        beginNonJSONField(name)
        try beginContainer(isObject: true)
        return ObjectFieldScope(start: start, content: elementPosition)
    }

    /// Closes the object, or removes the field when the object is empty.
    @usableFromInline
    @inline(never)
    mutating func endNonJSONObjectField(_ scope: ObjectFieldScope) {
        if isRow { return }
        guard elementPosition == scope.content else { return endContainer(isObject: true) }
        if destination == .xmlPropertyList { count = scope.start }
        binary?.pointee.discardField(to: scope.start)
        tree?.pointee.discardField()
        remainingDepth += 1
    }

    /// How much was written, in the unit that `sortElements(from:)` takes: bytes, objects or
    /// values.
    var elementPosition: Int {
        switch destination {
        case .binaryPropertyList: binary?.pointee.pending.count ?? 0
        case .tree: tree?.pointee.elementCount ?? 0
        case .json, .row, .xmlPropertyList: count
        }
    }

    /// Starts a field: a name in a document, the next column in a row.
    @usableFromInline
    @inline(never)
    mutating func beginNonJSONField(_ name: StaticString) {
        switch destination {
        case .json: break
        case .row: column += 1
        case .binaryPropertyList: binary?.pointee.appendKey(token: name)
        case .xmlPropertyList: appendXMLKey(token: name)
        case .tree: tree?.pointee.appendKey(token: name)
        }
    }

    /// Starts a field whose name is only known at run time, such as a key of a dictionary. Escapes
    /// are made where the format needs them.
    mutating func beginField(named name: UnsafeBufferPointer<UInt8>) throws {
        switch destination {
        case .json, .row:
            appendQuoted(name)
            append(0x3A)
        case .binaryPropertyList: binary?.pointee.appendKey(name)
        case .xmlPropertyList: try appendXMLKey(name)
        case .tree: tree?.pointee.appendKey(name)
        }
    }

    /// Passes over a field without a value. A row counts its columns, so it gets NULL.
    @usableFromInline
    @inline(never)
    mutating func omitNonJSONField() throws {
        guard destination == .row else { return }
        column += 1
        try writeNonJSONNull()
    }

    /// Writes the type key that the object starts with, which was just opened.
    private mutating func writeNonJSONTag() throws {
        hasTag = false
        guard let tag else { return }
        let conformer = tag.takeUnretainedValue()
        for tag in conformer.outer {
            try beginField(named: tag.key.bytes)
            try writeNonJSONName(tag.name.description, tag.kind)
        }
        if let binary, conformer.path.isEmpty { return binary.pointee.appendTag(tag) }
        try beginField(named: conformer.typeKey.bytes)
        var scopes: [WriterScope] = []
        for name in conformer.path {
            scopes.append(try beginObject())
            try beginField(named: name.bytes)
        }
        try writeName(of: conformer)
        for scope in scopes.reversed() { try endObject(scope) }
    }

    /// Writes the name of a type as a value: a string, a number or a truth value, as its protocol
    /// says.
    private mutating func writeName(of conformer: Conformer) throws {
        if let binary { return binary.pointee.appendName(of: conformer) }
        let name = conformer.names.first ?? ""
        if conformer.isNumber, let number = Int128(name) { return try writeNonJSON(number) }
        if conformer.isBoolean { return try writeNonJSON(name == "true") }
        if conformer.isFraction, let number = Double(name) { return try writeNonJSON(number) }
        try writeNonJSON(name)
    }

    /// Writes what comes before a value with adjacent or external tagging.
    mutating func writeNonJSONContentTag(of conformer: Conformer) throws {
        switch conformer.form {
        case .internal, .untagged: break
        case .adjacent:
            try beginField(named: conformer.typeKey.bytes)
            try writeName(of: conformer)
            try beginField(named: conformer.content.bytes)
        case .external:
            var name = conformer.names.first ?? ""
            try name.withUTF8 { try beginField(named: $0) }
        }
    }

    /// A null. Property lists have none and get a string.
    @usableFromInline
    @inline(never)
    mutating func writeNonJSONNull() throws {
        switch destination {
        case .json, .row: try row?.setNull(column)
        case .binaryPropertyList: binary?.pointee.appendNull()
        case .xmlPropertyList: writeXMLNull()
        case .tree: tree?.pointee.append(.null)
        }
    }

    /// A string. Property lists refuse the one that means null there.
    @usableFromInline
    @inline(never)
    mutating func writeNonJSON(_ value: String) throws {
        if isRow { return try setRow(value) }
        if let tree { return tree.pointee.append(.string(value)) }
        try ModelWriter.withBytes(of: value) { bytes in
            if PropertyListNull.isNull(bytes) {
                throw ModelEncodingError(
                    kind: .notRepresentable,
                    explanation: "the string \"$null\" stands for null in property lists"
                )
            }
            if destination == .binaryPropertyList {
                binary?.pointee.append(bytes)
            } else {
                try writeXML(string: bytes)
            }
        }
    }

    /// Runs `body` with the bytes of a string, without a reference count where they are contiguous.
    @inline(__always)
    private static func withBytes(
        of value: String,
        _ body: (UnsafeBufferPointer<UInt8>) throws -> Void
    ) throws {
        if try value.utf8.withContiguousStorageIfAvailable(body) != nil { return }
        var value = value
        try value.withUTF8(body)
    }

    /// A truth value.
    @usableFromInline
    @inline(never)
    mutating func writeNonJSON(_ value: Bool) throws {
        switch destination {
        case .json, .row: try row?.set(column, bool: value)
        case .binaryPropertyList: binary?.pointee.append(value)
        case .xmlPropertyList: writeXML(value)
        case .tree: tree?.pointee.append(.bool(value))
        }
    }

    /// A whole number of at most 64 bits: one function for all integer types.
    @usableFromInline
    @inline(never)
    mutating func writeNonJSON(bits: UInt64, isSigned: Bool) throws {
        // Most whole numbers of rows go past the wide type.
        if isRow, isSigned { return try row?.set(column, integer: Int64(bitPattern: bits)) ?? () }
        try writeNonJSON(isSigned ? Int128(Int64(bitPattern: bits)) : Int128(bits))
    }

    /// A whole number. SQL has no unsigned 64 bits, so a row refuses what is above `Int64.max`.
    mutating func writeNonJSON(_ value: Int128) throws {
        switch destination {
        case .json, .row:
            guard let integer = Int64(exactly: value) else {
                throw ModelEncodingError(
                    kind: .notRepresentable,
                    explanation: "a whole number above Int64.max does not fit into a column"
                )
            }
            try row?.set(column, integer: integer)
        case .binaryPropertyList: binary?.pointee.append(integer: value)
        case .xmlPropertyList: writeXML(integer: value)
        case .tree: tree?.pointee.append(.integer(value))
        }
    }

    /// A floating point number. SQLite would store NaN as NULL, so a row refuses it.
    @usableFromInline
    @inline(never)
    mutating func writeNonJSON(_ value: Double) throws {
        switch destination {
        case .json, .row:
            guard !value.isNaN else {
                throw ModelEncodingError(
                    kind: .notRepresentable,
                    explanation: "NaN has no form in a column"
                )
            }
            try row?.set(column, double: value)
        case .binaryPropertyList: binary?.pointee.append(real: value)
        case .xmlPropertyList: try writeXML(real: value)
        case .tree: tree?.pointee.append(.double(value))
        }
    }

    /// A decimal number. Property lists get a string, so that no digit is lost.
    @inline(never)
    mutating func writeNonJSON(_ value: Decimal) throws {
        switch destination {
        case .json, .row: try row?.set(column, decimal: value)
        case .binaryPropertyList, .xmlPropertyList: try writeNonJSON(value.description)
        case .tree: tree?.pointee.append(.decimal(value))
        }
    }

    /// A date, as the destination's own kind. XML keeps whole seconds and a fraction beside them.
    @inline(never)
    mutating func writeNonJSON(_ value: Date) throws {
        switch destination {
        case .json, .row: try row?.set(column, date: roundsDates ? value.inMicroseconds : value)
        case .binaryPropertyList, .tree:
            guard value.timeIntervalSinceReferenceDate.isFinite else {
                throw ModelEncodingError(
                    kind: .notRepresentable,
                    explanation: "a date that is no finite number of seconds has no form"
                )
            }
            binary?.pointee.append(value)
            tree?.pointee.append(.date(value))
        case .xmlPropertyList: try writeXML(value)
        }
    }

    /// Bytes, as the destination's own kind.
    @inline(never)
    mutating func writeNonJSON(_ value: Data) throws {
        switch destination {
        case .json, .row: try value.withUnsafeBytes { try row?.set(column, data: $0) }
        case .binaryPropertyList: binary?.pointee.append(value)
        case .xmlPropertyList: writeXML(value)
        case .tree: tree?.pointee.append(.data(value))
        }
    }

    /// A `Float`, which has four bytes in a binary property list and is a `Double` elsewhere. In a document in memory
    /// that is the one which its text in JSON means.
    @inline(never)
    mutating func writeNonJSON(_ value: Float) throws {
        if let binary { return binary.pointee.append(value) }
        if destination == .tree, let read = Double("\(value)"), Float(read) == value {
            return try writeNonJSON(read)
        }
        try writeNonJSON(Double(value))
    }
}

extension StaticString {
    /// The bytes of its text; valid forever, since the text is part of the program.
    var bytes: UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: utf8Start, count: utf8CodeUnitCount)
    }
}
