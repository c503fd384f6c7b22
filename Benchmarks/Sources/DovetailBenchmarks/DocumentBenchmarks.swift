import Dovetail

/// Models read from a ``ModelDocument`` in memory, against reading them from its text.
enum DocumentBenchmarks {
    static func run() throws -> [Comparison] {
        let records = FlatRecord.samples(JSONBenchmarks.count)
        let flat = try records.encoded(as: .json)
        let flatDocument = try ModelDocument(decoding: flat, as: .json)
        try expect(try [FlatRecord](flatDocument) == records)
        try expect(try ModelDocument(records) == flatDocument)
        let shapes = try Shapes.samples(JSONBenchmarks.count).encoded(as: .json)
        let shapesDocument = try ModelDocument(decoding: shapes, as: .json)
        try expect(try [any Shape](shapesDocument).encoded(as: .json) == shapes)
        return [
            try Comparison.of(
                "100k flat records from a document",
                goal: .withinTimes(1.5),
                baseline: "decoding their JSON",
                ours: { try [FlatRecord](flatDocument) },
                theirs: { try [FlatRecord](decoding: flat, as: .json) }
            ),
            try Comparison.of(
                "100k polymorphic records from a document",
                goal: .withinTimes(1.5),
                baseline: "decoding their JSON",
                ours: { try [any Shape](shapesDocument) },
                theirs: { try [any Shape](decoding: shapes, as: .json) }
            ),
            try Comparison.of(
                "100k flat records into a document",
                goal: .none,
                baseline: "reading the document from their JSON",
                ours: { try ModelDocument(records) },
                theirs: { try ModelDocument(decoding: flat, as: .json) }
            ),
        ]
    }
}
