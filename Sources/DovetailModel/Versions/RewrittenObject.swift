import Foundation

// An object into which a migration put values is written as JSON, with what was not touched copied
// as text, and read from there: the reader turns to the new document when the model begins to read
// it, and back behind its last member. What JSON lacks is kept by the objects of a binary property
// list.

/// An object that was written anew, and the reader of the document around it.
///
/// Invariant of the pointers: the reader inside reads the bytes of `writer` or `copy`, and lives no
/// longer than this: it holds it. `start` is an address in the document around it.
final class RewrittenObject {
    /// The reader of the document around the object while that is read; its own before and behind.
    fileprivate var reader: ModelReader
    fileprivate let start: UnsafePointer<UInt8>
    private let writer: ModelWriter
    private let copy: UnsafeMutableBufferPointer<UInt8>?

    /// Writes a document.
    ///
    /// - Throws: ``ModelEncodingError`` when it is nested too deep.
    fileprivate init(
        _ document: ModelDocument,
        from start: UnsafePointer<UInt8>,
        within depth: Int
    ) throws {
        self.start = start
        if document.isPlain(within: depth) {
            var writer = ModelWriter(.json)
            writer.remainingDepth = depth
            try document.writeAsRead(to: &writer)
            copy = nil
            reader = ModelReader(
                json: UnsafeBufferPointer(
                    start: UnsafePointer(writer.buffer),
                    count: writer.count
                )
            )
            reader.remainingDepth = depth
            self.writer = writer
            return
        }
        var writer = ModelWriter(carrierWithin: depth)
        try document.encode(to: &writer)
        let data = try writer.finishBinary()
        let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: data.count)
        _ = copy.initialize(from: data)
        do {
            reader = try ModelReader(
                binaryPropertyList: UnsafeBufferPointer(copy),
                isCarrier: true
            )
        } catch {
            copy.deallocate()
            throw error
        }
        self.writer = writer
        self.copy = copy
    }

    deinit {
        copy?.deallocate()
    }
}

extension ModelReader {
    /// Turns to a document that a migration made of the object before the cursor, and enters it.
    mutating func enterRewritten(
        _ document: ModelDocument,
        at start: UnsafePointer<UInt8>
    ) throws -> ObjectScope {
        let rewritten: RewrittenObject
        do {
            rewritten = try RewrittenObject(document, from: start, within: remainingDepth)
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
        inner.report = state.report == nil ? nil : SkipReport()
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
            ? try nextField(in: &object) : try nextPropertyListField(in: &object)
        if let key { return key }
        object.start = state.rewritten?.start ?? object.start
        _ = leaveRewritten()
        return nil
    }

    /// Turns back to the document around a rewritten object; false when there is none.
    mutating func leaveRewritten() -> Bool {
        guard let rewritten = state.rewritten.take() else { return false }
        let skipped = state.report?.elements ?? []
        swap(&self, &rewritten.reader)
        if !skipped.isEmpty {
            let path = error(.rejected, expected: "", found: "", at: rewritten.start).path
            for element in skipped {
                let error = (element.error as? ModelDecodingError)
                    .map { placed($0, at: rewritten.start) }
                state.report?.add(
                    path: DocumentPath.joined(path, element.path),
                    because: error ?? element.error
                )
            }
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
