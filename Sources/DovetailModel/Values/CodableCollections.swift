// Sets, and dictionaries whose keys are no field names, as plain `Codable` values. The standard library
// writes them in the order of their hashes, which is another one in each run of a program, and for two
// equal sets.

/// A plain `Codable` collection without an order.
protocol UnorderedCollection {
    /// Writes it in an order that equal values have; false where the standard library does.
    func writeInOrder(to writer: inout ModelWriter) throws -> Bool
}

extension Set: UnorderedCollection where Element: Encodable {
    /// Writes an array, its elements in the order of their bytes.
    func writeInOrder(to writer: inout ModelWriter) throws -> Bool {
        let scope = try writer.beginArray()
        var starts: [Int] = []
        for element in self {
            starts.append(writer.elementPosition)
            try writer.writeCodable(element)
            writer.putComma()
        }
        writer.sortElements(from: starts)
        try writer.endArray(scope)
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
        let keys = try keys.map { key in
            (text: try ModelWriter.tree { try $0.writeCodable(key) }.encoded(as: .json), key: key)
        }
        let scope = try writer.beginArray()
        for (_, key) in keys.sorted(by: { $0.text.lexicographicallyPrecedes($1.text) }) {
            guard let value = self[key] else { continue }
            try writer.writeCodable(key)
            writer.putComma()
            try writer.writeCodable(value)
            writer.putComma()
        }
        try writer.endArray(scope)
        return true
    }
}

/// Whether a value has a collection without an order anywhere in it, which is written in any order there.
///
/// - Complexity: linear in the size of the value; it looks no deeper than a document can be.
func holdsUnordered(_ value: Any, depth: Int = 0) -> Bool {
    if depth > ModelReader.maximumDepth { return false }
    let mirror = Mirror(reflecting: value)
    if mirror.displayStyle == .set { return true }
    if mirror.displayStyle == .dictionary, !(value is [String: Any]), !(value is [Int: Any]) {
        return true
    }
    return mirror.children.contains { holdsUnordered($0.value, depth: depth + 1) }
}
