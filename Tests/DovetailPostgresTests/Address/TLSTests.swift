import Dovetail
import DovetailPostgres
import Foundation
import PostgresTestSupport
import Testing

/// A server that speaks TLS, with certificates that the test has signed.
@Suite(.needsPostgresPrograms, .needsOpenSSL) struct TLSTests {
    private let certificates: Certificates
    private let server: PostgresServer

    init() throws {
        certificates = try Certificates()
        try certificates.sign("server")
        server = try PostgresServer(
            settings: [
                "ssl": "on", "ssl_cert_file": certificates.certificate("server"),
                "ssl_key_file": certificates.key("server"),
                "ssl_ca_file": certificates.authority,
            ],
            rules: [
                "local all all trust",
                "hostssl all sailor 127.0.0.1/32 cert",
                "hostssl all app 127.0.0.1/32 scram-sha-256",
                "hostssl all all 127.0.0.1/32 trust",
            ]
        )
        try RawPostgres(server.socketConnectionString).rows(
            """
            CREATE ROLE sailor LOGIN; CREATE ROLE app LOGIN PASSWORD 'geheim';
            GRANT ALL ON SCHEMA public TO sailor, app
            """
        )
    }

    /// An address that checks the server's certificate and name.
    private func address(_ role: String, root: String? = nil, _ more: String = "") -> String {
        "host=localhost hostaddr=127.0.0.1 port=\(server.port) user=\(role) dbname=postgres "
            + "sslmode=verify-full sslrootcert='\(root ?? certificates.authority)' \(more)"
    }

    /// Opens a store, writes and reads.
    private func use(_ address: String) throws {
        let configuration = PostgresConfiguration(address)
        let context = ModelContext(
            try ModelContainer(for: Account.self, configurations: configuration)
        )
        context.upsert(Account(id: 1, owner: "Ann", balance: 1))
        try context.save()
        #expect(try context.fetch(Account.self, id: 1)?.owner == "Ann")
    }

    /// The error of an address that leads to no store, which shows nothing of the secrets.
    private func refusal(_ address: String) -> StoreError? {
        let error = #expect(throws: StoreError.self) { try use(address) }
        for secret in ["geheim", "falsch"] {
            #expect(error.map { !"\($0)".contains(secret) } == true)
            #expect(error.map { !$0.debugDescription.contains(secret) } == true)
        }
        return error
    }

    @Test func `a server is trusted by its authority and its name`() throws {
        try use(address("app", "password=geheim"))
        try use(address("postgres"))
        let raw = try RawPostgres(address("postgres"))
        let isSafe = "SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()"
        #expect(try raw.value(isSafe) == "t")
    }

    @Test func `a certificate of another authority, for another host or of the past is refused`()
        throws
    {
        let stranger = try Certificates(name: "stranger")
        let wrong = refusal(address("app", root: stranger.authority, "password=geheim"))
        #expect(wrong?.kind == .cannotOpen)
        #expect(wrong?.debugDescription.contains("certificate verify failed") == true)
        for (name, host, days, words) in [
            ("elsewhere", "db.example.com", 2, "does not match host name"),
            ("expired", "localhost", -1, "certificate verify failed"),
        ] {
            try certificates.sign(name, host: host, days: days)
            try server.append(
                [
                    "ssl_cert_file = '\(certificates.certificate(name))'",
                    "ssl_key_file = '\(certificates.key(name))'",
                ],
                to: "postgresql.conf"
            )
            try server.restart()
            let error = refusal(address("app", "password=geheim"))
            #expect(error?.kind == .cannotOpen)
            #expect(error?.debugDescription.contains(words) == true, "\(name)")
        }
    }

    @Test func `a server without TLS is refused, and so is a client without`() throws {
        let plain = refusal(address("app", "password=geheim sslmode=disable"))
        #expect(plain?.kind == .cannotOpen)
        try server.append(["ssl = off"], to: "postgresql.conf")
        try server.restart()
        let error = refusal(address("app", "password=geheim"))
        #expect(error?.kind == .cannotOpen)
        #expect(error?.debugDescription.contains("does not support SSL") == true)
    }

    @Test func `a role is who its certificate says`() throws {
        try certificates.sign("sailor")
        try certificates.sign("pirate")
        func files(_ name: String) -> String {
            "sslcert='\(certificates.certificate(name))' sslkey='\(certificates.key(name))'"
        }
        try use(address("sailor", files("sailor")))
        for more in [files("pirate"), ""] {
            #expect(refusal(address("sailor", more))?.kind == .cannotOpen)
        }
    }

    @Test func `a certificate that no longer holds is told at once to whoever has a connection`()
        throws
    {
        var configuration = PostgresConfiguration(address("postgres"))
        configuration.pool.waitsFor = .seconds(600)
        let container = try ModelContainer(for: Account.self, configurations: configuration)
        _ = try ModelContext(container).fetchCount(FetchDescriptor<Account>())
        try certificates.sign("expired", days: -1)
        try server.append(
            [
                "ssl_cert_file = '\(certificates.certificate("expired"))'",
                "ssl_key_file = '\(certificates.key("expired"))'",
            ],
            to: "postgresql.conf"
        )
        try server.restart()
        let start = ContinuousClock.now
        let error = #expect(throws: StoreError.self) {
            _ = try ModelContext(container).fetchCount(FetchDescriptor<Account>())
        }
        #expect(error?.kind == .cannotOpen)
        #expect(ContinuousClock.now - start < .seconds(300))
    }
}
