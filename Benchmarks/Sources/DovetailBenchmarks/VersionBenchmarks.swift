import Dovetail

/// What versions cost: nothing where they agree, and a bounded factor where a document is older.
enum VersionBenchmarks {
    static let count = 50_000

    static func run() throws -> [Comparison] {
        let plain = FlatRecord.samples(count)
        let document = try plain.encoded(as: .json)
        let records = try [VersionedRecord](decoding: document, as: .json)
        let current = try records.encoded(as: .json)
        try expect(try [VersionedRecord](decoding: current, as: .json) == records)
        // The oldest shape: the name had another name, and there was no version.
        let text = String(decoding: document, as: UTF8.self)
        let old = Data(text.replacingOccurrences(of: "\"name\":", with: "\"title\":").utf8)
        try expect(try [VersionedRecord](decoding: old, as: .json) == records)
        let joined = try [JoinedRecord](decoding: document, as: .json)
        try expect(joined.last?.name == (plain.last.map { "\($0.name), \($0.city)" }))
        let list = try ModelDocument(decoding: old, as: .json).encoded(as: .binaryPlist)
        let plainList = try plain.encoded(as: .binaryPlist)
        try expect(try [VersionedRecord](decoding: list, as: .binaryPlist) == records)
        return [
            try Comparison.of(
                "decode a current version",
                goal: .withinTimes(1.1),
                baseline: "the same model without version",
                ours: { try [VersionedRecord](decoding: current, as: .json) },
                theirs: { try [FlatRecord](decoding: document, as: .json) }
            ),
            try Comparison.of(
                "decode with a migration (one step)",
                goal: .withinTimes(3),
                baseline: "the same model without version",
                ours: { try [VersionedRecord](decoding: old, as: .json) },
                theirs: { try [FlatRecord](decoding: document, as: .json) }
            ),
            try Comparison.of(
                "decode with a migration that joins two fields",
                goal: .withinTimes(3),
                baseline: "the same model without version",
                ours: { try [JoinedRecord](decoding: document, as: .json) },
                theirs: { try [FlatRecord](decoding: document, as: .json) }
            ),
            try Comparison.of(
                "decode with a migration (binary property list)",
                goal: .withinTimes(3),
                baseline: "the same model without version",
                ours: { try [VersionedRecord](decoding: list, as: .binaryPlist) },
                theirs: { try [FlatRecord](decoding: plainList, as: .binaryPlist) }
            ),
            try Comparison.of(
                "encode with a version",
                goal: .withinTimes(1.1),
                baseline: "the same model without version",
                ours: { try records.encoded(as: .json) },
                theirs: { try plain.encoded(as: .json) }
            ),
        ]
    }
}

/// ``FlatRecord`` in its second version.
@Model(version: 2)
struct VersionedRecord: Equatable {
    var id: Int
    var name: String
    var email: String
    var age: Int
    var score: Double
    var isActive: Bool
    var city: String

    static func migrate(_ document: inout ModelDocument, from version: Int) throws {
        document.rename("title", to: "name")
    }
}

/// ``FlatRecord`` in a second version whose name has the city in it.
@Model(version: 2)
struct JoinedRecord: Equatable {
    var id: Int
    var name: String
    var email: String
    var age: Int
    var score: Double
    var isActive: Bool

    static func migrate(_ document: inout ModelDocument, from version: Int) throws {
        guard let city = document.remove("city")?.stringValue else { return }
        document["name"] = .string("\(document["name"]?.stringValue ?? ""), \(city)")
    }
}
