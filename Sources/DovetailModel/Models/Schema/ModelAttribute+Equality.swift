// Whether two rows hold one value. It may have several forms: a document that an older version of its type
// has written, or another program with other spaces, a set in another order, a UUID in small letters.

extension ModelAttribute {
    /// Whether a column of two rows reads as one value of the attribute: both are read and written again,
    /// and what comes of them is compared. False for what is no value of it.
    ///
    /// A plain `Codable` value may have a set somewhere in it, which it writes in any order. So where only the
    /// order in arrays differs, the values themselves are looked at.
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
            guard let value = left.value, let other = right.value,
                try left.document.textWithoutOrder() == right.document.textWithoutOrder(),
                let text = ValueText.text(of: value)
            else { return false }
            return text == ValueText.text(of: other)
        } catch {
            return false
        }
    }

    /// What a column reads as, in the form that it is written in now, and the value of a plain `Codable` type.
    private func document(
        in column: Int,
        of row: any RowSource,
        _ fields: RowFields
    ) throws -> (document: ModelDocument, value: Any?) {
        var reader = ModelReader(column, of: row, fields: fields)
        var plain: Any?
        let document = try ModelWriter.tree { writer in
            if let transform { return try transform.copy(from: &reader, to: &writer) }
            let type = Swift.type(of: keyPath as AnyKeyPath).valueType
            if let type = type as? any ModelValue.Type {
                return try Self.copy(type, from: &reader, to: &writer)
            }
            guard let type = type as? any Codable.Type else {
                throw reader.rejected(expected: "\(type)")
            }
            let value = try reader.readCodable(type)
            plain = value
            try writer.writeCodable(value)
        }
        return (document, plain)
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
