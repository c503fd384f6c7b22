import Dovetail

/// Decoding and encoding against Foundation's coders, on documents that `JSONEncoder` wrote.
enum JSONBenchmarks {
    static let count = 100_000

    static func run() throws -> [Comparison] {
        try flat() + polymorphic()
    }

    private static func flat() throws -> [Comparison] {
        let records = FlatRecord.samples(count)
        let document = try JSONEncoder().encode(records)
        try expect(try [FlatRecord](decoding: document, as: .json) == records)
        let again = try JSONDecoder().decode([FlatRecord].self, from: records.encoded(as: .json))
        try expect(again == records)
        return [
            try Comparison.of(
                "decode 100k flat records",
                goal: .fasterBy(18),
                baseline: "JSONDecoder",
                ours: { try [FlatRecord](decoding: document, as: .json) },
                theirs: { try JSONDecoder().decode([FlatRecord].self, from: document) }
            ),
            try Comparison.of(
                "encode 100k flat records",
                goal: .fasterBy(22),
                baseline: "JSONEncoder",
                ours: { try records.encoded(as: .json) },
                theirs: { try JSONEncoder().encode(records) }
            ),
        ]
    }

    private static func polymorphic() throws -> [Comparison] {
        let shapes = Shapes.samples(count)
        let document = try JSONEncoder().encode(shapes.map(CodableShape.init))
        let decoded = try [any Shape](decoding: document, as: .json)
        try expect(decoded.map(\.name) == shapes.map(\.name))
        return [
            try Comparison.of(
                "decode 100k polymorphic records",
                goal: .fasterBy(18),
                baseline: "JSONDecoder, type looked up first",
                ours: { try [any Shape](decoding: document, as: .json) },
                theirs: { try JSONDecoder().decode([CodableShape].self, from: document) }
            ),
            try Comparison.of(
                "encode 100k polymorphic records",
                goal: .fasterBy(22),
                baseline: "JSONEncoder",
                ours: { try shapes.encoded(as: .json) },
                theirs: { try JSONEncoder().encode(shapes.map(CodableShape.init)) }
            ),
        ]
    }
}

/// A comparison is worth nothing when the two sides do different work.
struct DifferentResults: Error {}

func expect(_ condition: Bool) throws {
    if !condition { throw DifferentResults() }
}
