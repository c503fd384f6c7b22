package import Foundation

/// Another process that holds the write lock of a database, or all of it in rollback mode.
package final class FileLock {
    /// The process could not take the lock.
    package struct Failure: Error {}

    private let process: Process
    private let input = Pipe()

    /// Holds the lock until its input ends. Nothing is written to it, so that a process that could
    /// not start ends in an error here and not in a signal.
    private static let script = """
        import sqlite3, sys
        connection = sqlite3.connect(sys.argv[1], isolation_level=None)
        connection.execute("BEGIN EXCLUSIVE")
        print("locked", flush=True)
        sys.stdin.read()
        """

    /// Starts the process and returns when it has the lock.
    package init(_ url: URL) throws {
        let output = Pipe()
        process = Self.python(["-c", Self.script, url.path])
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        let expected = Data("locked\n".utf8)
        let answer = try output.fileHandleForReading.read(upToCount: expected.count)
        guard answer == expected else { throw Failure() }
    }

    private static func python(_ arguments: [String]) -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3"] + arguments
        return process
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

    /// Whether Python with its SQLite is there.
    package static let isAvailable: Bool = {
        let process = python(["-c", "import sqlite3"])
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }()
}
