import DovetailTesting
import Foundation
import PostgresTestSupport
import StoreTestSupport
import Testing

@Suite struct FakeServerTests {
    private static func rows(_ sql: String) -> FakeServer.Answer {
        switch sql {
        case "SELECT 42":
            .rows(
                [.init("answer", type: 23), .init("words")],
                [[Array("42".utf8), nil], [Array("43".utf8), Array("it".utf8)]]
            )
        case "DELETE": .done("DELETE 3")
        case "end": .end
        default: .error(state: "42601", "what is \(sql)?")
        }
    }

    @Test func `libpq takes it for a server`() throws {
        let server = try FakeServer(answer: Self.rows)
        let connection = try RawPostgres(server.connectionString)
        #expect(server.connections == 1)
        for _ in 0..<3 {
            #expect(try connection.rows("SELECT 42") == [["42", nil], ["43", "it"]])
            #expect(try connection.rows("DELETE") == [])
            #expect(try connection.rows("") == [])
        }
        do {
            try connection.rows("nonsense")
            Issue.record("it was understood")
        } catch let failure as RawPostgres.Failure {
            #expect(failure.state == "42601")
            #expect(failure.message.contains("what is nonsense?"))
        }
        #expect(try connection.value("SELECT 42") == "42")
        #expect(throws: RawPostgres.Failure.self) { try connection.rows("end") }
    }

    @Test func `what is harmed reaches libpq`() throws {
        // The messages of the connection's beginning are the first ten.
        let server = try FakeServer(
            harm: { message, number in
                number < 10
                    ? message.bytes : Malformation.length(Int(Int32.max)).applied(to: message)
            },
            answer: Self.rows
        )
        let connection = try RawPostgres(server.connectionString)
        #expect(throws: RawPostgres.Failure.self) { try connection.rows("SELECT 42") }
    }

    /// libpq itself must come to an end whatever it is sent, or nothing above it can.
    @Test(arguments: SeededRandom.seeds)
    func `libpq survives what is malformed at random`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var failed = 0
        let rounds = Soak.count(100, soak: 10_000)
        for _ in 0..<rounds {
            let at = random.below(14)
            let malformation = Malformation.random(&random)
            let server = try FakeServer(
                patience: .milliseconds(30),
                harm: { $1 == at ? malformation.applied(to: $0) : $0.bytes },
                answer: { sql in sql == "SELECT 42" ? Self.rows(sql) : .end }
            )
            // A program that waits for the rest of a message is sent away after a while.
            do {
                let connection = try RawPostgres(server.connectionString)
                _ = try connection.rows("SELECT 42")
            } catch is RawPostgres.Failure { failed += 1 }
        }
        #expect(failed > rounds / 10 && failed < rounds)
    }
}

@Suite struct MalformationTests {
    private let row = WireMessage.row([Array("ab".utf8), nil])

    @Test func `each changes what it says`() {
        func bytes(_ malformation: Malformation) -> [UInt8] { malformation.applied(to: row) }
        let plain: [UInt8] = [68, 0, 0, 0, 16, 0, 2, 0, 0, 0, 2, 97, 98, 255, 255, 255, 255]
        #expect(row.bytes == plain)
        #expect(Array(bytes(.length(-1))[1...4]) == [255, 255, 255, 255])
        #expect(bytes(.lengthOff(by: 1))[4] == 17)
        #expect(bytes(.type(65)) == [65] + plain.dropFirst())
        #expect(Array(bytes(.count(300))[5...6]) == [1, 44])
        #expect(bytes(.value(column: 0, size: 1)) == WireMessage.row([[97], nil]).bytes)
        #expect(
            bytes(.value(column: 3, size: 2)) == WireMessage.row([[97, 98], [0xA5, 0xA5]]).bytes
        )
        #expect(Array(bytes(.valueLength(column: 0, 9))[7...10]) == [0, 0, 0, 9])
        #expect(bytes(.null(column: 2)) == WireMessage.row([nil, nil]).bytes)
        #expect(bytes(.body(3)) == [68, 0, 0, 0, 7, 0, 2, 0])
        #expect(bytes(.twice) == plain + plain)
        #expect(bytes(.missing) == [])
        #expect(bytes(.bytes(seed: 1)).count == plain.count && bytes(.bytes(seed: 1)) != plain)
        #expect(bytes(.columnType(20)) == plain)
        let columns = WireMessage.columns([.init("a", type: 23), .init("b", type: 25)])
        #expect(
            Malformation.columnType(20).applied(to: columns)
                == WireMessage.columns([.init("a", type: 20), .init("b", type: 20)]).bytes
        )
    }

    @Test func `no message makes one trap`() {
        var random = SeededRandom(seed: 1)
        var count = 0
        for _ in 0..<20_000 {
            let body = (0..<random.below(20)).map { _ in
                UInt8(random.pick([0, 0, 0, 1, 2, 4, 255]))
            }
            let message = WireMessage(random.pick(["D", "T", "t", "C", "Z"]), body)
            count += Malformation.random(&random).applied(to: message).isEmpty ? 0 : 1
        }
        #expect(count > 10_000)
    }
}
