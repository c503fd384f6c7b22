import Dovetail

/// Decoding and encoding against Foundation's coders, on documents that `PropertyListEncoder` wrote.
enum PropertyListBenchmarks {
    static let count = 100_000

    static func run() throws -> [Comparison] {
        try [
            (ModelFormat.binaryPlist, PropertyListSerialization.PropertyListFormat.binary),
            (.plist, .xml),
        ].flatMap { format, outputFormat in
            let encoder = PropertyListEncoder()
            encoder.outputFormat = outputFormat
            return try flat(format, encoder) + polymorphic(format, encoder)
        }
    }

    private static func name(_ format: ModelFormat) -> String {
        format == .binaryPlist ? "binary" : "XML"
    }

    private static func goal(_ format: ModelFormat, _ binary: Double) -> Comparison.Goal {
        .fasterBy(format == .binaryPlist ? binary : 3)
    }

    private static func flat(
        _ format: ModelFormat,
        _ encoder: PropertyListEncoder
    ) throws -> [Comparison] {
        let records = FlatRecord.samples(count)
        let document = try encoder.encode(records)
        let decoder = PropertyListDecoder()
        try expect(try [FlatRecord](decoding: document, as: format) == records)
        let again = try decoder.decode([FlatRecord].self, from: records.encoded(as: format))
        try expect(again == records)
        return [
            try Comparison.of(
                "decode 100k flat records, \(name(format))",
                goal: goal(format, 20),
                baseline: "PropertyListDecoder",
                rounds: 3,
                ours: { try [FlatRecord](decoding: document, as: format) },
                theirs: { try decoder.decode([FlatRecord].self, from: document) }
            ),
            try Comparison.of(
                "encode 100k flat records, \(name(format))",
                goal: goal(format, 15),
                baseline: "PropertyListEncoder",
                rounds: 3,
                ours: { try records.encoded(as: format) },
                theirs: { try encoder.encode(records) }
            ),
        ]
    }

    private static func polymorphic(
        _ format: ModelFormat,
        _ encoder: PropertyListEncoder
    ) throws -> [Comparison] {
        let shapes = Shapes.samples(count)
        let document = try encoder.encode(shapes.map(CodableShape.init))
        let decoder = PropertyListDecoder()
        let decoded = try [any Shape](decoding: document, as: format)
        try expect(decoded.map(\.name) == shapes.map(\.name))
        let again = try decoder.decode([CodableShape].self, from: shapes.encoded(as: format))
        try expect(again.map(\.shape.name) == shapes.map(\.name))
        return [
            try Comparison.of(
                "decode 100k polymorphic records, \(name(format))",
                goal: goal(format, 20),
                baseline: "PropertyListDecoder, type looked up first",
                rounds: 3,
                ours: { try [any Shape](decoding: document, as: format) },
                theirs: { try decoder.decode([CodableShape].self, from: document) }
            ),
            try Comparison.of(
                "encode 100k polymorphic records, \(name(format))",
                goal: goal(format, 15),
                baseline: "PropertyListEncoder",
                rounds: 3,
                ours: { try shapes.encoded(as: format) },
                theirs: { try encoder.encode(shapes.map(CodableShape.init)) }
            ),
        ]
    }
}
