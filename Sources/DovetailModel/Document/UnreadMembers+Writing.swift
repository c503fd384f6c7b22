// What a migration put in may hold parts of the document, which are written as they stand there.

extension UnreadMembers {
    /// Whether no value here is nested deeper than `depth` levels.
    ///
    /// Text that is written no deeper than it stood needs no look. Elsewhere a level takes two
    /// bytes, so what is short is not deep.
    private func fits(_ member: UnreadMember, within depth: Int) -> Bool {
        if depth >= text.depth - level - 1 { return true }
        if depth >= (member.valueEnd - member.value) / 2 { return true }
        let isRead: Void? = read(at: member.value) { reader in
            reader.remainingDepth = depth
            try reader.skipValue()
        }
        return isRead != nil
    }

    /// Writes the container as JSON; what was not changed, as it stands in the text.
    ///
    /// - Throws: ``ModelEncodingError`` for what is nested too deep.
    func writeAsRead(to writer: inout ModelWriter) throws {
        let object = isObject ? try writer.beginObject() : nil
        let array = isObject ? nil : try writer.beginArray()
        for (place, member) in members.elements.enumerated() {
            if isObject {
                var name = name(at: place)
                try name.withUTF8 { try writer.beginField(named: $0) }
            }
            // Members of a property list have all been read.
            if member.value < 0 || text.count == 0 {
                try values[member.slot].writeAsRead(to: &writer)
            } else {
                guard fits(member, within: writer.remainingDepth) else { throw writer.tooDeep() }
                writer.append(
                    UnsafeBufferPointer(
                        start: text.start + member.value,
                        count: member.valueEnd - member.value
                    )
                )
            }
            writer.putComma()
        }
        if let object { try writer.endObject(object) }
        if let array { try writer.endArray(array) }
    }
}
