import Foundation

// A value that a migration put in is written as JSON and read from there: the reader turns to the
// new document when the model comes to the value, and back when it asks for what follows. What JSON
// lacks is kept by the objects of a binary property list.

/// A value that was written anew, and the reader of the document around it.
///
/// Invariant of the pointers: the reader inside reads the bytes of `writer` or `copy`, and lives no
/// longer than this: its state holds it. `start` is an address in the document around it, and `key`
/// is valid as long as the object there is read.
final class RewrittenValue {
    /// The reader of the document around the value while that is read; its own before and behind.
    @exclusivity(unchecked) fileprivate var reader: ModelReader
    /// The migrated object that the value is in, and its name there.
    fileprivate var start = ReaderState.noBytes
    fileprivate var key = FieldKey(start: ReaderState.noBytes, count: 0)
    @exclusivity(unchecked) private var writer: ModelWriter
    private let copy: UnsafeMutableBufferPointer<UInt8>?

    /// Memory for more than this is not kept.
    private static let spareBytes = 1 << 16

    /// Makes one for values that JSON has.
    fileprivate init() {
        writer = ModelWriter(.json)
        copy = nil
        reader = ModelReader(json: UnsafeBufferPointer(start: nil, count: 0))
    }

    /// Writes a value that JSON has.
    ///
    /// - Throws: ``ModelEncodingError`` when it is nested too deep.
    fileprivate func write(_ document: ModelDocument, within depth: Int) throws {
        writer.count = 0
        writer.remainingDepth = depth
        try document.writeAsRead(to: &writer)
        reader.restart(json: UnsafeBufferPointer(start: writer.buffer, count: writer.count))
        reader.remainingDepth = depth
    }

    /// Writes a value that JSON lacks.
    ///
    /// - Throws: ``ModelEncodingError`` when it is nested too deep.
    fileprivate init(carrying document: ModelDocument, within depth: Int) throws {
        writer = ModelWriter(carrierWithin: depth)
        try document.encode(to: &writer)
        let data = try writer.finishBinary()
        let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: data.count)
        _ = copy.initialize(from: data)
        do {
            let bytes = UnsafeBufferPointer(copy)
            reader = try ModelReader(binaryPropertyList: bytes, isCarrier: true)
            reader.remainingDepth = depth
        } catch {
            copy.deallocate()
            throw error
        }
        self.copy = copy
    }

    /// The value's name, as paths have it.
    fileprivate var name: String { DocumentPath.component(of: key.text) }

    deinit {
        copy?.deallocate()
    }

    /// Whether another value can be written in the same memory.
    fileprivate var isSpare: Bool { copy == nil && writer.capacity <= Self.spareBytes }
}

extension ModelReader {
    /// Turns to a value that a migration put into an object.
    mutating func enterRewritten(
        _ document: ModelDocument,
        named key: FieldKey,
        in object: MigratedObject
    ) throws {
        let rewritten: RewrittenValue
        let depth = remainingDepth
        do {
            if document.isPlain(within: depth) {
                rewritten = state.spareRewritten.take() ?? RewrittenValue()
                try rewritten.write(document, within: depth)
            } else {
                rewritten = try RewrittenValue(carrying: document, within: depth)
            }
        } catch let cause as ModelEncodingError {
            throw error(
                cause.reason == .tooDeep ? .tooDeep : .rejected,
                expected: "at most \(ModelReader.maximumDepth) levels",
                found: cause.explanation,
                at: object.start
            )
        }
        rewritten.start = object.start
        rewritten.key = key
        let report = state.report == nil ? nil : reportOfMigration(at: object.start)
        swap(&self, &rewritten.reader)
        state.begin(rewritten, inside: rewritten.reader.state, report)
    }

    /// Turns back to the document around a value, behind which the reader has to stand; false when
    /// there is none.
    mutating func leaveRewritten() throws -> Bool {
        guard state.rewritten != nil else { return false }
        if source == .json, cursor != end {
            throw syntaxError(expected: "\",\" or \"}\"", at: cursor)
        }
        return turnBack()
    }

    /// Turns back to the document around a value, wherever the reader stands in it.
    mutating func turnBack() -> Bool {
        guard let rewritten = state.rewritten.take() else { return false }
        handOverReport(from: rewritten.name)
        swap(&self, &rewritten.reader)
        if rewritten.isSpare {
            state.spareRewritten = rewritten
        }
        return true
    }

    /// An error about a value that was put in, as one about the object that it was put into.
    mutating func placed(
        _ inner: ModelDecodingError,
        around value: RewrittenValue
    ) -> ModelDecodingError {
        swap(&self, &value.reader)
        defer { swap(&self, &value.reader) }
        return placed(inner.inside(value.name), at: value.start)
    }
}

extension ReaderState {
    /// Begins a value inside of a document.
    fileprivate func begin(
        _ value: consuming RewrittenValue,
        inside outer: ReaderState,
        _ report: SkipReport?
    ) {
        migrations = outer.migrations + 1
        migrationDepth = outer.migrationDepth
        isStored = outer.isStored
        if report != nil { self.report = report }
        rewritten = value
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
