import Foundation
import PostgresTestSupport
import Testing

@Suite(.needsPostgresPrograms) struct ServerTests {
    @Test(arguments: PostgresServer.End.allCases)
    func `what was committed is there after a server's end`(end: PostgresServer.End) throws {
        let server = try PostgresServer()
        do {
            let connection = try RawPostgres(server.connectionString)
            try connection.rows(
                "CREATE TABLE t (a int); INSERT INTO t SELECT generate_series(1, 100)"
            )
            try server.restart(end)
            #expect(throws: RawPostgres.Failure.self) { try connection.rows("SELECT 1") }
        }
        let connection = try RawPostgres(server.socketConnectionString)
        #expect(try connection.value("SELECT sum(a) FROM t") == "5050")
        #expect(server.log.contains("not properly shut down") == (end != .fast))
    }

    @Test func `a replica has what its primary has, and takes writes when it is promoted`() throws {
        let server = try PostgresServer()
        let primary = try RawPostgres(server.connectionString)
        try primary.rows("CREATE TABLE t (a int)")
        let replica = try server.replica()
        let copy = try RawPostgres(replica.connectionString)
        try primary.rows("INSERT INTO t VALUES (7)")
        let position = try #require(try primary.value("SELECT pg_current_wal_lsn()"))
        while try copy.value("SELECT pg_last_wal_replay_lsn() >= '\(position)'") != "t" {}
        #expect(try copy.value("SELECT a FROM t") == "7")
        #expect(throws: RawPostgres.Failure.self) { try copy.rows("INSERT INTO t VALUES (8)") }
        try server.stop(.kill)
        try replica.promote()
        try copy.rows("INSERT INTO t VALUES (8)")
        #expect(try copy.value("SELECT sum(a) FROM t") == "15")
    }

    @Test func `nothing of a server is left`() throws {
        var server: PostgresServer? = try PostgresServer(settings: ["work_mem": "5MB"])
        let url = try #require(server?.url)
        let process = try #require(server?.process)
        let connection = try RawPostgres(try #require(server?.connectionString))
        #expect(try connection.value("SHOW work_mem") == "5MB")
        server = nil
        #expect(!FileManager.default.fileExists(atPath: url.path))
        #expect(kill(process, 0) != 0)
    }

    @Test func `a server that cannot start says why`() throws {
        let server = try PostgresServer()
        try server.stop(.fast)
        try server.append(["work_mem = 'much'"], to: "postgresql.conf")
        #expect(throws: PostgresServer.Failure.self) { try server.start() }
        #expect(server.log.contains("work_mem"))
    }
}

@Suite(.needsPostgres) struct SchemaTests {
    @Test func `schemas of two tests do not see each other`() throws {
        let first = try FreshSchema()
        let second = try FreshSchema()
        try first.connect().rows("CREATE TABLE t (a int)")
        #expect(try first.connect().value("SELECT count(*) FROM t") == "0")
        #expect(throws: RawPostgres.Failure.self) { try second.connect().rows("SELECT * FROM t") }
    }

    @Test func `a schema goes with its value`() throws {
        var schema: FreshSchema? = try FreshSchema()
        let name = try #require(schema?.name)
        let connection = try RawPostgres(try #require(SharedPostgres.connectionString))
        let count = "SELECT count(*) FROM pg_namespace WHERE nspname = '\(name)'"
        #expect(try connection.value(count) == "1")
        schema = nil
        #expect(try connection.value(count) == "0")
    }

    @Test func `a parameter is added to both forms of a connection string`() {
        let url = FreshSchema.adding("options", "-csearch_path=a", to: "postgresql://h/d")
        #expect(url == "postgresql://h/d?options=%2Dcsearch%5Fpath%3Da")
        let more = FreshSchema.adding("application_name", "b c", to: url)
        #expect(
            more.hasSuffix("%3Da&application%5Fname=b%20c")
                || more.hasSuffix("&application_name=b%20c")
        )
        let pairs = FreshSchema.adding("options", "it's", to: "host=h")
        #expect(pairs == #"host=h options='it\'s'"#)
    }
}
