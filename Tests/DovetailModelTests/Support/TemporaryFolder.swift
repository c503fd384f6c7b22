import Foundation

/// A folder that is removed with what is in it.
final class TemporaryFolder: Sendable {
    let url: URL

    init() throws {
        // Links on the way would make the paths in errors differ.
        url = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
            .appendingPathComponent("dovetail-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    func file(_ name: String = "library.json") -> URL { url.appendingPathComponent(name) }

    func write(_ text: String, to name: String = "library.json") throws -> URL {
        let file = file(name)
        try Data(text.utf8).write(to: file)
        return file
    }

    /// The names of all that is in it.
    func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: url.path).sorted()
    }
}

/// A file's content as text.
func text(of file: URL) throws -> String {
    String(decoding: try Data(contentsOf: file), as: UTF8.self)
}
