import Dovetail
import Foundation

// Classes and code as programs for SwiftData write them: defaults, initializers, raw values beside
// enums, relationships of all shapes, contexts and descriptors.

enum IdiomKind: String, Codable, CaseIterable { case open, closed, lost }
enum IdiomColor: Int { case red = 1, green }
enum IdiomShape: Codable, Equatable { case round(radius: Double), flat }

struct IdiomPlace: Codable, Hashable {
    var latitude = 0.0
    var longitude = 0.0
    var inner: Inner?

    struct Inner: Codable, Hashable { var name = "" }
}

@Model final class IdiomDefaults {
    var id = UUID()
    var created = Date()
    var changed = Date.now
    var seen: Date = .now
    var kind: IdiomKind = .open
    var lastKind: IdiomKind?
    var kindRaw = IdiomKind.open.rawValue
    var colorRaw: Int = IdiomColor.red.rawValue
    var shape: IdiomShape = .flat
    var title: String? = nil
    var tags: [String] = []
    var names = [String]()
    var numbers = Array<Int>()
    var kinds: [IdiomKind] = [.open]
    var place = IdiomPlace()
    var lastPlace: IdiomPlace?
    var places: [IdiomPlace] = []
    var scores: [String: Int] = [:]
    var link: URL?
    var amount: Decimal = 0
    var small: Int32 = 1
    var wide: Int64 = 2
    var word: UInt16 = 3
    var ratio: Float = 0.5
    var length: TimeInterval = 1
    var payload: Data?
    let version: Int = 1
    private(set) var count = 0
    @Transient var isOpen = false

    /// An enum behind its raw value.
    var color: IdiomColor {
        get { IdiomColor(rawValue: colorRaw) ?? .red }
        set { colorRaw = newValue.rawValue }
    }

    @Transient var transientKind: IdiomKind {
        get { IdiomKind(rawValue: kindRaw) ?? .lost }
        set { kindRaw = newValue.rawValue }
    }

    /// JSON in data.
    var settings: [String: String] {
        get {
            payload.flatMap { try? JSONDecoder().decode([String: String].self, from: $0) } ?? [:]
        }
        set { payload = try? JSONEncoder().encode(newValue) }
    }

    init() {}

    func increase() { count += 1 }
}

struct IdiomError: Error {}

@Model final class IdiomFolder {
    /// What names it.
    @Attribute(.unique) public let code: String
    var title: String
    var opened: Date
    @Relationship(deleteRule: .cascade, inverse: \IdiomFile.folder) var files: [IdiomFile] = []
    var notes: [IdiomNote]? = []
    @Relationship var cover: IdiomCover?
    var parent: IdiomFolder?
    @Relationship(inverse: \IdiomFolder.parent) var children: [IdiomFolder] = []
    @Relationship(deleteRule: .nullify) var readers = [IdiomReader]()

    init(code: String, title: String, opened: Date = .now, parent: IdiomFolder? = nil) {
        self.code = code
        self.title = title
        self.opened = Calendar(identifier: .gregorian).startOfDay(for: opened)
        self.parent = parent
        normalize()
    }

    convenience init(title: String) {
        self.init(code: title.lowercased(), title: title)
    }

    convenience init?(optional title: String?) {
        guard let title else { return nil }
        self.init(title: title)
    }

    init(checking title: String) throws {
        guard !title.isEmpty else { throw IdiomError() }
        self.code = title
        self.title = title
        self.opened = .distantPast
    }

    private func normalize() { title = title.trimmingCharacters(in: .whitespaces) }
}

@Model final class IdiomFile {
    var name: String
    /// Always there.
    var folder: IdiomFolder

    init(name: String, folder: IdiomFolder) {
        self.name = name
        self.folder = folder
    }
}

@Model final class IdiomNote {
    var text: String
    var folder: IdiomFolder?

    init(text: String, folder: IdiomFolder? = nil) {
        self.text = text
        self.folder = folder
    }

    func remove() { modelContext?.delete(self) }
}

@Model final class IdiomCover {
    var image: Data
    required init(image: Data) { self.image = image }
}

@Model final class IdiomReader {
    var name: String
    init(_ name: String) { self.name = name }
}

extension IdiomFolder {
    static let sample = "sample"

    static func named(_ name: String) -> Predicate<IdiomFolder> {
        #Predicate<IdiomFolder> { folder in folder.title == name }
    }

    static func opened(after date: Date) -> Predicate<IdiomFolder> {
        #Predicate { $0.opened > date }
    }
}

extension FetchDescriptor where T == IdiomFolder {
    static var recent: FetchDescriptor<IdiomFolder> {
        var descriptor = FetchDescriptor(
            predicate: #Predicate<IdiomFolder> { $0.parent == nil },
            sortBy: [SortDescriptor(\.opened, order: .reverse)]
        )
        descriptor.fetchLimit = 10
        descriptor.relationshipKeyPathsForPrefetching = [\.files]
        descriptor.propertiesToFetch = [\.title]
        return descriptor
    }
}

/// A store that several screens share.
@MainActor
final class IdiomService {
    private let context: ModelContext
    init(context: ModelContext) { self.context = context }

    func fetch<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) throws -> [T] {
        try context.fetch(descriptor)
    }

    func all<T>(_ type: T.Type, where predicate: Predicate<T>? = nil) -> [T]
    where T: PersistentModel {
        (try? context.fetch(FetchDescriptor<T>(predicate: predicate))) ?? []
    }

    func delete(_ object: some PersistentModel) throws {
        context.delete(object)
        if context.hasChanges { try context.save() }
    }

    func add(_ object: any PersistentModel) {
        context.insert(object)
    }
}

enum IdiomSchemaV1: VersionedSchema {
    static let versionIdentifier = Schema.Version(1, 0, 0)
    static var models: [any PersistentModel.Type] {
        [IdiomFolder.self, IdiomFile.self, IdiomNote.self, IdiomCover.self, IdiomReader.self]
    }
}

enum IdiomPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [IdiomSchemaV1.self] }
    static var stages: [MigrationStage] { [] }
}

@MainActor
enum IdiomPreview {
    static let container: ModelContainer = {
        do {
            let configuration = ModelConfiguration(isStoredInMemoryOnly: true)
            let container = try ModelContainer(
                for: IdiomFolder.self,
                IdiomNote.self,
                configurations: configuration
            )
            container.mainContext.insert(IdiomFolder(code: "p", title: "preview"))
            return container
        } catch {
            fatalError("\(error)")
        }
    }()
}

@ModelActor
actor IdiomLibrarian {
    func add(_ title: String) throws -> PersistentIdentifier {
        let folder = IdiomFolder(title: title)
        modelContext.insert(folder)
        try modelContext.save()
        return folder.persistentModelID
    }

    func title(of id: PersistentIdentifier) -> String? {
        guard let folder = self[id, as: IdiomFolder.self] else { return nil }
        return folder.title
    }

    func count<T: PersistentModel>(of type: T.Type) throws -> Int {
        try modelContext.fetchCount(FetchDescriptor<T>())
    }

    func identifiers() throws -> [PersistentIdentifier] {
        try modelContext.fetch(FetchDescriptor<IdiomFolder>(sortBy: [.init(\.title)]))
            .map(\.persistentModelID)
    }
}

extension IdiomFolder {
    /// Deletes all.
    @ModelActor
    public final actor Cleaner {
        func clean() throws {
            try modelContext.delete(model: IdiomFolder.self)
            try modelContext.save()
        }
    }
}

actor IdiomHandMadeActor: ModelActor {
    nonisolated let modelContainer: ModelContainer
    nonisolated let modelExecutor: any ModelExecutor

    init(container: ModelContainer) {
        modelContainer = container
        let context = ModelContext(container)
        context.autosaveEnabled = false
        modelExecutor = DefaultSerialModelExecutor(modelContext: context)
    }

    func titles(matching text: String, after: Date) throws -> [String] {
        var descriptor = FetchDescriptor<IdiomFolder>(
            predicate: #Predicate { $0.title.localizedStandardContains(text) && $0.opened > after },
            sortBy: [SortDescriptor(\.title)]
        )
        descriptor.fetchLimit = 20
        return try modelContext.fetch(descriptor).map(\.title)
    }
}
