package import Foundation

/// Real documents and databases that are no part of the repository: `shared/corpora` beside one of the
/// folders around this file; where `DOVETAIL_SHARED` is set, `corpora` in the folder that it names, and
/// nowhere else.
package enum SharedCorpora {
    package static let folder: URL? = {
        var candidates: [URL] = []
        if let named = ProcessInfo.processInfo.environment["DOVETAIL_SHARED"] {
            candidates.append(URL(fileURLWithPath: named).appendingPathComponent("corpora"))
        } else {
            var parent = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            while parent.path != "/" {
                parent.deleteLastPathComponent()
                candidates.append(parent.appendingPathComponent("shared/corpora"))
            }
        }
        return candidates.first { FileManager.default.fileExists(atPath: $0.path) }
    }()

    /// The files with a name that ends in `.json`, or in another suffix, in a folder and below,
    /// sorted, as paths inside of that folder; nothing when the folder is absent: such
    /// tests have the trait `needsCorpora`.
    package static func documents(in path: String, suffix: String = ".json") -> [String] {
        guard let root = folder?.appendingPathComponent(path) else { return [] }
        let all = FileManager.default.enumerator(atPath: root.path)?.compactMap { $0 as? String }
        return (all ?? []).filter { $0.hasSuffix(suffix) }.sorted()
    }

    package static func contents(of document: String, in path: String) throws -> Data {
        guard let folder else { throw CocoaError(.fileNoSuchFile) }
        return try Data(contentsOf: folder.appendingPathComponent(path + "/" + document))
    }
}
