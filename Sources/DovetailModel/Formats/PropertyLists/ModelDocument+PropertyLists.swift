import Foundation

extension ModelReader {
    /// The value under the cursor of a property list. The recursion ends where no further level is
    /// entered.
    mutating func readOtherDocument() throws -> ModelDocument {
        if try readOtherNull() { return .null }
        switch valueKind {
        case .null: return .null
        case .bool: return .bool(try readOtherBool())
        case .number:
            let number =
                source == .binaryPropertyList
                ? try readBinaryDocumentNumber() : try readXMLDocumentNumber()
            return ModelDocument(.number(number))
        case .string: return .string(try readOtherString())
        case .date: return .date(try readOtherDate())
        case .data: return .data(try readOtherData())
        case .array:
            var values: [ModelDocument] = []
            var array = try beginArray()
            while try nextElement(in: &array) { values.append(try readOtherDocument()) }
            return ModelDocument(.array(DocumentNode(values: values)))
        case .object:
            var keys: [String] = []
            var values: [ModelDocument] = []
            var object = try beginObject()
            while let key = try nextDocumentField(in: &object) {
                keys.append(key.text)
                values.append(try readOtherDocument())
            }
            return ModelDocument(.object(DocumentNode(keys: keys, values: values)))
        case .reference:
            return .object([
                .init(key: PropertyListReference.key, value: .integer(try readBinaryReference()))
            ])
        case .none: throw mismatch("a value")
        }
    }

    /// The number under the cursor of a binary property list, of the kind it has there.
    mutating func readBinaryDocumentNumber() throws -> DocumentNumber {
        switch cursor.pointee & 0xF0 {
        case BinaryPropertyListMarker.real: return .double(try readBinaryDouble())
        case BinaryPropertyListMarker.integer:
            let value = try readBinaryInteger(Int.self)
            return Int64(exactly: value).map { .integer($0) } ?? .text("\(value)")
        default: throw mismatch("a value")
        }
    }

    /// Whether a dictionary of a property list is under the cursor, which may be what
    /// `PropertyListEncoder` makes of a value that is text here.
    var isAtCodableObject: Bool {
        source != .json && valueKind == .object
    }

    /// Reads a plain `Decodable` value from a property list.
    ///
    /// `PropertyListDecoder` gets the value as a document of its own, as the one element of an
    /// array, because it takes no scalars at the root.
    mutating func readPropertyListCodable<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let start = cursor
        let document = try readOtherDocument()
        do {
            let data = try ModelDocument.array([document]).encoded(as: .binaryPlist)
            let values = try PropertyListDecoder().decode([Value].self, from: data)
            guard let value = values.first else { throw mismatch("\(type)") }
            return value
        } catch let failure as DecodingError {
            throw error(for: failure, of: type, at: start, pathStart: 1)
        } catch {
            throw rejection(of: type, error, at: start)
        }
    }
}

extension ModelWriter {
    /// Writes a plain `Encodable` value into a property list.
    mutating func writePropertyListCodable<Value: Encodable>(_ value: Value) throws {
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .binary
        let document: ModelDocument
        do {
            let data = try encoder.encode([value])
            let array = try ModelDocument(decoding: data, as: .binaryPlist)
            // Sorted, so that equal values give equal documents.
            document = (array.arrayValue?.first ?? .null).withSortedMembers()
        } catch {
            throw Self.refusal(of: Value.self, error)
        }
        try document.encode(to: &self)
    }

    /// Writes a number of a document: whole ones as integers, others as reals.
    ///
    /// - Throws: ``ModelEncodingError`` for one that neither can hold.
    mutating func writePropertyListNumber(_ number: DocumentNumber) throws {
        switch number {
        case .integer(let value): return try writeOther(Int128(value))
        case .double(let value): return try writeOther(value)
        case .decimal, .text: break
        }
        let text = number.text
        if number.kind != .double, let value = Int128(text) { return try writeOther(value) }
        if let value = Double(text), value.isFinite, DocumentNumber.double(value) == number {
            return try writeOther(value)
        }
        throw ModelEncodingError(
            reason: .notRepresentable,
            explanation: "property lists have no form for a number of "
                + "\(text.utf8.count) digits that is not equal to a double"
        )
    }

    /// Writes an object that is more than its members: an archive's reference.
    ///
    /// - Throws: ``ModelEncodingError`` for an object that repeats a key.
    mutating func writeUnusual(_ node: DocumentNode) throws -> Bool {
        if destination == .binaryPropertyList, node.keys.count == 1,
            node.keys.first == PropertyListReference.key,
            let value = node.values.first?.intValue, let reference = UInt32(exactly: value)
        {
            binary?.pointee.append(reference: reference)
            return true
        }
        guard !node.hasRepeatedKey else {
            throw ModelEncodingError(
                reason: .notRepresentable,
                explanation: "property lists have no form for an object that repeats a key"
            )
        }
        return false
    }
}

extension DocumentNode {
    /// Whether an object has two members of one name.
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
