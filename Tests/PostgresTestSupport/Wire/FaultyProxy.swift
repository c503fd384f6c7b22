import Foundation
import Synchronization

/// Stands between a program and a server on loopback, and harms what the server answers.
///
/// ```swift
/// let proxy = try FaultyProxy(to: server.port)
/// proxy.arm(.cut(after: 100))
/// // 100 bytes of answers later the connection ends; those after it are not harmed.
/// ```
package final class FaultyProxy: Sendable {
    /// What goes wrong. Bytes and messages are counted from ``arm(_:)`` on, over all connections.
    package enum Fault: Sendable {
        /// The connection ends after so many bytes of answers.
        case cut(after: Int)
        /// The connection ends after so many bytes of what the program sends: the server does not see more.
        case cutRequests(after: Int)
        /// Nothing comes through any more after so many bytes, in either direction, and nothing ends.
        case stall(after: Int)
        /// After so many bytes as many of the last ones come again.
        case again(after: Int, count: Int)
        /// A message of the answers is malformed.
        case malform(message: Int, Malformation)
        /// Everything comes so much later, until another fault or none is armed.
        case delay(Duration)
    }

    /// The two connections of one client.
    private final class Link: Sendable {
        let client: Socket
        let server: Socket
        let isStalled = Atomic(false)
        /// Requests for TLS, and those for GSSAPI: the answer to each is one byte and no message.
        let requests = Atomic(0)

        init(_ client: Socket, _ server: Socket) {
            self.client = client
            self.server = server
        }

        func end() {
            client.shutDown()
            server.shutDown()
        }
    }

    private struct State {
        var target: Int
        var fault: Fault?
        var answered = 0
        var requested = 0
        var messages = 0
        var roundTrips = 0
        var links: [ObjectIdentifier: Link] = [:]
        var strikes = 0

        mutating func strike() {
            fault = nil
            strikes += 1
        }
    }

    private let listener: Listener
    private let state: Mutex<State>

    /// The port that programs connect to.
    package var port: Int { listener.port }
    /// Bytes of answers since the last ``arm(_:)``.
    package var answered: Int { state.withLock { $0.answered } }
    /// Bytes of what programs sent since then.
    package var requested: Int { state.withLock { $0.requested } }
    /// Messages of answers since then.
    package var messages: Int { state.withLock { $0.messages } }
    /// How often programs had to wait since then for the server to be done, or to take rows.
    package var roundTrips: Int { state.withLock { $0.roundTrips } }
    /// How often a fault has struck.
    package var strikes: Int { state.withLock { $0.strikes } }
    /// How many connections of programs are open.
    package var connections: Int { state.withLock { $0.links.count } }

    /// Listens, and passes on everything to a port of this machine.
    package init(to port: Int) throws {
        listener = try Listener()
        state = Mutex(State(target: port))
        let listener = listener
        Thread.detachNewThread { [weak self] in
            while let client = listener.accept() { self?.serve(client) }
        }
    }

    deinit {
        listener.close()
        for link in state.withLock({ $0.links }).values { link.end() }
    }

    /// Lets the next connections go to another port.
    package func retarget(to port: Int) { state.withLock { $0.target = port } }

    /// Begins to count from 0, and strikes once when it is time. Nil strikes never.
    package func arm(_ fault: Fault?) {
        state.withLock {
            $0.fault = fault
            ($0.answered, $0.requested, $0.messages, $0.roundTrips) = (0, 0, 0, 0)
        }
    }

    /// Ends all connections now.
    package func endAll() {
        for link in state.withLock({ $0.links }).values { link.end() }
    }

    private func serve(_ client: Socket) {
        guard let server = try? Socket(port: state.withLock { $0.target }) else {
            return client.shutDown()
        }
        let link = Link(client, server)
        state.withLock { $0.links[ObjectIdentifier(link)] = link }
        let threads = Countdown()
        for isAnswer in [true, false] {
            Thread.detachNewThread { [self] in
                pump(link, isAnswer)
                link.end()
                if threads.isLast() { state.withLock { $0.links[ObjectIdentifier(link)] = nil } }
            }
        }
    }

    /// Two threads, of which the last one tidies up.
    private final class Countdown: Sendable {
        private let left = Atomic(2)
        func isLast() -> Bool { left.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 }
    }

    private func pump(_ link: Link, _ isAnswer: Bool) {
        var parser = WireParser()
        var recent: [UInt8] = []
        let from = isAnswer ? link.server : link.client
        let to = isAnswer ? link.client : link.server
        while let bytes = try? from.read(), !bytes.isEmpty {
            if link.isStalled.load(ordering: .relaxed) { continue }
            if !isAnswer, Self.asksForEncryption(bytes) {
                link.requests.add(1, ordering: .relaxed)
            }
            let bare = isAnswer ? link.requests.exchange(0, ordering: .relaxed) : 0
            let plan = isAnswer ? answer(bytes, bare, &parser, recent) : request(bytes)
            if isAnswer { recent = (recent + bytes).suffix(4096) }
            if let pause = plan.pause { usleep(pause) }
            guard (try? to.write(plan.bytes)) != nil else { return }
            if plan.stalls { link.isStalled.store(true, ordering: .relaxed) }
            if plan.ends { return }
        }
    }

    /// What becomes of some bytes.
    private struct Plan {
        var bytes: [UInt8]
        var ends = false
        var stalls = false
        var pause: UInt32?
    }

    private func request(_ bytes: [UInt8]) -> Plan {
        state.withLock { state in
            let before = state.requested
            state.requested += bytes.count
            switch state.fault {
            case .cutRequests(let count)? where state.requested > count:
                state.strike()
                return Plan(bytes: Array(bytes.prefix(count - before)), ends: true)
            case .delay(let time)?: return Plan(bytes: bytes, pause: time.microseconds)
            default: return Plan(bytes: bytes)
            }
        }
    }

    private static func asksForEncryption(_ bytes: [UInt8]) -> Bool {
        bytes.count == 8 && WireParser.int32(bytes[...]) == 8
            && (80_877_103...80_877_104).contains(WireParser.int32(bytes[4...]))
    }

    private func answer(
        _ bytes: [UInt8],
        _ bare: Int,
        _ parser: inout WireParser,
        _ recent: [UInt8]
    ) -> Plan {
        let messages = parser.messages(adding: Array(bytes.dropFirst(bare)))
        return state.withLock { state in
            let before = state.answered
            let messagesBefore = state.messages
            state.answered += bytes.count
            state.messages += messages.count
            // ReadyForQuery and CopyInResponse.
            let ends = [UInt8(ascii: "Z"), UInt8(ascii: "G")]
            state.roundTrips += messages.count { ends.contains($0.type) }
            switch state.fault {
            case .cut(let count)? where state.answered > count:
                state.strike()
                return Plan(bytes: Array(bytes.prefix(count - before)), ends: true)
            case .stall(let count)? where state.answered > count:
                state.strike()
                return Plan(bytes: Array(bytes.prefix(count - before)), stalls: true)
            case .again(let count, let again)? where state.answered > count:
                state.strike()
                let first = bytes.prefix(count - before)
                let repeated = (recent + first).suffix(again)
                return Plan(bytes: Array(first) + repeated + bytes[(count - before)...])
            case .malform(let number, let malformation)? where state.messages > number:
                let place = number - messagesBefore
                // A message that comes in two pieces is left alone; the next one is harmed.
                guard messages.flatMap(\.bytes) == bytes else {
                    state.fault = .malform(message: state.messages, malformation)
                    return Plan(bytes: bytes)
                }
                state.strike()
                return Plan(
                    bytes: messages.enumerated().flatMap { index, message in
                        index == place ? malformation.applied(to: message) : message.bytes
                    }
                )
            case .delay(let time)?: return Plan(bytes: bytes, pause: time.microseconds)
            default: return Plan(bytes: bytes)
            }
        }
    }
}

extension Duration {
    fileprivate var microseconds: UInt32 {
        UInt32(
            clamping: components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000
        )
    }
}
