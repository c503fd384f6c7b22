import Dovetail
import Foundation
import StoreTestSupport
import Testing

/// What tests of large values begin with.
protocol SnapTests {}

extension SnapTests {
    static var models: [any Model.Type] {
        [
            LazySnap.self, SnapAlbum.self, SnapFile.self, SnapFilm.self, SnapMarked.self,
            SnapObserved.self, SnapEager.self, SnapHooked.self,
        ]
    }

    func container(_ kind: StoreKind) throws -> ModelContainer {
        try kind.container(Self.models)
    }

    func traced(_ log: StatementLog) throws -> ModelContainer {
        var configuration = ModelConfiguration(isStoredInMemoryOnly: true)
        configuration.trace = log.trace()
        return try ModelContainer(for: Self.models, configuration: configuration)
    }

    /// Saves a snap with all values.
    @discardableResult
    func save(_ name: String, in container: ModelContainer) throws -> LazySnap {
        let context = ModelContext(container)
        let snap = LazySnap(name: name)
        snap.picture = Data(name.utf8)
        snap.scan = Data([1, 2, 3])
        snap.text = "text of \(name)"
        snap.points = [1, 2.5]
        snap.notes = ["a": name]
        context.insert(snap)
        try context.save()
        return snap
    }

    func snap(_ name: String, in context: ModelContext) throws -> LazySnap {
        let named = FetchDescriptor<LazySnap>(predicate: #Predicate { $0.name == name })
        return try #require(try context.fetch(named).first)
    }
}
