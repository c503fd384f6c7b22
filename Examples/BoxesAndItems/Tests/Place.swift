import Boxes
import Dovetail

/// Where the boxes of a test are. All of them have to mean the same.
enum Place: CaseIterable, Sendable {
    case memory
    case sqlite
    case sqliteInMemory

    /// Runs `body` with the configuration of a new store.
    func withConfiguration(_ body: (any DataStoreConfiguration) throws -> Void) throws {
        let name = "boxes-\(UUID().uuidString)"
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(name)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        switch self {
        case .memory: try body(MemoryConfiguration())
        case .sqlite:
            try body(ModelConfiguration(url: folder.appendingPathComponent("boxes.sqlite")))
        case .sqliteInMemory: try body(ModelConfiguration(isStoredInMemoryOnly: true))
        }
    }

    /// Runs `body` with boxes in a new store.
    func withBoxes(_ body: (Boxes) throws -> Void) throws {
        try withConfiguration { try body(Boxes($0)) }
    }
}
