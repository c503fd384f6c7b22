import Foundation

// How documents are read from bytes and columns and written to them. In memory a document is taken
// as it is: ModelReader+Tree.swift and TreeOutput.swift.

extension ModelDocument: ModelValue {
    /// Embedded as JSON, also when it is a string or a number.
    public static var columnType: ColumnType { .document }

    /// Null is a document.
    @inlinable
    public static var readsNull: Bool { true }

    /// Reads any value. A NULL in a column is null.
    ///
    /// ```swift
    /// let document = try ModelDocument(decoding: Data(#"{"id": 1, "tags": []}"#.utf8), as: .json)
    /// ```
    ///
    /// - Complexity: linear in the size of the value.
    /// - Throws: ``ModelDecodingError`` for what is no value of the format, or nested deeper than
    ///   ``ModelReader/maximumDepth``.
    public init(modelValue reader: inout ModelReader) throws {
        if reader.isRow {
            if try reader.rowIsNull() {
                self = .null
                return
            }
            try reader.enterColumnDocument()
        }
        self = try reader.readDocument()
    }

    /// Writes the value: members in their order, numbers with the text they were read with.
    ///
    /// ```swift
    /// let json = try document.encoded(as: .json)
    /// let list = try document.encoded(as: .binaryPlist)
    /// ```
    ///
    /// - Complexity: linear in the size of the value.
    /// - Throws: ``ModelEncodingError`` for trees nested deeper than ``ModelReader/maximumDepth``
    ///   and for what the format lacks: JSON has no NaN, no infinities and no dates outside of the
    ///   years 0 to 9999; Documentation/Formats.md says what property lists lack.
    public func encode(to writer: inout ModelWriter) throws {
        guard writer.isRow else { return try write(to: &writer) }
        writer.enterColumnDocument()
        try write(to: &writer)
        try writer.leaveColumnDocument()
    }

    /// Writes to any destination but a row. Into a tree the value goes as it is, shared.
    ///
    /// The recursion ends where the writer refuses to open another level.
    private func write(to writer: inout ModelWriter) throws {
        if let tree = writer.tree {
            guard fits(within: writer.remainingDepth) else { throw writer.tooDeep() }
            return tree.pointee.append(self)
        }
        switch storage {
        case .null: try writer.writeNull()
        case .bool(let value): try writer.write(value)
        case .number(let number) where writer.destination != .json:
            try writer.writePropertyListNumber(number)
        case .number(.integer(let value)): try writer.write(value)
        case .number(.double(let value)): try writer.write(value)
        case .number(.decimal(let value)): try writer.write(value)
        case .number(.text(var text)): text.withUTF8 { writer.append($0) }
        case .string(let value): try writer.write(value)
        case .date(let value): try writer.write(value)
        case .data(let value): try writer.write(value)
        case .array(let node):
            let scope = try writer.beginArray()
            for value in node.values {
                try value.write(to: &writer)
                writer.putComma()
            }
            try writer.endArray(scope)
        case .object(let node):
            if writer.destination != .json, try writer.writeArchiveReference(node) { return }
            let scope = try writer.beginObject()
            for (key, value) in zip(node.keys, node.values) {
                var key = key
                try key.withUTF8 { try writer.beginField(named: $0) }
                try value.write(to: &writer)
                writer.putComma()
            }
            try writer.endObject(scope)
        }
    }
}

extension ModelReader {
    /// The value under the cursor of any source but a row. The first byte of JSON tells the kind.
    /// The recursion ends where no further level is entered.
    mutating func readDocument() throws -> ModelDocument {
        forgetTaggedObject()
        if source != .json { return try readPropertyListDocument() }
        switch byte {
        case 0x22: return .string(try readString())
        case 0x7B:
            var names = MemberNames()
            var values: [ModelDocument] = []
            var object = try beginObject()
            while let key = try nextMember(in: &object) {
                if values.isEmpty { values.reserveCapacity(Self.usualMembers) }
                state.append(key, to: &names)
                values.append(try readDocument())
            }
            return ModelDocument(.object(DocumentNode(keys: state.all(names), values: values)))
        case 0x5B:
            var values: [ModelDocument] = []
            var array = try beginArray()
            while try nextElement(in: &array) { values.append(try readDocument()) }
            return ModelDocument(.array(DocumentNode(values: values)))
        case 0x74, 0x66: return .bool(try readBool())
        case 0x6E:
            _ = try readNull()
            return .null
        default: return ModelDocument(.number(try readNumber()))
        }
    }

    /// Room for this many members is made with the first one: an empty object takes no memory.
    private static var usualMembers: Int { 4 }

    /// A whole number of up to 18 digits without anything that its text would have to keep; nil
    /// without moving for any other. 18 digits fit into `Int64` without a check.
    private mutating func readPlainInteger() -> Int64? {
        let isNegative = byte == 0x2D
        let start = isNegative ? cursor + 1 : cursor
        var position = start
        var value: Int64 = 0
        while position - start < 18, 0x30...0x39 ~= byte(at: position) {
            value = value &* 10 &+ Int64(byte(at: position) &- 0x30)
            position += 1
        }
        let next = byte(at: position)
        // A leading zero is an error or is `-0`, and all of these say more than a whole number.
        let isPlain =
            position > start && !(0x30...0x39 ~= next) && next != 0x2E && next | 0x20 != 0x65
            && (byte(at: start) != 0x30 || (position - start == 1 && !isNegative))
        guard isPlain else { return nil }
        cursor = position
        return isNegative ? -value : value
    }

    /// A number, as `Int64` when that gives back the same text, otherwise as the text.
    private mutating func readNumber() throws -> DocumentNumber {
        if let value = readPlainInteger() { return .integer(value) }
        let number = try scanNumber("a value")
        cursor = number.end
        let text = String(decoding: bytes(from: number.start, to: number.end), as: UTF8.self)
        if number.mantissaEnd == number.end, number.fractionDigits == 0, text != "-0",
            let value = Int64(text)
        {
            return .integer(value)
        }
        return .text(text)
    }
}

extension ReaderState {
    /// Adds the name of a member of a document that is read.
    @inline(__always)
    func append(_ key: FieldKey, to names: inout MemberNames) {
        if memberNames == nil { memberNames = SharedNames() }
        memberNames?.append(key, to: &names)
    }

    /// The names of an object of a document that is read.
    func all(_ names: MemberNames) -> [String] { memberNames?.all(of: names) ?? [] }
}

extension ModelDocument: CustomStringConvertible {
    /// The document as compact JSON; why there is none, where it cannot be written as JSON.
    ///
    /// - Complexity: linear. It prints all values: keep it out of logs that must not have them.
    public var description: String {
        do {
            return String(decoding: try encoded(as: .json), as: UTF8.self)
        } catch {
            return "<\(kind): \(error)>"
        }
    }
}
