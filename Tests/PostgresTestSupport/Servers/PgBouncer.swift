import CPostgres
import Foundation
package import Testing

/// A proxy that lends a session of a server for one transaction: PgBouncer with `pool_mode = transaction`. It
/// listens on loopback, and is stopped with the value and with the tests.
package final class PgBouncer: Sendable {
    private let folder: TemporaryFolder
    /// Its end, also when this process ends, stops the proxy.
    private let life: Pipe
    private let keeper: Process
    private let port: Int

    /// For a connection through it.
    package var connectionString: String { "postgresql://postgres@127.0.0.1:\(port)/postgres" }

    /// The program; nil where it is not installed.
    package static let program: String? = ["/usr/sbin/pgbouncer", "/usr/bin/pgbouncer"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    /// Starts it.
    ///
    /// - Parameters:
    ///   - port: Where the server is, on loopback.
    ///   - size: How many sessions it has there.
    package init(before server: Int, size: Int = 20) throws {
        folder = try TemporaryFolder()
        port = try PostgresServer.freePort()
        try PostgresPrograms.own(folder.url)
        let file = folder.file("pgbouncer.ini")
        let settings = """
            [databases]
            * = host=127.0.0.1 port=\(server) user=postgres
            [pgbouncer]
            listen_addr = 127.0.0.1
            listen_port = \(port)
            unix_socket_dir =
            auth_type = any
            pool_mode = transaction
            default_pool_size = \(size)
            max_client_conn = 500
            """
        try Data(settings.utf8).write(to: file)
        try PostgresPrograms.own(file)
        keeper = PostgresPrograms.process(
            "/bin/sh",
            [
                "-c", PostgresPrograms.keeper, "keeper", "TERM", folder.file("log").path,
                Self.program ?? "pgbouncer", file.path,
            ]
        )
        life = Pipe()
        keeper.standardInput = life
        keeper.standardOutput = FileHandle.nullDevice
        try PostgresPrograms.start(keeper)
        try life.fileHandleForReading.close()
        let deadline = ContinuousClock.now + .seconds(20)
        while PQping(connectionString) != PQPING_OK {
            guard keeper.isRunning, ContinuousClock.now < deadline else {
                let log = try? String(contentsOf: folder.file("log"), encoding: .utf8)
                throw PostgresServer.Failure(description: "no proxy: \(log?.suffix(2000) ?? "")")
            }
            usleep(10_000)
        }
    }

    deinit {
        try? life.fileHandleForWriting.close()
        keeper.waitUntilExit()
    }
}

extension Trait where Self == ConditionTrait {
    /// Skips a test behind a proxy where none is installed.
    package static var needsPgBouncer: Self {
        .enabled(if: PgBouncer.program != nil, "no PgBouncer")
    }
}
