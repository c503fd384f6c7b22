import Foundation
import Synchronization

/// A server without a database: it says what a test wants to each statement, in the protocol that
/// programs know, or something that is wrong in a way that a test wants
/// (https://www.postgresql.org/docs/current/protocol-flow.html).
///
/// ```swift
/// let server = try FakeServer { sql in
///     .rows([.init("answer", type: 23)], [[Array("42".utf8)]])
/// }
/// let connection = try RawPostgres(server.connectionString)
/// try connection.value("SELECT 42")        // "42"
/// ```
package final class FakeServer: Sendable {
    /// What is said to a statement.
    package enum Answer: Sendable {
        /// Rows, each with the bytes of its values.
        case rows([WireMessage.Column], [[[UInt8]?]])
        /// No rows, but so many were changed.
        case done(String)
        case error(state: String, String)
        /// The connection ends.
        case end
        /// Nothing, until the program ends the connection.
        case silence
    }

    /// What becomes of a message: the bytes that are sent in its place. The number counts the messages
    /// of a connection.
    package typealias Harm = @Sendable (WireMessage, Int) -> [UInt8]

    private let listener: Listener
    private let answer: @Sendable (String) -> Answer
    private let harm: Harm
    private let sockets = Mutex<[ObjectIdentifier: Socket]>([:])

    /// Where it is.
    package var port: Int { listener.port }
    /// For a connection to it, without TLS.
    package var connectionString: String {
        "host=127.0.0.1 port=\(port) user=nobody dbname=nothing connect_timeout=10"
    }
    /// How many connections are open.
    package var connections: Int { sockets.withLock { $0.count } }

    /// Listens.
    ///
    /// - Parameters:
    ///   - patience: How long a program may say nothing before its connection ends; nil for ever.
    ///   - harm: What becomes of each message; as it is without it.
    ///   - answer: What is said to a statement.
    package init(
        patience: Duration? = nil,
        harm: @escaping Harm = { message, _ in message.bytes },
        answer: @escaping @Sendable (String) -> Answer
    ) throws {
        listener = try Listener()
        self.answer = answer
        self.harm = harm
        let listener = listener
        Thread.detachNewThread { [weak self] in
            while let client = listener.accept() {
                if let patience { client.setPatience(patience) }
                self?.serve(client)
            }
        }
    }

    deinit {
        listener.close()
        for socket in sockets.withLock({ $0 }).values { socket.shutDown() }
    }

    private func serve(_ client: Socket) {
        sockets.withLock { $0[ObjectIdentifier(client)] = client }
        let conversation = Conversation(client, answer, harm)
        Thread.detachNewThread { [weak self] in
            try? conversation.run()
            client.shutDown()
            self?.sockets.withLock { $0[ObjectIdentifier(client)] = nil }
        }
    }
}

/// What is said on one connection. One thread uses it.
private final class Conversation: @unchecked Sendable {
    // Invariant of the unchecked `Sendable`: only the thread that `FakeServer.serve` starts calls `run`.

    /// The connection is to end.
    private struct End: Error {}

    private let client: Socket
    private let answer: @Sendable (String) -> FakeServer.Answer
    private let harm: FakeServer.Harm
    private var sent = 0
    /// Statements by their names, and what each portal runs.
    private var statements: [String: String] = [:]
    private var portals: [String: String] = [:]
    /// After an error everything is passed over until the next Sync.
    private var isSkipping = false

    init(
        _ client: Socket,
        _ answer: @escaping @Sendable (String) -> FakeServer.Answer,
        _ harm: @escaping FakeServer.Harm
    ) {
        self.client = client
        self.answer = answer
        self.harm = harm
    }

    func run() throws {
        guard try begin() else { return }
        try send([
            .authenticationOk, .parameterStatus("server_version", "15.0"),
            .parameterStatus("server_encoding", "UTF8"),
            .parameterStatus("client_encoding", "UTF8"),
            .parameterStatus("DateStyle", "ISO, MDY"), .parameterStatus("TimeZone", "UTC"),
            .parameterStatus("integer_datetimes", "on"),
            .parameterStatus("standard_conforming_strings", "on"),
            .backendKey(process: 1, secret: 2), .ready,
        ])
        while let head = try client.readAll(5) {
            let length = WireParser.int32(head[1...])
            guard (4...1_000_000_000).contains(length),
                let body = try client.readAll(length - 4)
            else { return }
            do {
                try take(WireMessage(type: head[0], body: body))
            } catch is End { return }
        }
    }

    /// Reads the first message, which has no letter; false for one that only wants to cancel. Neither TLS
    /// nor GSSAPI is to be had.
    private func begin() throws -> Bool {
        while let head = try client.readAll(8) {
            let length = WireParser.int32(head[...])
            guard (8...10_000).contains(length), try client.readAll(length - 8) != nil else {
                break
            }
            switch WireParser.int32(head[4...]) {
            case 80_877_103, 80_877_104: try client.write([UInt8(ascii: "N")])
            case 196_608: return true
            default: return false
            }
        }
        return false
    }

    private func take(_ message: WireMessage) throws {
        var texts = message.body.split(separator: 0, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        if texts.isEmpty { texts = [""] }
        let second = texts.count > 1 ? texts[1] : ""
        switch Character(UnicodeScalar(message.type)) {
        case "Q":
            try say(texts[0], describes: true)
            try send([.ready])
        case "S":
            isSkipping = false
            try send([.ready])
        case "X": throw End()
        case _ where isSkipping: return
        case "P":
            statements[texts[0]] = second
            try send([.parseComplete])
        case "B":
            portals[texts[0]] = statements[second] ?? ""
            try send([.bindComplete])
        case "D":
            let name = String(texts[0].dropFirst())
            let isStatement = texts[0].hasPrefix("S")
            if isStatement { try send([.parameters([])]) }
            try describe((isStatement ? statements : portals)[name] ?? "")
        case "E": try say(portals[texts[0]] ?? "", describes: false)
        case "C": try send([.closeComplete])
        default: return
        }
    }

    private func describe(_ sql: String) throws {
        guard case .rows(let columns, _) = answer(sql) else { return try send([.noData]) }
        try send([.columns(columns)])
    }

    private func say(_ sql: String, describes: Bool) throws {
        if sql.isEmpty { return try send([.emptyQuery]) }
        switch answer(sql) {
        case .rows(let columns, let rows):
            if describes { try send([.columns(columns)]) }
            try send(rows.map { .row($0) } + [.complete("SELECT \(rows.count)")])
        case .done(let tag): try send([.complete(tag)])
        case .error(let state, let words):
            isSkipping = !describes
            try send([.error(state: state, words)])
        case .end: throw End()
        case .silence:
            while !(try client.read().isEmpty) {}
            throw End()
        }
    }

    private func send(_ messages: [WireMessage]) throws {
        for message in messages {
            try client.write(harm(message, sent))
            sent += 1
        }
    }
}
