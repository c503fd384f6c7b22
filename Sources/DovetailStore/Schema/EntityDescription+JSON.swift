import Foundation

extension EntityDescription {
    /// The description as JSON, the same text each time: how stores keep it.
    ///
    /// - Throws: what `JSONEncoder` throws; a description has nothing that it refuses.
    package func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }

    /// Reads what ``json()`` has written.
    ///
    /// - Throws: `DecodingError` for another text, and for one that names a column that it lacks.
    package init(json: String) throws {
        self = try JSONDecoder().decode(EntityDescription.self, from: Data(json.utf8))
        let positions =
            key + indexes.flatMap(\.columns) + references.map(\.column)
            + (classes.map { [$0.column] + $0.required.values.flatMap(\.self) } ?? [])
            + (choices ?? []).flatMap(\.columns)
        guard positions.allSatisfy({ columns.indices.contains($0) }) else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: [],
                    debugDescription: "a position is that of no column"
                )
            )
        }
    }
}
