import Foundation

// An object into which a migration put values is written as JSON, with what was not touched copied
// as text, and read from there: the reader turns to the new document when the model begins to read
// it, and back behind its last member. What JSON lacks is kept by the objects of a binary property
// list.

/// An object that was written anew, and the reader of the document around it.
///
/// Invariant of the pointers: the reader inside reads the bytes of `writer` or `copy`, and lives no
/// longer than this: its state holds it. `start` is an address in the document around it.
final class RewrittenObject {
    /// The reader of the document around the object while that is read; its own before and behind.
    fileprivate var reader: ModelReader
    fileprivate var start: UnsafePointer<UInt8>
    private var writer: ModelWriter
    private let copy: UnsafeMutableBufferPointer<UInt8>?

    /// Memory for more than this is not kept.
    private static let spareBytes = 1 << 16

    /// Writes a document as JSON, which has to be plain.
    ///
    /// - Throws: ``ModelEncodingError`` when it is nested too deep.
    fileprivate init(
        plain document: ModelDocument,
        from start: UnsafePointer<UInt8>,
        within depth: Int
    ) throws {
        self.start = start
        writer = ModelWriter(.json)
        copy = nil
        reader = ModelReader(json: UnsafeBufferPointer(start: nil, count: 0))
        try write(document, within: depth)
    }

    /// Writes another document, in the same memory.
    fileprivate func write(
        again document: ModelDocument,
        from start: UnsafePointer<UInt8>,
        within depth: Int
    ) throws {
        self.start = start
        writer.count = 0
        try write(document, within: depth)
    }

    private func write(_ document: ModelDocument, within depth: Int) throws {
        writer.remainingDepth = depth
        try document.writeAsRead(to: &writer)
        reader.state.start = UnsafePointer(writer.buffer)
        reader.cursor = reader.state.start
        reader.end = reader.cursor + writer.count
        reader.remainingDepth = depth
    }

    /// Writes a document that holds what JSON lacks.
    ///
    /// - Throws: ``ModelEncodingError`` when it is nested too deep.
    fileprivate init(
        carrying document: ModelDocument,
        from start: UnsafePointer<UInt8>,
        within depth: Int
    ) throws {
        self.start = start
        writer = ModelWriter(carrierWithin: depth)
        try document.encode(to: &writer)
        let data = try writer.finishBinary()
        let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: data.count)
        _ = copy.initialize(from: data)
        do {
            let bytes = UnsafeBufferPointer(copy)
            reader = try ModelReader(binaryPropertyList: bytes, isCarrier: true)
        } catch {
            copy.deallocate()
            throw error
        }
        self.copy = copy
    }

    deinit {
        copy?.deallocate()
    }

    /// Whether another document can be written in the same memory.
    fileprivate var isSpare: Bool { copy == nil && writer.capacity <= Self.spareBytes }
}

extension ModelReader {
    /// Turns to a document that a migration made of the object before the cursor, and enters it.
    mutating func enterRewritten(
        _ document: ModelDocument,
        at start: UnsafePointer<UInt8>
    ) throws -> ObjectScope {
        let rewritten: RewrittenObject
        let depth = remainingDepth
        do {
            if !document.isPlain(within: depth) {
                rewritten = try RewrittenObject(carrying: document, from: start, within: depth)
            } else if let spare = state.spareRewritten.take() {
                try spare.write(again: document, from: start, within: depth)
                rewritten = spare
            } else {
                rewritten = try RewrittenObject(plain: document, from: start, within: depth)
            }
        } catch let cause as ModelEncodingError {
            throw error(
                cause.reason == .tooDeep ? .tooDeep : .rejected,
                expected: "at most \(ModelReader.maximumDepth) levels",
                found: cause.explanation,
                at: start
            )
        }
        let inner = rewritten.reader.state
        inner.migrations = state.migrations + 1
        inner.report = reportOfMigration(at: start)
        inner.rewritten = rewritten
        swap(&self, &rewritten.reader)
        var object = try beginObject()
        object.kind = .rewritten
        return object
    }

    /// Moves to the next member of a rewritten object and gives its name; behind the last one the
    /// reader turns back, and gives nil.
    mutating func nextRewrittenField(in object: inout ObjectScope) throws -> FieldKey? {
        // A migrated object that was left by an error which somebody caught.
        while state.migrated != nil { leaveMigrations(above: state.migrations - 1) }
        let key =
            source == .json
            ? try nextField(in: &object) : try nextOtherField(in: &object)
        if let key { return key }
        object.start = state.rewritten?.start ?? object.start
        _ = leaveRewritten()
        return nil
    }

    /// Turns back to the document around a rewritten object; false when there is none.
    mutating func leaveRewritten() -> Bool {
        guard let rewritten = state.rewritten.take() else { return false }
        handOverReport()
        swap(&self, &rewritten.reader)
        if rewritten.isSpare {
            rewritten.reader.state.endDocument()
            state.spareRewritten = rewritten
        }
        return true
    }

    /// An error about a rewritten object, as one about the object that it was made of.
    mutating func placed(
        _ inner: ModelDecodingError,
        around object: RewrittenObject
    ) -> ModelDecodingError {
        swap(&self, &object.reader)
        defer { swap(&self, &object.reader) }
        let place = placed(inner, at: object.start)
        guard state.row != nil, inner.reason != .missingField else { return place }
        return ModelDecodingError(
            reason: place.reason,
            path: place.path,
            expected: place.expected,
            found: "another value"
        )
    }
}

extension ReaderState {
    /// Forgets what was known of a document that was read, or that an error ended.
    fileprivate func endDocument() {
        (entered, enteredAt) = (nil, nil)
        documentStart = nil
        isBroken = false
        report = nil
    }
}

extension ModelDocument {
    /// Whether JSON brings back all of it. The recursion ends at `depth`.
    fileprivate func isPlain(within depth: Int) -> Bool {
        switch storage {
        case .null, .bool, .string, .number(.integer), .number(.text): true
        case .number(.double(let value)): value.isFinite
        case .number(.decimal(let value)): value.isFinite
        case .date, .data: false
        case .array(let node), .object(let node):
            depth > 0 && node.changedValues.allSatisfy { $0.isPlain(within: depth - 1) }
        }
    }
}
