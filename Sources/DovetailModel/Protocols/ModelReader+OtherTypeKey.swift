// How the type of `any P` is found where there is no JSON. An object is entered twice: to find the
// type key, and by the conformer, from its start. In a binary property list entering is free, in an
// XML one the fields up to the type key are gone over again.

extension ConformerNames {
    /// Finds the conformer that the type key of the object under the cursor names; nil for the JSON
    /// in a column, whose object the cursor then stands on.
    @inline(never)
    func readOtherTypeKey(_ reader: inout ModelReader) throws -> Unmanaged<Conformer>? {
        if reader.isRow {
            try reader.enterColumnDocument()
            return nil
        }
        let start = reader.cursor
        var object = try reader.beginObject()
        while let key = try reader.nextDocumentField(in: &object) {
            guard isTypeKey(key) else {
                try reader.skipValue()
                continue
            }
            let value = reader.cursor
            let found = try readName(&reader, objectAt: start)
            reader.remainingDepth += 1
            reader.cursor = start
            // What is no object says so itself.
            guard found._withUnsafeGuaranteedRef({ $0.isDocument }) else { return found }
            object.tag = ObjectTag(conformer: found, value: value)
            reader.state.entered = object
            reader.state.enteredAt = start
            return found
        }
        reader.cursor = start
        throw reader.missingType(of: name, key: tagging.typeKey)
    }

    /// Reads the name under the cursor; an error about it is one about the object around it.
    @inline(never)
    func readOtherName(
        _ reader: inout ModelReader,
        objectAt start: UnsafePointer<UInt8>
    ) throws -> Unmanaged<Conformer> {
        if tagging.kind == .boolean { return try readBoolean(&reader, objectAt: start) }
        if tagging.kind == .integer {
            guard reader.propertyListKind == .number else {
                throw reader.mismatch("the number of a type")
            }
            var digits = "\(try reader.readInteger(Int64.self))"
            return try digits.withUTF8 { bytes in
                let first = bytes.baseAddress ?? ReaderState.noBytes
                let key = FieldKey(start: first, count: bytes.count)
                return try conformer(named: key, &reader, at: start)
            }
        }
        if tagging.kind == .stringOrList, reader.propertyListKind == .array {
            return try readOtherNames(&reader, objectAt: start)
        }
        guard reader.propertyListKind == .string else {
            throw reader.mismatch("the name of a type")
        }
        return try conformer(named: reader.readCaseName().key, &reader, at: start)
    }

    /// The first name of a list that a conformer has.
    private func readOtherNames(
        _ reader: inout ModelReader,
        objectAt start: UnsafePointer<UInt8>
    ) throws -> Unmanaged<Conformer> {
        var found: Unmanaged<Conformer>?
        var unknown: String?
        var array = try reader.beginArray()
        while try reader.nextElement(in: &array) {
            guard reader.propertyListKind == .string else {
                throw reader.mismatch("the name of a type")
            }
            let key = try reader.readCaseName().key
            if found != nil { continue }
            found = lookUp(key)
            if found == nil, isClaimedTwice(key) {
                return try conformer(named: key, &reader, at: start)
            }
            unknown = unknown ?? key.text
        }
        if let found { return found }
        reader.cursor = start
        guard let unknown else { throw reader.missingType(of: name, key: tagging.typeKey) }
        throw reader.unknownType(unknown, of: name, known: known)
    }
}
