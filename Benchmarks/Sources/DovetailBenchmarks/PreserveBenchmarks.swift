import Dovetail

@ModelProtocol(unknown: .preserve)
protocol KeptShape {
    var name: String { get }
}

extension Circle: KeptShape {}
extension Rectangle: KeptShape {}
extension Label: KeptShape {}
extension Marker: KeptShape {}

/// A `FlatRecord` that keeps what it does not declare.
@Model(unknownFields: .preserve)
struct KeptRecord: Equatable {
    var id: Int
    var name: String
    var email: String
    var age: Int
    var score: Double
    var isActive: Bool
    var city: String
}

/// What it costs to be ready to keep what is unknown, where nothing is.
enum PreserveBenchmarks {
    static func run() throws -> [Comparison] {
        let shapes = try Shapes.samples(JSONBenchmarks.count).encoded(as: .json)
        let kept = try [any KeptShape](decoding: shapes, as: .json)
        try expect(!kept.contains { $0 is UnknownKeptShape })
        try expect(try kept.encoded(as: .json) == shapes)
        let records = try FlatRecord.samples(JSONBenchmarks.count).encoded(as: .json)
        try expect(try [KeptRecord](decoding: records, as: .json).encoded(as: .json) == records)
        return [
            try Comparison.of(
                "decode 100k polymorphic, unknown: .preserve",
                goal: .withinTimes(1.3),
                baseline: "without the policy",
                ours: { try [any KeptShape](decoding: shapes, as: .json) },
                theirs: { try [any Shape](decoding: shapes, as: .json) }
            ),
            try Comparison.of(
                "decode 100k flat, unknownFields: .preserve",
                goal: .withinTimes(1.3),
                baseline: "without the policy",
                ours: { try [KeptRecord](decoding: records, as: .json) },
                theirs: { try [FlatRecord](decoding: records, as: .json) }
            ),
        ]
    }
}
