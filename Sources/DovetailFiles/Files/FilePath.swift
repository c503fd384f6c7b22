import Foundation

/// Paths, as the calls of the system take them, and the repetition of interrupted calls.
enum FilePath {
    /// The path of a file URL.
    ///
    /// - Parameter operation: What the error says was being done.
    /// - Throws: ``ModelFileError`` with the kind `notAFile` for a URL that is no file URL, has
    ///   no path, or contains a zero.
    static func of(_ url: URL, for operation: ModelFileError.Operation) throws -> String {
        let path = url.path
        // A path ends at a zero, so the system would take another file.
        let hasZero = url.path(percentEncoded: true).contains("%00")
        guard url.isFileURL, !path.isEmpty, !hasZero else {
            throw ModelFileError(operation, url.isFileURL ? path : "\(url)", .notAFile)
        }
        return path
    }

    /// Where a chain of symbolic links leads, whether or not there is a file.
    ///
    /// - Throws: ``ModelFileError`` for a chain without an end, and for a link that is not UTF-8.
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

    /// The path before the last slash: `.` without a slash, `/` for a file in the root.
    static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// What follows the last slash; empty for a path that ends with one.
    static func name(of path: String) -> String {
        String(path[(path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex)...])
    }

    /// Calls the system again as long as a signal interrupts it (signal(7)). The result is -1 for
    /// other errors, whose number is in `errno`.
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
