import Foundation

// Property lists as documents.

extension ModelReader {
    /// The value under the cursor of a property list. The recursion ends where no further level is
    /// entered, at ``ModelReader/maximumDepth``.
    ///
    /// - Complexity: linear in the value. Objects that are shared in a binary list are made once
    ///   for each place, up to the budget of ``BinaryPropertyListInput``.
    /// - Throws: ``ModelDecodingError`` for what is no value of the format.
    mutating func readPropertyListDocument() throws -> ModelDocument {
        if source == .tree { return try readTreeDocument() }
        if try readNonJSONNull() { return .null }
        switch valueKind {
        case .null: return .null
        case .bool: return .bool(try readNonJSONBool())
        case .number:
            let number =
                source == .binaryPropertyList
                ? try readBinaryDocumentNumber() : try readXMLDocumentNumber()
            return ModelDocument(.number(number))
        case .string: return .string(try readNonJSONString())
        case .date: return .date(try readNonJSONDate())
        case .data: return .data(try readNonJSONData())
        case .array:
            var values: [ModelDocument] = []
            var array = try beginArray()
            while try nextElement(in: &array) { values.append(try readPropertyListDocument()) }
            return ModelDocument(.array(DocumentNode(values: values)))
        case .object:
            var names = MemberNames()
            var values: [ModelDocument] = []
            var object = try beginObject()
            while let key = try nextDocumentField(in: &object) {
                state.append(key, to: &names)
                values.append(try readPropertyListDocument())
            }
            return ModelDocument(.object(DocumentNode(keys: state.all(names), values: values)))
        case .reference:
            return .object([
                .init(key: PropertyListReference.key, value: .integer(try readBinaryReference()))
            ])
        case .none: throw mismatch("a value")
        }
    }

    /// The number under the cursor of a binary property list, of the kind it has there: an integer
    /// of up to 128 bits, or a double.
    mutating func readBinaryDocumentNumber() throws -> DocumentNumber {
        switch cursor.pointee & 0xF0 {
        case BinaryPropertyListMarker.real: return .double(try readBinaryDouble())
        case BinaryPropertyListMarker.integer:
            let value = try readBinaryInteger(Int.self)
            return Int64(exactly: value).map { .integer($0) } ?? .text("\(value)")
        default: throw mismatch("a value")
        }
    }

    /// Whether an object is under the cursor of a source other than JSON. In a property list it may
    /// be the dictionary that `PropertyListEncoder` makes of a value that is text here (`URL`).
    var isAtCodableObject: Bool {
        source != .json && valueKind == .object
    }
}

extension ModelWriter {
    /// Writes a number of a document: whole ones as integers, others as reals.
    ///
    /// A number goes to the narrowest form that holds all of its digits, so that what is read back
    /// is equal. A whole number that no `Int128` holds is tried as a double.
    ///
    /// - Throws: ``ModelEncodingError`` for one that neither can hold.
    mutating func writePropertyListNumber(_ number: DocumentNumber) throws {
        switch number {
        case .integer(let value): return try writeNonJSON(Int128(value))
        case .double(let value): return try writeNonJSON(value)
        case .decimal, .text: break
        }
        let text = number.text
        if number.kind != .double, let value = Int128(text) { return try writeNonJSON(value) }
        if let value = Double(text), value.isFinite, DocumentNumber.double(value) == number {
            return try writeNonJSON(value)
        }
        throw ModelEncodingError(
            kind: .notRepresentable,
            explanation: "property lists have no form for a number of "
                + "\(text.utf8.count) digits that is not equal to a double"
        )
    }

    /// Writes an object that is more than its members: the reference of an archive of
    /// `NSKeyedArchiver`, which documents have as an object with the one member `CF$UID`. XML
    /// property lists spell it that way themselves.
    ///
    /// - Returns: whether it was one and is written; any other object is left to the caller.
    /// - Throws: ``ModelEncodingError`` for an object that repeats a key.
    mutating func writeArchiveReference(_ node: DocumentNode) throws -> Bool {
        if destination == .binaryPropertyList, node.keys.count == 1,
            node.keys.first == PropertyListReference.key,
            let value = node.values.first?.intValue, let reference = UInt32(exactly: value)
        {
            binary?.pointee.append(reference: reference)
            return true
        }
        guard !node.hasRepeatedKey else {
            throw ModelEncodingError(
                kind: .notRepresentable,
                explanation: "property lists have no form for an object that repeats a key"
            )
        }
        return false
    }
}

extension DocumentNode {
    /// Whether an object has two members of one name. Few names are compared pairwise, which costs
    /// no memory; many go into a set.
    fileprivate var hasRepeatedKey: Bool {
        guard keys.count > 1 else { return false }
        if keys.count <= 8 {
            for index in keys.indices {
                for other in keys[..<index] where ExactText.areSame(other, keys[index]) {
                    return true
                }
            }
            return false
        }
        var seen = Set<ExactText>(minimumCapacity: keys.count)
        return keys.contains { !seen.insert(ExactText($0)).inserted }
    }
}
