import Foundation
import Synchronization

/// The text of an object, in JSON or XML, that parts of a document were not read from yet.
///
/// Invariant of the unchecked `Sendable`: the bytes are those of a valid document, and change only
/// while one reference is left (``replace(with:count:isXML:)``).
final class UnreadText: @unchecked Sendable {
    private(set) var start: UnsafeMutablePointer<UInt8>
    private(set) var count = 0
    private(set) var capacity: Int
    private(set) var isXML = false

    init() {
        capacity = 512
        start = .allocate(capacity: capacity)
    }

    /// Takes another text, for a caller that holds the one reference.
    func replace(with bytes: UnsafePointer<UInt8>, count: Int, isXML: Bool) {
        if count > capacity {
            start.deallocate()
            capacity = count
            start = .allocate(capacity: capacity)
        }
        start.update(from: bytes, count: count)
        self.count = count
        self.isXML = isXML
    }

    var bytes: UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: UnsafePointer(start), count: count)
    }

    /// A reader over the text.
    func reader() -> ModelReader {
        isXML ? ModelReader(xmlPropertyList: bytes) : ModelReader(json: bytes)
    }

    deinit {
        start.deallocate()
    }
}

/// A binary property list that migrations look into: one for each that is decoded, so that all of
/// them together read no more than its size accounts for.
final class UnreadPropertyList: Sendable {
    /// Holds the bytes that the reader reads.
    private let data: Data
    private let contents: Mutex<Contents>

    /// Invariant of the unchecked `Sendable`: used under the lock only.
    private struct Contents: ~Copyable, @unchecked Sendable {
        var reader: ModelReader?
        var failure: ModelDecodingError?

        mutating func read(
            _ bytes: UnsafeBufferPointer<UInt8>,
            at offset: Int,
            within depth: Int
        ) throws -> ModelDocument {
            var reader =
                try reader.take() ?? ModelReader(binaryPropertyList: bytes, isForMigrations: true)
            reader.moveToObject(at: offset, within: depth)
            let document: Result<ModelDocument, any Error>
            do {
                document = .success(try ModelDocument(modelValue: &reader))
            } catch {
                document = .failure(error)
            }
            self.reader = consume reader
            return try document.get()
        }
    }

    init(_ data: Data) {
        self.data = data
        contents = Mutex(Contents())
    }

    /// Reads the object at an offset; null when it is broken, and then ``takeFailure()`` tells.
    ///
    /// - Parameter name: the name of the member, for the error.
    func read(at offset: Int, within depth: Int, name: @autoclosure () -> String) -> ModelDocument {
        data.withUnsafeBytes { raw in
            raw.withMemoryRebound(to: UInt8.self) { bytes in
                contents.withLock { contents in
                    do {
                        // Invariant: `data` is never changed, so its bytes are where they were.
                        return try contents.read(bytes, at: offset, within: depth)
                    } catch {
                        let name = DocumentPath.component(of: name())
                        contents.failure =
                            contents.failure ?? (error as? ModelDecodingError)?.inside(name)
                        return .null
                    }
                }
            }
        }
    }

    /// The first error since the last call.
    func takeFailure() -> ModelDecodingError? {
        contents.withLock { $0.failure.take() }
    }
}
