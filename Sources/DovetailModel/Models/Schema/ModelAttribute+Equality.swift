// Whether two rows hold one value. It may have several forms: a document that an older version of its type
// has written, or another program with other spaces, a set in another order, a UUID in small letters.

extension ModelAttribute {
    /// Whether a column of two rows reads as one value of the attribute: both are read and written again,
    /// and what comes of them is compared. False for what is no value of it.
    ///
    /// Of a plain `Codable` value that has sets somewhere in it, no array says in which order it is: one
    /// may be a set, which is written in any.
    ///
    /// - Complexity: that of reading and writing both.
    package func holdsSame(
        _ column: Int,
        of row: any RowSource,
        as other: any RowSource,
        _ fields: RowFields
    ) -> Bool {
        guard row.cell(column).isNull == other.cell(column).isNull else { return false }
        do {
            let left = try document(in: column, of: row, fields)
            let right = try document(in: column, of: other, fields)
            if left.document == right.document { return true }
            guard left.isUnordered || right.isUnordered else { return false }
            return try left.document.textWithoutOrder() == right.document.textWithoutOrder()
        } catch {
            return false
        }
    }

    /// What a column reads as, in the form that it is written in now.
    private func document(
        in column: Int,
        of row: any RowSource,
        _ fields: RowFields
    ) throws -> (document: ModelDocument, isUnordered: Bool) {
        var reader = ModelReader(column, of: row, fields: fields)
        var isUnordered = false
        let document = try ModelWriter.tree { writer in
            if let transform { return try transform.copy(&reader, &writer) }
            let type = Swift.type(of: keyPath as AnyKeyPath).valueType
            if let type = type as? any ModelValue.Type {
                return try Self.copy(type, from: &reader, to: &writer)
            }
            guard let type = type as? any Codable.Type else {
                throw reader.rejected(expected: "\(type)")
            }
            let value = try reader.readCodable(type)
            isUnordered = holdsUnordered(value)
            try writer.writeCodable(value)
        }
        return (document, isUnordered)
    }
}

extension ModelDocument {
    /// Its text as JSON, with members and elements in the order of their own texts.
    fileprivate func textWithoutOrder() throws -> String {
        if let members {
            let texts = try members.map { member in
                let key = try ModelDocument.string(member.key).encoded(as: .json)
                return try String(decoding: key, as: UTF8.self) + ":"
                    + member.value.textWithoutOrder()
            }
            return "{\(texts.sorted().joined(separator: ","))}"
        }
        if let elements = arrayValue {
            let texts = try elements.map { try $0.textWithoutOrder() }
            return "[\(texts.sorted().joined(separator: ","))]"
        }
        return String(decoding: try encoded(as: .json), as: UTF8.self)
    }
}
