import Dovetail
import DovetailPostgres
import Foundation
import PostgresTestSupport
import Testing

/// What an address leaves to libpq's environment and files. Each runs in a process of its own, since the
/// environment belongs to all of one.
@Suite(.needsPostgresPrograms) struct AddressTests {
    private let server: PostgresServer
    private let folder: TemporaryFolder

    init() throws {
        server = try PostgresServer(
            rules: ["local all all trust", "host all all 127.0.0.1/32 scram-sha-256"]
        )
        folder = try TemporaryFolder()
        try RawPostgres(server.socketConnectionString).rows(
            "CREATE ROLE app LOGIN PASSWORD 'geheim'; GRANT ALL ON SCHEMA public TO app"
        )
    }

    private var address: String { "postgresql://app@127.0.0.1:\(server.port)/postgres" }

    private func file(_ name: String, _ text: String) throws -> String {
        let url = folder.file(name)
        try Data(text.utf8).write(to: url)
        guard chmod(url.path, 0o600) == 0 else { throw SocketError("chmod") }
        return url.path
    }

    /// Opens a store and reads.
    static func use(_ address: String) throws {
        let configuration = PostgresConfiguration(address)
        let container = try ModelContainer(for: Account.self, configurations: configuration)
        _ = try ModelContext(container).fetchCount(FetchDescriptor<Account>())
    }

    @Test func `a password comes from the environment`() async throws {
        await #expect(processExitsWith: .success) { [address = address as String] in
            setenv("PGPASSWORD", "geheim", 1)
            try AddressTests.use(address)
        }
        await #expect(processExitsWith: .success) { [address = address as String] in
            setenv("PGPASSWORD", "falsch", 1)
            let error = #expect(throws: StoreError.self) { try AddressTests.use(address) }
            #expect(error?.kind == .cannotOpen)
            #expect(error.map { !$0.debugDescription.contains("falsch") } == true)
        }
    }

    @Test func `a password comes from a file, and a place from a service`() async throws {
        let passwords = try file("pgpass", "127.0.0.1:\(server.port):*:app:geheim\n")
        let services = try file(
            "services",
            "[shop]\nhost=127.0.0.1\nport=\(server.port)\nuser=app\ndbname=postgres\n"
        )
        await #expect(processExitsWith: .success) {
            [address = address as String, passwords = passwords as String] in
            setenv("PGPASSFILE", passwords, 1)
            try AddressTests.use(address)
        }
        await #expect(processExitsWith: .success) {
            [services = services as String, passwords = passwords as String] in
            setenv("PGPASSFILE", passwords, 1)
            setenv("PGSERVICEFILE", services, 1)
            try AddressTests.use("service=shop")
            try AddressTests.use("postgresql:///?service=shop")
        }
        try Self.use(FreshSchema.adding("passfile", passwords, to: address))
    }

    @Test func `no password, and a wrong one, are refused at once and shown nowhere`() throws {
        for address in [address, address.replacing("app@", with: "app:falsch@")] {
            let error = #expect(throws: StoreError.self) { try Self.use(address) }
            #expect(error?.kind == .cannotOpen)
            #expect(error.map { !$0.debugDescription.contains("falsch") } == true)
        }
    }

    @Test func `each configuration has schemas of its own, whatever they are called`() throws {
        let names = ["plain", "Up, \"quoted\"", "'; DROP SCHEMA plain; --"]
        let raw = try RawPostgres(server.socketConnectionString)
        var contexts: [ModelContext] = []
        for (number, name) in names.enumerated() {
            try raw.rows("CREATE SCHEMA \(RawPostgres.quoted(name))")
            var configuration = PostgresConfiguration(server.socketConnectionString)
            configuration.searchPath = [name, "public"]
            let context = ModelContext(
                try ModelContainer(for: Account.self, configurations: configuration)
            )
            context.insert(Account(id: number, owner: name, balance: number))
            try context.save()
            contexts.append(context)
        }
        for (name, context) in zip(names, contexts) {
            #expect(try context.fetch(FetchDescriptor<Account>()).map(\.owner) == [name])
        }
        let count = "SELECT count(*) FROM pg_class WHERE relname = 'Account' AND relkind = 'r'"
        #expect(try raw.value(count) == "3")
    }

    @Test func `of several hosts the one that is wanted is taken`() throws {
        let other = try PostgresServer(settings: ["default_transaction_read_only": "on"])
        let address =
            "host=127.0.0.1,127.0.0.1,127.0.0.1 port=\(try PostgresServer.freePort()),"
            + "\(other.port),\(server.port) user=postgres dbname=postgres "
            + "passfile='\(try file("pgpass", "*:*:*:postgres:geheim\n"))' "
        try RawPostgres(server.socketConnectionString).rows(
            "ALTER ROLE postgres PASSWORD 'geheim'"
        )
        try Self.use(address + "target_session_attrs=read-write")
        let raw = try RawPostgres(server.socketConnectionString)
        #expect(try raw.value("SELECT count(*) FROM \"Account\"") == "0")
        // The first one that answers can only be read, and has no table.
        let error = #expect(throws: StoreError.self) {
            try Self.use(address + "target_session_attrs=any")
        }
        #expect(error?.kind == .readOnly)
    }
}
