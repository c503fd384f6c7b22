import Dovetail

/// What a record costs when there are a thousand times as many, and how much memory decoding takes
/// at its peak.
enum GrowthBenchmarks {
    static func run() throws -> [Comparison] {
        [
            try growth("decode", { try [FlatRecord](decoding: $0, as: .json).count }),
            try growth("encode", { try [FlatRecord](decoding: $0, as: .json) }) {
                try $0.encoded(as: .json).count
            },
            try peak(FlatRecord.self),
        ]
    }

    private static func growth(
        _ name: String,
        _ work: (Data) throws -> Int
    ) throws -> Comparison {
        try growth(name, { $0 }, work)
    }

    /// The time of a million records in one document against a thousand documents of a thousand.
    private static func growth<Input>(
        _ name: String,
        _ prepare: (Data) throws -> Input,
        _ work: (Input) throws -> Int
    ) throws -> Comparison {
        let small = try prepare(try FlatRecord.samples(1_000).encoded(as: .json))
        let large = try prepare(try FlatRecord.samples(1_000_000).encoded(as: .json))
        return try Comparison.of(
            "\(name) 1M flat records",
            goal: .withinTimes(2),
            baseline: "1k records a thousand times",
            rounds: 3,
            ours: { try work(large) },
            theirs: { try (0..<1_000).reduce(0) { sum, _ in try sum + work(small) } }
        )
    }

    /// The most memory that decoding held against what it holds in the end: the document and the
    /// values. In a process of its own, which has done nothing else.
    private static func peak(_ type: FlatRecord.Type) throws -> Comparison {
        let document = FileManager.default.temporaryDirectory
            .appendingPathComponent("dovetail-peak-\(ProcessInfo.processInfo.processIdentifier)")
        defer { try? FileManager.default.removeItem(at: document) }
        try FlatRecord.samples(1_000_000).encoded(as: .json).write(to: document)
        let numbers = try OwnProcess.run("peak-of-decoding", document.path)
        try expect(numbers.count == 2)
        return Comparison(
            name: "peak memory of decoding 1M flat records",
            goal: .withinTimes(1.3),
            baseline: "document and values",
            ratio: numbers[0] / numbers[1],
            ours: numbers[0],
            theirs: numbers[1],
            unit: "MB"
        )
    }

    /// What the child process does: prints the peak and what is left, in megabytes.
    static func printPeakOfDecoding(_ path: String) throws {
        let before = try OwnProcess.megabytes("VmRSS")
        let data = try Data(contentsOf: URL(fileURLWithPath: path))
        let values = try [FlatRecord](decoding: data, as: .json)
        let after = try OwnProcess.megabytes("VmRSS")
        let peak = try OwnProcess.megabytes("VmHWM")
        withExtendedLifetime((data, values)) {}
        print(peak - before, after - before)
    }
}
