import Dovetail
import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A real HTTP server on 127.0.0.1 for one test: answers one connection after the other with the
/// bytes it is told to, and closes each.
///
/// Nothing in it waits for more than ten seconds, so that a broken test fails instead of hanging; but during
/// ``Reply/silence``, which ends with the test: its client hangs up when the test's task has a turn, which may be minutes
/// later while other tests run.
final class LoopbackServer: Sendable {
    /// A request as it was received.
    struct Request: Sendable {
        var head: String
        var body: Data
        var line: String { String(head.prefix { $0 != "\r\n" }) }
    }

    enum Reply: Sendable {
        case bytes(String)
        /// Nothing, until the client closes the connection, or the test ends.
        case silence
    }

    struct Failure: Error { let call: String, code = errno }

    let port: UInt16
    var base: String { "http://127.0.0.1:\(port)/api" }

    /// The requests as they arrive; ends when the server stops.
    let requests: AsyncStream<Request>
    /// One element for each connection that the client closed during ``Reply/silence``.
    let hangUps: AsyncStream<Void>

    private let listener: Int32
    /// Set where the test has ended.
    private let isOver: Flag

    private final class Flag: Sendable { let value = Atomic(false) }

    private init(_ reply: @escaping @Sendable (Request) -> Reply) throws {
        let (listener, port) = try Self.bound()
        guard listen(listener, 16) == 0 else {
            close(listener)
            throw Failure(call: "listen")
        }
        let (requests, request) = AsyncStream<Request>.makeStream()
        let (hangUps, hangUp) = AsyncStream<Void>.makeStream()
        let isOver = Flag()
        (self.listener, self.port, self.isOver) = (listener, port, isOver)
        (self.requests, self.hangUps) = (requests, hangUps)
        Thread.detachNewThread {
            while true {
                let client = accept(listener, nil, nil)
                if client < 0 && errno == EINTR { continue }
                guard client >= 0 else { break }
                let connection = Connection(client)
                if let received = connection.receive() {
                    request.yield(received)
                    switch reply(received) {
                    case .bytes(let text): connection.send(text)
                    case .silence:
                        let hasEnded = connection.waitForEnd {
                            isOver.value.load(ordering: .relaxed)
                        }
                        if hasEnded { hangUp.yield() }
                    }
                }
                close(client)
            }
            close(listener)
            request.finish()
            hangUp.finish()
        }
    }

    /// Runs a test's body against a server, with every ``Route`` leading to it.
    static func serving<Result>(
        _ reply: @escaping @Sendable (Request) -> Reply,
        during body: (LoopbackServer) async throws -> Result
    ) async throws -> Result {
        let server = try LoopbackServer(reply)
        // Wakes the thread on Linux; elsewhere it waits on until the process ends.
        defer {
            server.isOver.value.store(true, ordering: .relaxed)
            shutdown(server.listener, Int32(SHUT_RDWR))
        }
        return try await below(server.base) { try await body(server) }
    }

    /// A socket that has a port of its own and does not listen.
    static func bound() throws -> (socket: Int32, port: UInt16) {
        #if canImport(Glibc)
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
            let descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        guard descriptor >= 0 else { throw Failure(call: "socket") }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
            }
        }
        guard isBound else {
            close(descriptor)
            throw Failure(call: "bind")
        }
        return (descriptor, UInt16(bigEndian: address.sin_port))
    }
}

/// One accepted connection, read and written by the server's thread alone.
private struct Connection {
    let descriptor: Int32

    init(_ descriptor: Int32) {
        self.descriptor = descriptor
        wait(upTo: 10)
    }

    /// Limits how long the next calls wait.
    private func wait(upTo seconds: Int) {
        var limit = timeval(tv_sec: seconds, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, size)
    }

    /// The next bytes, empty at the end of the stream, nil after an error or ten seconds.
    private func read() -> Data? {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        return count < 0 ? nil : Data(buffer.prefix(count))
    }

    func receive() -> LoopbackServer.Request? {
        var received = Data()
        let separator = Data("\r\n\r\n".utf8)
        while true {
            if let end = received.range(of: separator) {
                let head = String(decoding: received[..<end.lowerBound], as: UTF8.self)
                let body = received[end.upperBound...]
                if body.count >= contentLength(head) { return .init(head: head, body: Data(body)) }
            }
            guard let more = read(), !more.isEmpty else { return nil }
            received += more
        }
    }

    private func contentLength(_ head: String) -> Int {
        let line = head.lowercased().split(separator: "\r\n").first {
            $0.hasPrefix("content-length:")
        }
        return line.flatMap { Int($0.drop { $0 != ":" }.dropFirst().drop { $0 == " " }) } ?? 0
    }

    func send(_ text: String) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let sent = rest.withUnsafeBytes { bytes in
                #if canImport(Glibc)
                    Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
                #else
                    Darwin.send(descriptor, bytes.baseAddress, bytes.count, 0)
                #endif
            }
            guard sent > 0 else { return }
            rest = rest.dropFirst(sent)
        }
    }

    /// True when the client has closed its end; false when there is no need to wait for that any more, which is asked
    /// every second.
    func waitForEnd(unless isOver: () -> Bool) -> Bool {
        wait(upTo: 1)
        while !isOver() {
            if let bytes = read() {
                if bytes.isEmpty { return true }
            } else if errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR {
                return errno == ECONNRESET
            }
        }
        return false
    }
}

extension LoopbackServer.Reply {
    /// A complete answer, or one that announces more than it sends.
    static func http(
        _ body: String,
        status: String = "200 OK",
        type: String = "application/json",
        length: Int? = nil,
        headers: [String] = []
    ) -> Self {
        let lines =
            [
                "HTTP/1.1 \(status)", "Content-Type: \(type)",
                "Content-Length: \(length ?? body.utf8.count)", "Connection: close",
            ] + headers
        return .bytes(lines.joined(separator: "\r\n") + "\r\n\r\n" + body)
    }
}
