import CPostgres
package import Foundation
import Synchronization

/// A server of a test's own, which it can stop, kill, start again, copy and promote.
///
/// It listens on loopback and on a socket in its folder. Everything is removed with the value, and
/// stopped with the tests, whatever ends them.
///
/// ```swift
/// let server = try PostgresServer()
/// let connection = try RawPostgres(server.connectionString)
/// try server.stop(.kill)
/// try server.start()
/// ```
package final class PostgresServer: Sendable {
    /// How a server ends.
    package enum End: CaseIterable, Sendable {
        /// It ends its connections and transactions, and writes everything down: `pg_ctl -m fast`.
        case fast
        /// It ends at once and recovers at its next start: `pg_ctl -m immediate`.
        case immediate
        /// SIGKILL for it and all its processes.
        case kill
    }

    /// What the tests want of a server that does not start.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    private struct State {
        var keeper: Process?
        /// Its end, also when this process ends, stops the server.
        var life: Pipe?
    }

    private let folder: TemporaryFolder
    private let state: Mutex<State>
    /// The port, which it keeps over all its starts.
    package let port: Int

    /// The folder of its socket and its log.
    package var url: URL { folder.url }
    /// The cluster.
    package var data: URL { folder.file("data") }
    /// For a connection over loopback.
    package var connectionString: String { "postgresql://postgres@127.0.0.1:\(port)/postgres" }
    /// For a connection over the socket.
    package var socketConnectionString: String {
        "host='\(url.path)' port=\(port) user=postgres dbname=postgres"
    }

    /// Makes a cluster and starts a server. That takes about a second.
    ///
    /// - Parameters:
    ///   - settings: Lines of postgresql.conf. Without any nothing is written to the disk at once, so
    ///     what is stored survives the server in every way, and not the machine.
    ///   - rules: The lines of pg_hba.conf; nil where everybody on this machine is trusted.
    package init(settings: [String: String] = [:], rules: [String]? = nil) throws {
        folder = try TemporaryFolder()
        port = try Self.freePort()
        state = Mutex(State())
        try PostgresPrograms.own(folder.url)
        try PostgresPrograms.run(
            "initdb",
            "-D",
            data.path,
            "-U",
            "postgres",
            "-A",
            "trust",
            "-E",
            "UTF8",
            "--locale=C.UTF-8",
            "--no-sync"
        )
        let all = [
            "max_connections": "200", "max_prepared_transactions": "20", "fsync": "off",
            "full_page_writes": "off", "timezone": "UTC", "hot_standby_feedback": "on",
        ].merging(settings) { $1 }
        try append(all.map { "\($0) = '\($1)'" }.sorted(), to: "postgresql.conf")
        if let rules { try write(rules, to: "pg_hba.conf") }
        try start()
    }

    /// A copy of another server that follows it.
    private init(following primary: PostgresServer) throws {
        folder = try TemporaryFolder()
        port = try Self.freePort()
        state = Mutex(State())
        try PostgresPrograms.own(folder.url)
        try PostgresPrograms.run(
            "pg_basebackup",
            "-D",
            data.path,
            "-R",
            "-X",
            "stream",
            "-c",
            "fast",
            "--no-sync",
            "-d",
            primary.socketConnectionString
        )
        try start()
    }

    deinit {
        try? stop(.immediate)
    }

    /// Replaces a file of the cluster; the server reads it at its next start, some also at ``reload()``.
    package func write(_ lines: [String], to file: String) throws {
        let url = data.appendingPathComponent(file)
        try Data((lines + [""]).joined(separator: "\n").utf8).write(to: url)
        guard chmod(url.path, 0o600) == 0 else { throw Failure(description: "chmod \(file)") }
        try PostgresPrograms.own(url)
    }

    /// Adds lines to a file of the cluster.
    package func append(_ lines: [String], to file: String) throws {
        let old = try String(contentsOf: data.appendingPathComponent(file), encoding: .utf8)
        try write([old] + lines, to: file)
    }

    /// A port that nobody listens at. The system gives those above 32767 to connections that go out, so
    /// one below stays free while the server is down.
    package static func freePort() throws -> Int {
        for _ in 0..<1000 {
            let port = Int.random(in: 10_000..<32_000)
            if let listener = try? Listener(port: port) {
                listener.close()
                return port
            }
        }
        throw Failure(description: "no free port")
    }
}

extension PostgresServer {
    /// Starts it, and waits until it takes connections.
    package func start() throws {
        let keeper = PostgresPrograms.process(
            "/bin/sh",
            [
                "-c", PostgresPrograms.keeper, "keeper", "QUIT", folder.file("log").path,
                PostgresPrograms.folder?.appendingPathComponent("postgres").path ?? "postgres",
                "-D", data.path, "-p", "\(port)", "-k", url.path,
                "-c", "listen_addresses=127.0.0.1",
            ]
        )
        let life = Pipe()
        keeper.standardInput = life
        keeper.standardOutput = FileHandle.nullDevice
        try PostgresPrograms.start(keeper)
        try life.fileHandleForReading.close()
        state.withLock {
            $0.keeper = keeper
            $0.life = life
        }
        let deadline = ContinuousClock.now + .seconds(60)
        while PQping(socketConnectionString) != PQPING_OK {
            guard keeper.isRunning, ContinuousClock.now < deadline else {
                throw Failure(description: "the server does not start: \(log.suffix(2000))")
            }
            usleep(10_000)
        }
    }

    /// Ends it, and waits until all of its processes are gone. Does nothing when it does not run.
    package func stop(_ end: End) throws {
        let (keeper, life) = state.withLock { state in
            defer { (state.keeper, state.life) = (nil, nil) }
            return (state.keeper, state.life)
        }
        guard let keeper else { return }
        switch end {
        case .fast: signal(SIGINT)
        case .immediate: signal(SIGQUIT)
        case .kill: killAll()
        }
        keeper.waitUntilExit()
        try life?.fileHandleForWriting.close()
    }

    /// Ends it and starts it again.
    package func restart(_ end: End = .fast) throws {
        try stop(end)
        try start()
    }

    /// Makes it read its files of settings again.
    package func reload() { signal(SIGHUP) }

    /// A server that is a copy of this one, and follows it.
    package func replica() throws -> PostgresServer { try PostgresServer(following: self) }

    /// Makes a replica a server that can be written to, and waits until it is.
    package func promote() throws {
        try PostgresPrograms.run("pg_ctl", "promote", "-D", data.path, "-w")
    }

    /// What the server has written down.
    package var log: String {
        (try? String(contentsOf: folder.file("log"), encoding: .utf8)) ?? ""
    }

    /// The server's own process: the first line of its file.
    package var process: pid_t? {
        let file = data.appendingPathComponent("postmaster.pid")
        let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").first.flatMap { pid_t($0) }
    }
}
