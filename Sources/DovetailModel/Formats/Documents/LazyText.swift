import Foundation
import Synchronization

/// The text of a migrated object, in JSON or XML, from which its members are read on demand.
///
/// A copy of the object's bytes: the document that a migration gets may outlive the reader. The
/// object and the containers inside of it share it. One ``LazyMembers`` keeps it and uses the
/// memory again for the next object.
///
/// Invariant of the unchecked `Sendable`: the bytes are those of a valid value, which the reader
/// has gone over once (`ModelReader.olderObject`), and change only while one reference is left
/// (``LazyMembers/putText(_:count:isXML:)``).
final class LazyText: @unchecked Sendable {
    /// Invariant: holds `capacity` bytes, of which the first `count` are the text.
    private(set) var start: UnsafeMutablePointer<UInt8>
    private(set) var count = 0
    private(set) var capacity: Int
    private(set) var isXML = false

    /// Makes an empty text with room for an object of usual size.
    init() {
        capacity = 512
        start = .allocate(capacity: capacity)
    }

    /// Copies another text, for a caller that holds the only reference.
    ///
    /// - Complexity: linear in `count`.
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

    /// The text; valid until it is replaced.
    var bytes: UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: UnsafePointer(start), count: count)
    }

    /// A reader over the text, which may be used as long as the text is not replaced.
    func reader() -> ModelReader {
        isXML ? ModelReader(xmlPropertyList: bytes) : ModelReader(json: bytes)
    }

    deinit {
        start.deallocate()
    }
}

/// A binary property list that migrations look into.
///
/// There is one for each list that is decoded (`ReaderState.lazyPropertyList`), so that all
/// migrations of it share one budget of elements (``BinaryPropertyListInput/budget``). It holds the
/// bytes without a copy, because documents of migrations may outlive the reader.
final class LazyPropertyList: Sendable {
    /// Holds the bytes that the reader reads. A list has at least 42 of them, so they are in a
    /// block of their own and not inside of the `Data`, and their address stays.
    private let data: Data
    private let contents: Mutex<Contents>

    /// Invariant of the unchecked `Sendable`: used under the lock only.
    private struct Contents: ~Copyable, @unchecked Sendable {
        /// Made when the first member is read.
        var reader: ModelReader?
        /// The first error that nobody has asked for yet.
        var failure: ModelDecodingError?

        /// Reads an object, with as many levels below it as its container has left.
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
    /// It cannot throw: a step reads members through subscripts, which give values.
    ///
    /// - Complexity: linear in the object and all below it.
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

    /// The first error since the last call, which the reader throws after the steps of a migration.
    func takeFailure() -> ModelDecodingError? {
        contents.withLock { $0.failure.take() }
    }
}
