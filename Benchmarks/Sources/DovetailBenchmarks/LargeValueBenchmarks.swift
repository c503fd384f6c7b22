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

/// The same without it.
@Model final class ObjectLabel {
    var title: String
    var size: Int

    init(title: String, size: Int) {
        self.title = title
        self.size = size
    }
}

/// Objects that are without their large values, against objects of a class that has none.
struct LargeValueBenchmarks {
    let files: SQLiteFiles

    private static let count = 20_000

    func comparisons() throws -> [Comparison] {
        let file = files.fresh()
        let container = try ModelContainer(
            for: ObjectPhoto.self,
            ObjectLabel.self,
            configurations: ModelConfiguration(url: file)
        )
        let context = ModelContext(container)
        for number in 0..<Self.count {
            let photo = ObjectPhoto(title: "Photo \(number)", size: number)
            photo.cover = Data(repeating: UInt8(truncatingIfNeeded: number), count: 20_000)
            context.insert(photo)
            context.insert(ObjectLabel(title: "Photo \(number)", size: number))
        }
        try context.save()
        try container.store.checkpoint()
        return [
            try Comparison.ofMinima(
                "fetch 20k objects, 20 kB of each unread",
                goal: .withinTimes(2),
                baseline: "fetch 20k objects without",
                prepare: { ModelContext(container) },
                ours: { (try photos($0), $0) },
                prepareTheirs: { ModelContext(container) },
                theirs: { (try labels($0), $0) }
            )
        ]
    }

    private func photos(_ context: ModelContext) throws -> Int {
        try context.fetch(FetchDescriptor<ObjectPhoto>()).reduce(0) { $0 + $1.size }
    }

    private func labels(_ context: ModelContext) throws -> Int {
        try context.fetch(FetchDescriptor<ObjectLabel>()).reduce(0) { $0 + $1.size }
    }
}
