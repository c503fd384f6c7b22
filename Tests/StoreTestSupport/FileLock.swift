package import Foundation

/// Another process that holds the write lock of a database, or all of it in rollback mode.
package final class FileLock {
    /// The process could not take the lock.
    package struct Failure: Error {}

    private let process = Process()
    private let input = Pipe()

    /// Starts `sqlite3` and returns when it has the lock.
    package init(_ url: URL) throws {
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["sqlite3", "-batch", url.path]
        process.standardInput = input
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        input.fileHandleForWriting.write(Data("BEGIN EXCLUSIVE; SELECT 'locked';\n".utf8))
        let answer = output.fileHandleForReading.availableData
        guard answer == Data("locked\n".utf8) else { throw Failure() }
    }

    /// Gives the lock back.
    package func release() {
        guard process.isRunning else { return }
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    deinit {
        release()
    }

    /// Whether the `sqlite3` tool is there.
    package static let isAvailable = (try? FileLock(URL(fileURLWithPath: ""))) != nil
}
