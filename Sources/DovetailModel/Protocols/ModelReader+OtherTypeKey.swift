// The names of types where there is no JSON.

extension ConformerNames {
    /// Reads the name under the cursor; an error about it is one about the object around it.
    @inline(never)
    func readOtherName(
        _ reader: inout ModelReader,
        objectAt start: UnsafePointer<UInt8>
    ) throws -> Unmanaged<Conformer> {
        if tagging.kind == .integer {
            guard reader.valueKind == .number else {
                throw reader.mismatch("the number of a type")
            }
            var digits = "\(try reader.readInteger(Int64.self))"
            return try digits.withUTF8 { bytes in
                let first = bytes.baseAddress ?? ReaderState.noBytes
                let key = FieldKey(start: first, count: bytes.count)
                return try conformer(named: key, &reader, at: start)
            }
        }
        if tagging.kind == .stringOrList, reader.valueKind == .array {
            return try readOtherNames(&reader, objectAt: start)
        }
        guard reader.valueKind == .string else {
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
            guard reader.valueKind == .string else {
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
