import Dovetail

/// The same records in other documents: fast has to mean fast on what people really send.
enum ShapeBenchmarks {
    static let count = 50_000

    static func run() throws -> [Comparison] {
        let records = FlatRecord.samples(count)
        let compact = try JSONEncoder().encode(records)
        let pretty = JSONEncoder()
        pretty.outputFormatting = .prettyPrinted
        return [
            try flat("compact, fields in declared order", records.encoded(as: .json)),
            try flat("compact, fields shuffled", shuffled(compact)),
            try flat("pretty-printed", pretty.encode(records)),
            try shapes("polymorphic, type key first", typeKeyFirst: true),
            try shapes("polymorphic, type key last", typeKeyFirst: false),
            try numbers("short doubles") { Double($0 % 10_000) / 100 },
            try numbers("17-digit doubles") { Double($0) * 0.1234567890123 + 1.0 / 3.0 },
            try texts("strings with escapes", "line\nbreak \"quoted\" \\ back"),
            try texts("strings with non-ASCII", "Grüße aus Zürich, 東京 und Łódź"),
        ]
    }

    private static func flat(_ name: String, _ document: Data) throws -> Comparison {
        try expect(try [FlatRecord](decoding: document, as: .json) == FlatRecord.samples(count))
        return try Comparison.of(
            "decode flat, " + name,
            goal: .fasterBy(10),
            baseline: "JSONDecoder",
            rounds: 3,
            ours: { try [FlatRecord](decoding: document, as: .json) },
            theirs: { try JSONDecoder().decode([FlatRecord].self, from: document) }
        )
    }

    private static func shapes(_ name: String, typeKeyFirst: Bool) throws -> Comparison {
        let document = try Shapes.document(of: Shapes.samples(count), typeKeyFirst: typeKeyFirst)
        return try Comparison.of(
            "decode " + name,
            goal: .fasterBy(10),
            baseline: "JSONDecoder",
            rounds: 3,
            ours: { try [any Shape](decoding: document, as: .json) },
            theirs: { try JSONDecoder().decode([CodableShape].self, from: document) }
        )
    }

    private static func numbers(_ name: String, _ make: (Int) -> Double) throws -> Comparison {
        let records = (0..<count).map { Measurements(a: make($0), b: make($0 + 7), c: -make($0)) }
        let document = try JSONEncoder().encode(records)
        try expect(try [Measurements](decoding: document, as: .json) == records)
        return try Comparison.of(
            "decode " + name,
            goal: .fasterBy(10),
            baseline: "JSONDecoder",
            rounds: 3,
            ours: { try [Measurements](decoding: document, as: .json) },
            theirs: { try JSONDecoder().decode([Measurements].self, from: document) }
        )
    }

    private static func texts(_ name: String, _ text: String) throws -> Comparison {
        let records = (0..<count).map { Note(title: text, body: "\($0) " + text + text) }
        let document = try JSONEncoder().encode(records)
        try expect(try [Note](decoding: document, as: .json) == records)
        return try Comparison.of(
            "decode " + name,
            goal: .fasterBy(10),
            baseline: "JSONDecoder",
            rounds: 3,
            ours: { try [Note](decoding: document, as: .json) },
            theirs: { try JSONDecoder().decode([Note].self, from: document) }
        )
    }

    /// Each object's members in another order, by rule.
    private static func shuffled(_ document: Data) throws -> Data {
        let objects = try JSONSerialization.jsonObject(with: document) as? [[String: Any]] ?? []
        let parts = try objects.enumerated().map { index, object in
            let names = object.keys.sorted()
            let members = try names.indices.map { place in
                let name = names[(place * 3 + index) % names.count]
                let value = try JSONSerialization.data(
                    withJSONObject: object[name] ?? 0,
                    options: .fragmentsAllowed
                )
                return "\"\(name)\":" + String(decoding: value, as: UTF8.self)
            }
            return "{" + members.joined(separator: ",") + "}"
        }
        return Data(("[" + parts.joined(separator: ",") + "]").utf8)
    }
}

@Model
struct Measurements: Codable, Equatable {
    var a, b, c: Double
}

@Model
struct Note: Codable, Equatable {
    var title: String
    var body: String
}
