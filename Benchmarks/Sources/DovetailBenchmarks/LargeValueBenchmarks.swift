import Dovetail
import Foundation

/// An object with a large value.
@Model final class ObjectPhoto {
    var title: String
    @Attribute(.externalStorage) var cover: Data?
    var size: Int

    init(title: String, size: Int) {
        self.title = title
        self.size = size
    }
}

/// Objects that are without their large values, against the same that read them at once.
struct LargeValueBenchmarks {
    let files: SQLiteFiles

    private static let count = 20_000

    func comparisons() throws -> [Comparison] {
        let file = files.fresh()
        let container = try ModelContainer(
            for: ObjectPhoto.self,
            configurations: ModelConfiguration(url: file)
        )
        let context = ModelContext(container)
        for number in 0..<Self.count {
            let photo = ObjectPhoto(title: "Photo \(number)", size: number)
            photo.cover = Data(repeating: UInt8(truncatingIfNeeded: number), count: 20_000)
            context.insert(photo)
        }
        try context.save()
        try container.store.checkpoint()
        return [
            try Comparison.ofMinima(
                "fetch 20k objects, 20 kB of each unread",
                goal: .withinTimes(0.75),
                baseline: "the same, read at once",
                prepare: { ModelContext(container) },
                ours: { (try photos($0, reading: []), $0) },
                prepareTheirs: { ModelContext(container) },
                theirs: { (try photos($0, reading: [\.cover]), $0) }
            )
        ]
    }

    private func photos(
        _ context: ModelContext,
        reading properties: [any PartialKeyPath<ObjectPhoto> & Sendable]
    ) throws -> Int {
        var descriptor = FetchDescriptor<ObjectPhoto>()
        descriptor.propertiesToFetch = properties
        return try context.fetch(descriptor).reduce(0) { $0 + $1.size }
    }
}
