import Foundation

/// One end of a connection on loopback. Reading and writing block their thread.
///
/// Invariant of the `Sendable`: the descriptor does not change, and it is closed with the last
/// reference, so no thread uses a number that belongs to another socket by then.
package final class Socket: Sendable {
    private let descriptor: Int32

    /// Takes over a descriptor.
    init(_ descriptor: Int32) {
        self.descriptor = descriptor
        // Small answers are not held back, so that a cut falls where a test wants it.
        var yes: Int32 = 1
        setsockopt(
            descriptor,
            Int32(IPPROTO_TCP),
            TCP_NODELAY,
            &yes,
            socklen_t(MemoryLayout.size(ofValue: yes))
        )
    }

    /// Connects to a port of this machine.
    package convenience init(port: Int) throws {
        let descriptor = try Self.make()
        let status = Self.withAddress(port) { connect(descriptor, $0, $1) }
        guard status == 0 else {
            defer { close(descriptor) }
            throw SocketError("connect")
        }
        self.init(descriptor)
    }

    deinit {
        close(descriptor)
    }

    /// Up to so many bytes as soon as there are some; nothing at the end.
    package func read(_ most: Int = 65_536) throws -> [UInt8] {
        while true {
            var count = 0
            let bytes = [UInt8](unsafeUninitializedCapacity: most) { buffer, used in
                count = recv(descriptor, buffer.baseAddress, most, 0)
                used = max(0, count)
            }
            if count >= 0 { return bytes }
            guard errno == EINTR else { throw SocketError("recv") }
        }
    }

    /// Exactly so many bytes; nil where the other side ends before.
    package func readAll(_ count: Int) throws -> [UInt8]? {
        var bytes: [UInt8] = []
        while bytes.count < count {
            let more = try read(count - bytes.count)
            if more.isEmpty { return nil }
            bytes += more
        }
        return bytes
    }

    /// Sends all of the bytes.
    package func write(_ bytes: some Collection<UInt8>) throws {
        var rest = ArraySlice(Array(bytes))
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                send(descriptor, $0.baseAddress, $0.count, Self.flags)
            }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                throw SocketError("send")
            }
        }
    }

    /// Makes reading fail when nothing comes for so long.
    package func setPatience(_ time: Duration) {
        let (seconds, attoseconds) = time.components
        var limit = timeval()
        limit.tv_sec = .init(seconds)
        limit.tv_usec = .init(attoseconds / 1_000_000_000_000)
        setsockopt(
            descriptor,
            SOL_SOCKET,
            SO_RCVTIMEO,
            &limit,
            socklen_t(MemoryLayout.size(ofValue: limit))
        )
    }

    /// Ends both directions, which wakes whoever reads here.
    package func shutDown() { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }

    /// Ends what is sent; the other side may still send.
    package func endWriting() { _ = shutdown(descriptor, Int32(SHUT_WR)) }

    /// A writer whose reader is gone is told by an error, not by a signal.
    #if os(Linux)
        private static let flags = Int32(MSG_NOSIGNAL)
        private static let stream = Int32(SOCK_STREAM.rawValue)
    #else
        private static let flags: Int32 = 0
        private static let stream = SOCK_STREAM
    #endif

    static func make() throws -> Int32 {
        let descriptor = socket(AF_INET, stream, 0)
        guard descriptor >= 0 else { throw SocketError("socket") }
        // No process that a test starts inherits it: the other side would never see its end.
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        return descriptor
    }

    static func withAddress<Result>(
        _ port: Int,
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(truncatingIfNeeded: port).bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}

/// A port of this machine that connections come in at.
package final class Listener: Sendable {
    private let descriptor: Int32
    /// Its number.
    package let port: Int

    /// Listens.
    ///
    /// - Parameter port: Which; 0 for one that the system picks.
    package init(port: Int = 0) throws {
        let descriptor = try Socket.make()
        self.descriptor = descriptor
        var yes: Int32 = 1
        setsockopt(
            descriptor,
            SOL_SOCKET,
            SO_REUSEADDR,
            &yes,
            socklen_t(MemoryLayout.size(ofValue: yes))
        )
        var bound = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        guard Socket.withAddress(port, { bind(descriptor, $0, $1) }) == 0,
            listen(descriptor, 128) == 0,
            withUnsafeMutablePointer(
                to: &bound,
                { pointer in
                    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                        getsockname(descriptor, $0, &size)
                    }
                }
            ) == 0
        else {
            // All members but the port are there: closed here, since `deinit` does not run.
            Foundation.close(descriptor)
            throw SocketError("listen")
        }
        self.port = Int(in_port_t(bigEndian: bound.sin_port))
    }

    deinit {
        Foundation.close(descriptor)
    }

    /// The next connection; nil when the listener was closed.
    package func accept() -> Socket? {
        while true {
            let connection = Foundation.accept(descriptor, nil, nil)
            if connection >= 0 {
                _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
                return Socket(connection)
            }
            guard errno == EINTR || errno == ECONNABORTED else { return nil }
        }
    }

    /// Ends it, which wakes whoever waits in ``accept()``.
    package func close() { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }
}

/// A call of the system that failed.
package struct SocketError: Error, CustomStringConvertible {
    package let description: String

    package init(_ call: String) { description = "\(call): \(String(cString: strerror(errno)))" }
}
