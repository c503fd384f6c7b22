// Sets, and dictionaries whose keys are no field names, as plain `Codable` values. The standard library
// writes them in the order of their hashes, which is another one in each run of a program, and for two
// equal sets.

/// A plain `Codable` collection without an order.
protocol UnorderedCollection {
    /// Writes it in an order that equal values have; false where the standard library does.
    ///
    /// - Complexity: that of Foundation's coder, and of reading and sorting what that has written.
    func writeInOrder(to writer: inout ModelWriter) throws -> Bool
}

extension Set: UnorderedCollection where Element: Encodable {
    /// Writes an array, its elements in the order of their texts as JSON.
    func writeInOrder(to writer: inout ModelWriter) throws -> Bool {
        let elements = try writer.codableDocument(Array(self)).arrayValue ?? []
        try ModelDocument.array(elements.inOrderOfText(by: { $0 })).encode(to: &writer)
        return true
    }
}

extension Dictionary: UnorderedCollection where Key: Encodable, Value: Encodable {
    /// Writes keys and values in turn in an array, in the order of the keys as JSON, as the standard
    /// library does for keys that are no field names.
    func writeInOrder(to writer: inout ModelWriter) throws -> Bool {
        if Key.self is String.Type || Key.self is Int.Type
            || Key.self is any CodingKeyRepresentable.Type
        {
            return false
        }
        let flat = try writer.codableDocument(self).arrayValue ?? []
        let pairs = stride(from: 0, to: flat.count - 1, by: 2).map { (flat[$0], flat[$0 + 1]) }
        let ordered = try pairs.inOrderOfText(by: \.0).flatMap { [$0.0, $0.1] }
        try ModelDocument.array(ordered).encode(to: &writer)
        return true
    }
}

extension Array {
    /// The elements in the order of the texts of documents as JSON.
    fileprivate func inOrderOfText(by document: (Element) -> ModelDocument) throws -> [Element] {
        let texts = try map { [UInt8](try document($0).encoded(as: .json)) }
        let places = texts.indices.sorted { texts[$0].lexicographicallyPrecedes(texts[$1]) }
        return places.map { self[$0] }
    }
}
