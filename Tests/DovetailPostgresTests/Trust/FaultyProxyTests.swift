import Foundation
import PostgresTestSupport
import Testing

@Suite struct FaultyProxyTests {
    /// Answers each statement with its own number of rows.
    private let server: FakeServer
    private let proxy: FaultyProxy

    init() throws {
        server = try FakeServer { sql in
            .rows([.init("a", type: 23)], (0..<(Int(sql) ?? 0)).map { [Array("\($0)".utf8)] })
        }
        proxy = try FaultyProxy(to: server.port)
    }

    private func connect() throws -> RawPostgres {
        try RawPostgres("host=127.0.0.1 port=\(proxy.port) user=a dbname=b connect_timeout=10")
    }

    @Test func `without a fault everything comes through`() throws {
        let connection = try connect()
        #expect(try connection.rows("20000").last == ["19999"])
        #expect(proxy.connections == 1)
        #expect(proxy.strikes == 0)
        #expect(proxy.messages > 20_000)
        #expect(proxy.answered > 20_000 * 12)
    }

    @Test func `connections end on the other side, too`() throws {
        do {
            let connection = try connect()
            #expect(try connection.rows("2").count == 2)
        }
        while proxy.connections > 0 || server.connections > 0 { usleep(500) }
        let connection = try connect()
        proxy.endAll()
        #expect(throws: RawPostgres.Failure.self) { try connection.rows("2") }
        while proxy.connections > 0 || server.connections > 0 { usleep(500) }
    }

    @Test func `answers are cut at each of their bytes, once`() throws {
        let whole = try connect()
        proxy.arm(nil)
        #expect(try whole.rows("3").count == 3)
        let bytes = proxy.answered
        var cuts = 0
        for count in 0..<bytes {
            let connection = try connect()
            proxy.arm(.cut(after: count))
            #expect(throws: RawPostgres.Failure.self, "\(count)") { try connection.rows("3") }
            #expect(try connect().rows("3").count == 3)
            cuts += 1
        }
        #expect(cuts == bytes && bytes > 60)
        #expect(proxy.strikes == cuts)
    }

    @Test func `what a program sends is cut, too`() throws {
        let connection = try connect()
        proxy.arm(.cutRequests(after: 4))
        #expect(throws: RawPostgres.Failure.self) { try connection.rows("3") }
        #expect(proxy.strikes == 1)
    }

    @Test func `a connection that is stalled ends with its client only`() throws {
        let connection = try connect()
        let socket = try Socket(port: proxy.port)
        // A request for TLS, whose answer is one byte.
        proxy.arm(.stall(after: 0))
        try socket.write(WireMessage.int32(8) + WireMessage.int32(80_877_103))
        while proxy.strikes == 0 { usleep(500) }
        #expect(proxy.connections == 2)
        // Another one goes on.
        #expect(try connection.rows("3").count == 3)
        socket.shutDown()
        while proxy.connections > 1 { usleep(500) }
    }

    @Test func `bytes come again`() throws {
        let socket = try Socket(port: proxy.port)
        proxy.arm(.again(after: 1, count: 1))
        for _ in 0..<2 {
            try socket.write(WireMessage.int32(8) + WireMessage.int32(80_877_103))
            #expect(try socket.readAll(1) == [UInt8(ascii: "N")])
        }
        // One answer more has come than was asked for.
        #expect(try socket.readAll(1) == [UInt8(ascii: "N")])
    }

    @Test func `a message is malformed`() throws {
        let connection = try connect()
        proxy.arm(.malform(message: 2, .null(column: 0)))
        // The description is message 0, and the rows come after it.
        #expect(try connection.rows("3") == [["0"], [nil], ["2"]])
        #expect(try connection.rows("1") == [["0"]])
    }

    @Test func `answers are late, until they are not`() throws {
        let connection = try connect()
        proxy.arm(.delay(.milliseconds(30)))
        let start = ContinuousClock.now
        #expect(try connection.rows("3").count == 3)
        #expect(ContinuousClock.now - start >= .milliseconds(60))
        proxy.arm(nil)
        #expect(try connection.rows("3").count == 3)
    }

    @Test func `it leads to another server when it is told to`() throws {
        let other = try FakeServer { _ in .rows([.init("a")], [[Array("other".utf8)]]) }
        let connection = try connect()
        proxy.retarget(to: other.port)
        #expect(try connect().value("1") == "other")
        #expect(try connection.value("1") == "0")
    }
}
