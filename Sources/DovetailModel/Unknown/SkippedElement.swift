import Foundation

/// An element that was left out of an array, a set or a dictionary because it could not be read:
/// what `[P](decoding:as:report:)` hands out.
public struct SkippedElement: Sendable, CustomStringConvertible {
    /// Where the element stood in the document, as errors print paths.
    public let path: String
    /// Why it could not be read; a ``ModelDecodingError`` has the place in the whole document.
    public let error: any Error

    /// The error, which names the path.
    public var description: String {
        error is ModelDecodingError ? "\(error)" : "\(path): \(error)"
    }
}

/// What a reader remembers of the elements that it left out.
struct SkipReport {
    private(set) var elements: [SkippedElement] = []
    /// Goes along with the elements of JSON, so that many of them cost one pass.
    private var walk = DocumentWalk()

    /// Notes the element at `offset` of a JSON document.
    mutating func add(
        at offset: Int,
        in document: UnsafeBufferPointer<UInt8>,
        because failure: any Error
    ) {
        if walk.index > offset { walk = DocumentWalk() }
        walk.advance(to: offset, in: document)
        let place = walk.position(at: offset, in: document)
        add(at: place, because: failure)
    }

    /// Notes the element at a place. The error has its place from the element's start.
    mutating func add(at place: DocumentPosition, because failure: any Error) {
        let error = (failure as? ModelDecodingError)?.moved(to: place) ?? failure
        elements.append(SkippedElement(path: place.path, error: error))
    }

    /// Notes an element whose error knows its place.
    mutating func add(path: String, because failure: any Error) {
        elements.append(SkippedElement(path: path, error: failure))
    }
}

extension ModelDecodingError {
    /// The error about a part of a document, as one about the whole.
    fileprivate func moved(to place: DocumentPosition) -> ModelDecodingError {
        let dot = place.path.isEmpty || path.isEmpty || path.hasPrefix("[") ? "" : "."
        return ModelDecodingError(
            reason: reason,
            path: place.path + dot + path,
            expected: expected,
            found: found,
            line: line + place.line - 1,
            column: line == 1 ? column + place.column - 1 : column
        )
    }
}

extension ModelReader {
    /// Reads an element, or leaves it out: nil then.
    ///
    /// - Throws: ``ModelDecodingError`` for what is no value of the format.
    @inlinable
    mutating func element<Value>(
        _ read: (inout ModelReader) throws -> Value
    ) throws -> Value? {
        let scope = beginElement()
        do {
            let value = try read(&self)
            endElement(scope)
            return value
        } catch {
            try leaveOut(scope, because: error)
            return nil
        }
    }

    /// Moves over an element that could not be read.
    @usableFromInline
    @inline(never)
    mutating func leaveOut(_ scope: ElementScope, because failure: any Error) throws {
        try goBack(to: scope, because: failure) { reader in
            let start = reader.cursor
            // Checked as a whole: what is no value of the format is an error even so.
            if reader.source == .json {
                try reader.skipValue()
            } else {
                _ = try ModelDocument(modelValue: &reader)
            }
            reader.report(start, failure)
        }
    }

    private mutating func report(_ start: UnsafePointer<UInt8>, _ failure: any Error) {
        guard state.report != nil else { return }
        if source == .json, column < 0 {
            let document = bytes(from: state.start, to: end)
            state.report?.add(at: start - state.start, in: document, because: failure)
            return
        }
        let place = error(.rejected, expected: "", found: "", at: start)
        if source == .xmlPropertyList {
            let position = DocumentPosition(
                path: place.path,
                line: place.line,
                column: place.column
            )
            state.report?.add(at: position, because: failure)
        } else {
            state.report?.add(path: place.path, because: failure)
        }
    }

    /// Runs `body` with a reader over `data` that notes what it leaves out.
    ///
    /// - Throws: what `body` throws, and ``ModelDecodingError`` when something follows.
    static func decode<Value>(
        _ data: Data,
        as format: ModelFormat,
        report skipped: inout [SkippedElement],
        _ body: (inout ModelReader) throws -> Value
    ) throws -> Value {
        var elements: [SkippedElement] = []
        let value = try decode(data, as: format) { reader in
            reader.state.report = SkipReport()
            let value = try body(&reader)
            elements = reader.state.report?.elements ?? []
            return value
        }
        skipped = elements
        return value
    }
}
