import Dovetail
import Synchronization

/// Lists of objects that are loaded with their objects, or when they are read, against a fetch of both
/// classes by hand.
struct FaultBenchmarks {
    let files: SQLiteFiles

    /// How many folders, and how many files in each.
    private static let (folders, each) = (10_000, 10)

    /// The statements of a container that read.
    private final class Reads: Sendable {
        private let kept = Atomic<Int>(0)

        var trace: StoreTrace {
            StoreTrace { statement in
                if statement.sql.hasPrefix("SELECT") {
                    self.kept.add(1, ordering: .relaxed)
                }
            }
        }

        /// How many there were since the last call.
        func take() -> Int { kept.exchange(0, ordering: .relaxed) }
    }

    func comparisons() throws -> [Comparison] {
        let reads = Reads()
        let file = files.fresh()
        func container(_ trace: StoreTrace?) throws -> ModelContainer {
            var configuration = ModelConfiguration(url: file)
            configuration.trace = trace
            return try ModelContainer(for: ObjectFolder.self, configurations: configuration)
        }
        let store = try container(nil)
        try fill(store)
        let traced = try container(reads.trace)
        _ = reads.take()
        try expect(walk(ModelContext(traced), prefetching: true) == Self.folders * Self.each)
        try expect(reads.take() == 2)
        try expect(walk(ModelContext(traced), prefetching: false) == Self.folders * Self.each)
        try expect(reads.take() <= 30)
        return try [true, false].map { isPrefetched in
            try Comparison.ofMinima(
                isPrefetched ? "prefetch lists, 10k × 10" : "read the lists, 10k × 10",
                goal: .withinTimes(isPrefetched ? 1.5 : 2),
                baseline: "two fetches, grouped by hand",
                prepare: { ModelContext(store) },
                ours: { try (walk($0, prefetching: isPrefetched), $0) },
                prepareTheirs: { ModelContext(store) },
                theirs: { try (group($0), $0) }
            )
        }
    }

    private func fill(_ container: ModelContainer) throws {
        let context = ModelContext(container)
        for number in 0..<Self.folders {
            let folder = ObjectFolder(title: "Folder \(number)")
            folder.files = (0..<Self.each).map { ObjectFile(name: "File \($0)", size: $0) }
            context.insert(folder)
        }
        try context.save()
        try container.store.checkpoint()
    }

    private func walk(_ context: ModelContext, prefetching: Bool) throws -> Int {
        var descriptor = FetchDescriptor<ObjectFolder>()
        if prefetching { descriptor.relationshipKeyPathsForPrefetching = [\.files] }
        var count = 0
        for folder in try context.fetch(descriptor) { count += folder.files.count }
        return count
    }

    private func group(_ context: ModelContext) throws -> Int {
        let folders = try context.fetch(FetchDescriptor<ObjectFolder>())
        var lists: [ObjectIdentifier: [ObjectFile]] = [:]
        for file in try context.fetch(FetchDescriptor<ObjectFile>()) {
            guard let folder = file.folder else { continue }
            lists[ObjectIdentifier(folder), default: []].append(file)
        }
        var count = 0
        for folder in folders { count += lists[ObjectIdentifier(folder)]?.count ?? 0 }
        return count
    }
}
