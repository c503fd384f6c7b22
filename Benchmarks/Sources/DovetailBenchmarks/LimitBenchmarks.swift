import Dovetail

/// Decoding against the fastest there is: simdjson's On-Demand API into structs of C++, by hand.
enum LimitBenchmarks {
    static let count = 100_000
    /// Both sides take some ten milliseconds, so a machine that is busy disturbs single rounds.
    static let rounds = 31

    static func run() throws -> [Comparison] {
        let library = try LimitLibrary()
        return [
            try flat(library),
            try shapes("type key first", goal: 1.5, typeKeyFirst: true, library),
            try shapes("type key last", goal: 1.5, typeKeyFirst: false, library),
        ]
    }

    private static func flat(_ library: LimitLibrary) throws -> Comparison {
        let records = FlatRecord.samples(count)
        let document = try records.encoded(as: .json)
        try expect(try [FlatRecord](decoding: document, as: .json) == records)
        var checksum = LimitChecksum()
        for record in records { record.add(to: &checksum) }
        let limit = try LimitLibrary.Document(document, for: library)
        try expect(try limit.decode(library.flat).sum == checksum.sum)
        return try Comparison.of(
            "decode flat, simdjson",
            goal: .withinTimes(1.1),
            baseline: "simdjson On-Demand, \(library.implementation)",
            rounds: rounds,
            ours: { try [FlatRecord](decoding: document, as: .json) },
            theirs: { try limit.decode(library.flat) }
        )
    }

    private static func shapes(
        _ name: String,
        goal: Double,
        typeKeyFirst: Bool,
        _ library: LimitLibrary
    ) throws -> Comparison {
        let document = try Shapes.document(of: Shapes.samples(count), typeKeyFirst: typeKeyFirst)
        var checksum = LimitChecksum()
        for shape in try [any Shape](decoding: document, as: .json) { shape.add(to: &checksum) }
        let limit = try LimitLibrary.Document(document, for: library)
        try expect(try limit.decode(library.shapes).sum == checksum.sum)
        return try Comparison.of(
            "decode polymorphic (\(name)), simdjson",
            goal: .withinTimes(goal),
            baseline: "simdjson On-Demand, \(library.implementation)",
            rounds: rounds,
            ours: { try [any Shape](decoding: document, as: .json) },
            theirs: { try limit.decode(library.shapes) }
        )
    }
}

extension FlatRecord {
    fileprivate func add(to checksum: inout LimitChecksum) {
        checksum.add(id)
        checksum.add(name)
        checksum.add(email)
        checksum.add(age)
        checksum.add(score)
        checksum.add(isActive)
        checksum.add(city)
    }
}

extension Shape {
    fileprivate func add(to checksum: inout LimitChecksum) {
        checksum.add(name)
        switch self {
        case let circle as Circle:
            checksum.add(circle.radius)
            checksum.add(circle.filled)
        case let rectangle as Rectangle:
            checksum.add(rectangle.width)
            checksum.add(rectangle.height)
        case let label as Label:
            checksum.add(label.text)
            checksum.add(label.size)
            checksum.add(label.bold)
        case let marker as Marker:
            checksum.add(marker.x)
            checksum.add(marker.y)
        default: break
        }
    }
}
