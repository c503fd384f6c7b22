// Type keys of several levels, and those that are a path.

extension ConformerIndex {
    /// The conformer that reads an object in which `found` was found. Where that is a level and the key of
    /// that follows at once, it is the type which this one names, also through several levels, so that no
    /// value is made as one of the level first. Where it does not, the level looks for it in an object that
    /// is as if nobody had looked into it.
    @inline(__always)
    func leaf(
        below found: Unmanaged<Conformer>,
        _ reader: inout ModelReader
    ) -> Unmanaged<Conformer> {
        if found._withUnsafeGuaranteedRef({ $0.level == nil }) { return found }
        return leafOfLevel(found, &reader)
    }

    @inline(never)
    private func leafOfLevel(
        _ first: Unmanaged<Conformer>,
        _ reader: inout ModelReader
    ) -> Unmanaged<Conformer> {
        var found = first
        while let level = found._withUnsafeGuaranteedRef({ $0.level }),
            let next = level.nextTypeKey(&reader)
        {
            found = next
        }
        // Each type below a level has a conformer of this protocol, too.
        let (type, isLevel) = found._withUnsafeGuaranteedRef { ($0.type, $0.level != nil) }
        if !isLevel, let own = try? conformer(of: type) { return own }
        reader.forgetTaggedObject()
        return first
    }

    /// The conformer of an object in which the level above has found its key, if the key of this one
    /// follows it at once; the reader stays where it is.
    private func nextTypeKey(_ reader: inout ModelReader) -> Unmanaged<Conformer>? {
        guard isInternal, let tagStart, reader.source == .tagged, let above = reader.state.tagged,
            above.source == .json, above.object.isFirst == false
        else { return nil }
        var name = reader.endOfWhitespace(from: above.resume)
        guard reader.byte(at: name) == 0x2C else { return nil }
        name = reader.endOfWhitespace(from: name + 1)
        guard tagStart.stands(at: name, in: reader) else { return nil }
        let value = name + tagStart.count - 1
        var high: UInt64 = 0
        let quote = reader.endOfPlainRun(from: value + 1, high: &high)
        guard reader.byte(at: quote) == 0x22, high == 0,
            reader.byte(at: quote + 1) == 0x2C || reader.byte(at: quote + 1) == 0x7D,
            let found = lookUp(reader.plainKey(from: value + 1, to: quote)),
            found._withUnsafeGuaranteedRef({
                $0.isDocument && !$0.meetsTypeKey && !$0.mergesTags
            })
        else { return nil }
        var object = above.object
        object.tag = ObjectTag(conformer: found, value: value)
        reader.source = above.source
        reader.expectTaggedObject(object, resume: quote + 1, memberNumber: 0)
        return found
    }

    /// Moves to the name inside of a type key that is a path, `meta.kind`; false where it is absent.
    func enterPath(_ reader: inout ModelReader) throws -> Bool {
        for name in tagging.path {
            if try reader.readNull() { return false }
            var object = try reader.beginObject()
            var isThere = false
            while !isThere, let key = try reader.nextDocumentField(in: &object) {
                isThere = key.matches(name)
                if !isThere { try reader.skipValue() }
            }
            guard isThere else { return false }
        }
        return true
    }
}
