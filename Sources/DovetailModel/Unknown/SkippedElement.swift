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

    /// Notes the element at `start`, whose error says why it was left out.
    private mutating func report(_ start: UnsafePointer<UInt8>, _ failure: any Error) {
        guard let report = state.report else { return }
        if source == .binaryPropertyList {
            // Where the reader stands in each container is only known now.
            let place = error(.rejected, expected: "", found: "", at: start)
            report.add(SkippedElement(path: place.path, error: failure), .known)
        } else if !isRow {
            report.add(SkippedElement(path: "", error: failure), .element(start - state.start))
        }
    }

    /// Forgets what was left out of an element that is left out, or kept, itself.
    mutating func forgetReports(inside scope: ElementScope) {
        guard let report = state.report, !report.isEmpty else { return }
        if scope.source == .binaryPropertyList {
            let place = error(.rejected, expected: "", found: "", at: scope.cursor)
            report.removeElements(inPath: place.path)
        } else if scope.source != .row {
            report.removeElements(from: scope.cursor - (state.documentStart ?? scope.start))
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
            let report = SkipReport()
            reader.state.report = report
            let value = try body(&reader)
            elements = reader.placedElements(of: report)
            return value
        }
        skipped = elements
        return value
    }
}
