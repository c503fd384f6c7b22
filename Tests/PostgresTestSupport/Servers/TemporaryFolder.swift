package import Foundation

/// A folder of its own for a test, removed with the value.
package final class TemporaryFolder: Sendable {
    package let url: URL

    package init() throws {
        url = FileManager.default.temporaryDirectory
            .appendingPathComponent("dovetail-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    /// A file in the folder, whether it exists or not.
    package func file(_ name: String = "test.sqlite") -> URL {
        url.appendingPathComponent(name)
    }
}
