import Foundation

/// What the system's calls for files are given and answer.
enum FilePath {
    /// The path of a file URL.
    ///
    /// - Throws: ``ModelFileError`` for other addresses, and for what no path can be.
    static func of(_ url: URL, for operation: ModelFileError.Operation) throws -> String {
        let path = url.path
        // A zero ends the path early, so that another file would be meant.
        let hasZero = url.path(percentEncoded: true).contains("%00")
        guard url.isFileURL, !path.isEmpty, !hasZero else {
            throw ModelFileError(operation, url.isFileURL ? path : "\(url)", .notAFile)
        }
        return path
    }

    /// Where a chain of symbolic links leads, whether there is a file or not.
    ///
    /// - Throws: ``ModelFileError`` for a chain without an end.
    static func following(_ path: String) throws -> String {
        var target = path
        // Linux itself follows forty (path_resolution(7)).
        for _ in 0..<40 {
            var link = [UInt8](repeating: 0, count: Int(PATH_MAX))
            let count = readlink(target, &link, link.count)
            if count < 0 { return target }
            guard let next = String(validating: link[..<count], as: UTF8.self) else {
                throw ModelFileError(.open, path, code: EILSEQ)
            }
            target = next.hasPrefix("/") ? next : folder(of: target) + "/" + next
        }
        throw ModelFileError(.open, path, code: ELOOP)
    }

    /// The path before the last slash.
    static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// What stands behind the last slash.
    static func name(of path: String) -> String {
        String(path[(path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex)...])
    }

    /// Calls the system again as long as a signal interrupts it; -1 with `errno` for errors.
    static func retrying<Result: SignedInteger>(_ call: () -> Result) -> Result {
        while true {
            let result = call()
            if result != -1 || errno != EINTR { return result }
        }
    }
}

extension stat {
    var isRegularFile: Bool { st_mode & S_IFMT == S_IFREG }
}
