package import Foundation

/// The programs of a PostgreSQL server that is installed here.
package enum PostgresPrograms {
    /// What a program said when it failed.
    package struct Failure: Error, CustomStringConvertible {
        package let program: String
        package let output: String
        package var description: String { "\(program) failed: \(output)" }
    }

    /// Their folder: of the newest version in Debian's places, or else one of `PATH`.
    package static let folder: URL? = {
        let versions = URL(fileURLWithPath: "/usr/lib/postgresql")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: versions.path)) ?? []
        let debian = names.compactMap { Int($0) }.sorted(by: >).map {
            versions.appendingPathComponent("\($0)/bin")
        }
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let others = path.split(separator: ":").map { URL(fileURLWithPath: String($0)) }
        return (debian + others).first { folder in
            ["initdb", "postgres", "pg_basebackup"].allSatisfy {
                FileManager.default.isExecutableFile(
                    atPath: folder.appendingPathComponent($0).path
                )
            }
        }
    }()

    /// The user who runs them where the tests run as root, which PostgreSQL refuses; nil where
    /// they do not.
    static let user: (name: String, id: uid_t, group: gid_t)? = {
        guard getuid() == 0 else { return nil }
        for name in ["postgres", "nobody"] {
            if let entry = getpwnam(name)?.pointee { return (name, entry.pw_uid, entry.pw_gid) }
        }
        return nil
    }()

    /// Gives a file to that user.
    static func own(_ url: URL) throws {
        guard let user else { return }
        guard chown(url.path, user.id, user.group) == 0 else {
            throw Failure(program: "chown", output: String(cString: strerror(errno)))
        }
    }

    /// A process that is not started yet, of a program of the folder or of a path, as that user.
    static func process(_ program: String, _ arguments: [String]) -> Process {
        let path =
            program.hasPrefix("/")
            ? program : folder?.appendingPathComponent(program).path ?? program
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [path] + arguments
        if let user {
            process.arguments =
                [
                    "setpriv", "--reuid=\(user.id)", "--regid=\(user.group)", "--clear-groups",
                    path,
                ] + arguments
        }
        // The folder of the tests may be closed to that user.
        process.currentDirectoryURL = URL(fileURLWithPath: "/")
        return process
    }

    /// A script that runs a server until it ends by itself, or the pipe of standard input does. Its arguments are
    /// the signal that ends the server, the file of its log, and the server with its own.
    static let keeper = """
        signal=$1 log=$2
        shift 2
        exec 3<&0 2>>"$log"
        "$@" 3<&- </dev/null >>"$log" &
        server=$!
        (read -r line <&3; kill -"$signal" "$server") &
        watcher=$!
        wait "$server"
        kill "$watcher"
        """

    /// Starts a process with no signal blocked. The threads of libdispatch block all, a process begins
    /// with what its thread blocks, and a shell that never hears of the end of its children waits forever.
    static func start(_ process: Process) throws {
        var none = sigset_t()
        var own = sigset_t()
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, &own)
        defer { pthread_sigmask(SIG_SETMASK, &own, nil) }
        try process.run()
    }

    /// Runs a program and waits for its end.
    ///
    /// - Throws: ``Failure`` with what it printed, when it failed.
    static func run(_ program: String, _ arguments: String...) throws {
        try run(program, arguments)
    }

    /// The same with a list.
    static func run(_ program: String, _ arguments: [String]) throws {
        let process = process(program, arguments)
        let output = Pipe()
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = output
        try start(process)
        try output.fileHandleForWriting.close()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failure(program: program, output: String(decoding: data, as: UTF8.self))
        }
    }
}
