import Dovetail

/// Reading a file as a stream against reading it whole: the same elements, of a file of 100 MB.
enum StreamBenchmarks {
    static let count = 700_000

    static func run() throws -> [Comparison] {
        let file = FileManager.default.temporaryDirectory
            .appendingPathComponent("dovetail-stream-\(getpid()).json")
        defer { try? FileManager.default.removeItem(at: file) }
        return try flat(file) + polymorphic(file) + large(file)
    }

    private static func flat(_ file: URL) throws -> [Comparison] {
        let records = FlatRecord.samples(count)
        try records.save(as: .json, to: file)
        let sum = records.reduce(0) { $0 + $1.age }
        return [
            try Comparison.of(
                "stream 700k flat records from a file",
                goal: .withinTimes(1.3),
                baseline: "the same file read whole",
                rounds: 3,
                ours: {
                    try expect(wait { try await sumOfAges(in: file) } == sum)
                },
                theirs: {
                    let all = try [FlatRecord](contentsOf: file)
                    try expect(all.reduce(0) { $0 + $1.age } == sum)
                    return all
                }
            ),
            try Comparison.of(
                "write 700k flat records as a stream",
                goal: .none,
                baseline: "saved whole",
                rounds: 3,
                ours: {
                    let writer = try ModelStreamWriter<FlatRecord>(to: file, as: .json)
                    for record in records { try writer.append(record) }
                    try writer.finish()
                },
                theirs: { try records.save(as: .json, to: file) }
            ),
        ]
    }

    private static func polymorphic(_ file: URL) throws -> [Comparison] {
        let shapes = Shapes.samples(2 * count)
        try shapes.save(as: .json, to: file)
        let sum = shapes.reduce(0) { $0 + $1.name.utf8.count }
        return [
            try Comparison.of(
                "stream 1400k polymorphic records from a file",
                goal: .withinTimes(1.3),
                baseline: "the same file read whole",
                rounds: 3,
                ours: {
                    try expect(
                        wait {
                            var sum = 0
                            for try await shape in [any Shape].stream(from: file) {
                                sum += shape.name.utf8.count
                            }
                            return sum
                        } == sum
                    )
                },
                theirs: {
                    let all = try [any Shape](contentsOf: file)
                    try expect(all.reduce(0) { $0 + $1.name.utf8.count } == sum)
                    return all
                }
            )
        ]
    }

    private static func sumOfAges(in file: URL) async throws -> Int {
        var sum = 0
        for try await record in [FlatRecord].stream(from: file) { sum += record.age }
        return sum
    }

    /// Elements of 100 kB each, most of which are split over two pieces of the file.
    private static func large(_ file: URL) throws -> [Comparison] {
        let pages = Array(repeating: RecordPage(records: FlatRecord.samples(800)), count: 900)
        try pages.save(as: .json, to: file)
        return [
            try Comparison.of(
                "stream 900 lists of 800 flat records",
                goal: .withinTimes(1.3),
                baseline: "the same file read whole",
                rounds: 3,
                ours: {
                    try expect(
                        wait {
                            var count = 0
                            for try await page in [RecordPage].stream(from: file) {
                                count += page.records.count
                            }
                            return count
                        } == 720_000
                    )
                },
                theirs: {
                    let all = try [RecordPage](contentsOf: file)
                    try expect(all.reduce(0) { $0 + $1.records.count } == 720_000)
                    return all
                }
            )
        ]
    }

    /// Writes a file of 1 GB as a stream, reads it as one, and prints the largest amount of memory
    /// that the process had after each.
    static func printMemory() throws {
        let file = FileManager.default.temporaryDirectory
            .appendingPathComponent("dovetail-stream-\(getpid()).json")
        defer { try? FileManager.default.removeItem(at: file) }
        print("at the start", peakMemory())
        let records = FlatRecord.samples(1000)
        let writer = try ModelStreamWriter<FlatRecord>(to: file, as: .json)
        for _ in 0..<7_800 { for record in records { try writer.append(record) } }
        try writer.finish()
        let size = try FileManager.default.attributesOfItem(atPath: file.path)[.size] ?? 0
        print("after writing \(size) bytes", peakMemory())
        let sum = try wait { try await sumOfAges(in: file) }
        try expect(sum == 7_800 * records.reduce(0) { $0 + $1.age })
        print("after reading them", peakMemory())
    }

    private static func peakMemory() -> String {
        var usage = rusage()
        getrusage(.init(RUSAGE_SELF.rawValue), &usage)
        return "\(usage.ru_maxrss / 1024) MB"
    }

    /// Waits for asynchronous work; for the main thread only.
    private static func wait<Value: Sendable>(
        _ work: @escaping @Sendable () async throws -> Value
    ) throws -> Value {
        let semaphore = DispatchSemaphore(value: 0)
        nonisolated(unsafe) var result: Result<Value, any Error>?
        Task.detached {
            do {
                result = .success(try await work())
            } catch {
                result = .failure(error)
            }
            semaphore.signal()
        }
        semaphore.wait()
        guard let result else { throw DifferentResults() }
        return try result.get()
    }
}

/// A large element of a stream.
@Model
struct RecordPage {
    var records: [FlatRecord]
}
