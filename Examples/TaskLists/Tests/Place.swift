import Dovetail
import TaskModels

/// Where the tasks of a test are. All of them have to mean the same.
enum Place: CaseIterable, Sendable {
    case memory
    case sqlite
    case sqliteInMemory

    /// Runs `body` with a new store.
    func withContainer(_ body: (ModelContainer) throws -> Void) throws {
        let name = "tasks-\(UUID().uuidString)"
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(name)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let configuration: any DataStoreConfiguration =
            switch self {
            case .memory: MemoryConfiguration()
            case .sqlite: ModelConfiguration(url: folder.appendingPathComponent("tasks.sqlite"))
            case .sqliteInMemory: ModelConfiguration(isStoredInMemoryOnly: true)
            }
        try body(ModelContainer(for: taskModels, configuration: configuration))
    }
}
