import Dovetail

/// The C++ side of the limit, `Benchmarks/Limit/limit.cpp`, which `Scripts/bench limit` compiles to
/// a library beside this program. Loaded and not linked, so that the other groups need no simdjson.
struct LimitLibrary {
    typealias Decode =
        @convention(c) (
            UnsafeMutableRawPointer, UnsafeMutablePointer<UnsafePointer<CChar>?>
        ) -> UnsafeMutableRawPointer?
    typealias Sum = @convention(c) (UnsafeRawPointer) -> UInt64
    typealias Free = @convention(c) (UnsafeMutableRawPointer) -> Void
    private typealias Make =
        @convention(c) (UnsafeRawPointer, Int) -> UnsafeMutableRawPointer?
    private typealias Name = @convention(c) () -> UnsafePointer<CChar>

    /// What is called for a list of one kind.
    struct List {
        let decode: Decode
        let sum: Sum
        let free: Free
    }

    let flat: List
    let shapes: List
    /// What simdjson chose for this processor.
    let implementation: String
    private let makeDocument: Make
    private let freeDocument: Free

    struct Missing: Error, CustomStringConvertible {
        let description: String
    }

    init() throws {
        let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let path = URL(fileURLWithPath: program).deletingLastPathComponent()
            .appendingPathComponent("libDovetailLimit.so").path
        guard let handle = dlopen(path, RTLD_NOW) else {
            let cause = dlerror().map { String(cString: $0) } ?? path
            throw Missing(description: "no limit to measure, run Scripts/bench limit: \(cause)")
        }
        func symbol<Function>(_ name: String, _: Function.Type = Function.self) throws -> Function {
            guard let address = dlsym(handle, "limit_" + name) else {
                throw Missing(description: "\(path) has no limit_\(name)")
            }
            // Invariant: every type here is the C function's in limit.cpp.
            return unsafeBitCast(address, to: Function.self)
        }
        func list(_ name: String) throws -> List {
            List(
                decode: try symbol("decode_" + name),
                sum: try symbol("sum_" + name),
                free: try symbol("free_" + name)
            )
        }
        flat = try list("flat")
        shapes = try list("shapes")
        implementation = String(cString: try symbol("implementation", Name.self)())
        makeDocument = try symbol("document")
        freeDocument = try symbol("free_document")
    }

    /// A copy of a document with simdjson's padding after it, and the parser that is used for it
    /// again and again.
    final class Document {
        private let library: LimitLibrary
        private let address: UnsafeMutableRawPointer

        init(_ bytes: Data, for library: LimitLibrary) throws {
            let address = bytes.withUnsafeBytes { bytes in
                bytes.baseAddress.flatMap { library.makeDocument($0, bytes.count) }
            }
            guard let address else { throw Missing(description: "no document of no bytes") }
            self.library = library
            self.address = address
        }

        deinit { library.freeDocument(address) }

        func decode(_ list: List) throws -> Decoded {
            var message: UnsafePointer<CChar>?
            guard let result = list.decode(address, &message) else {
                throw Missing(description: message.map { String(cString: $0) } ?? "no message")
            }
            return Decoded(address: result, list: list)
        }
    }

    /// A vector of C++, freed with this.
    final class Decoded {
        private let address: UnsafeMutableRawPointer
        private let list: List

        init(address: UnsafeMutableRawPointer, list: List) {
            self.address = address
            self.list = list
        }

        var sum: UInt64 { list.sum(address) }

        deinit { list.free(address) }
    }
}

/// Sums what was read, so that both sides can be compared. `Checksum` in limit.cpp is the same.
struct LimitChecksum {
    private(set) var sum: UInt64 = 14_695_981_039_346_656_037

    mutating func add(_ value: UInt64) { sum = (sum ^ value) &* 1_099_511_628_211 }
    mutating func add(_ value: Int) { add(UInt64(bitPattern: Int64(value))) }
    mutating func add(_ value: Bool) { add(value ? 1 : 0 as UInt64) }
    mutating func add(_ value: Double) { add(value.bitPattern) }
    mutating func add(_ text: String) {
        for byte in text.utf8 { add(UInt64(byte)) }
        add(UInt64(text.utf8.count))
    }
}
