package import Foundation

/// A process of `StoreTestChild`, which works on a database until it is done or killed.
package final class ChildProcess {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()

    /// The program, which the package manager builds beside the tests.
    private static let program: URL? = {
        let tests = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        let beside = [tests, URL(fileURLWithPath: CommandLine.arguments[0])].map {
            $0.deletingLastPathComponent().appendingPathComponent("StoreTestChild")
        }
        return beside.first { FileManager.default.isExecutableFile(atPath: $0.path) }
    }()

    /// Whether there is such a program.
    package static var isAvailable: Bool { program != nil }

    /// Starts a process.
    package init(_ arguments: String...) throws {
        process.executableURL = Self.program
        process.arguments = arguments
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        // Ours of the child's end; reading would not end otherwise.
        try output.fileHandleForWriting.close()
    }

    /// Lets it go on, where it waits for that.
    package func start() throws {
        try input.fileHandleForWriting.close()
    }

    /// Waits for so many bytes of what it prints, or for its end.
    package func read(_ count: Int) throws -> Data {
        var data = Data()
        while data.count < count,
            let more = try output.fileHandleForReading.read(upToCount: count - data.count),
            !more.isEmpty
        { data += more }
        return data
    }

    /// Waits for its end. All that it printed since the last call of `read`.
    package func finish() throws -> String {
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return String(decoding: data, as: UTF8.self)
    }

    /// Ends it at once, and waits until it is gone.
    package func kill() {
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// How it ended: 0 when all went well.
    package var status: Int32 { process.terminationStatus }
}
