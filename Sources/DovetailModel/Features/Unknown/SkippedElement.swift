import Foundation

/// An element that was left out of an array, a set or a dictionary because it could not be read.
///
/// The initializers with a `report:` hand them out:
///
/// ```swift
/// var skipped: [SkippedElement] = []
/// let library = try AssetLibrary(decoding: data, as: .json, report: &skipped)
/// for element in skipped { print(element) }
/// // groups[1].assets[3].red: expected Int, found "x" (line 4, column 34)
/// ```
public struct SkippedElement: Sendable, CustomStringConvertible {
    /// The path of the element in the document, as errors print paths: `groups[1].assets[3]`.
    public let path: String
    /// Why it could not be read; a ``ModelDecodingError`` has the place in the whole document.
    public let error: any Error

    /// The error in one line, with the path.
    public var description: String {
        error is ModelDecodingError ? "\(error)" : "\(path): \(error)"
    }
}

extension ModelReader {
    /// Reads an element; nil when it cannot be read and is left out.
    ///
    /// - Complexity: linear; an element that is left out is gone over once more.
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

    /// Skips an element that could not be read, and notes it in the report.
    @usableFromInline
    @inline(never)
    mutating func leaveOut(_ scope: ElementScope, because failure: any Error) throws {
        try goBack(to: scope, because: failure) { reader in
            let start = reader.cursor
            // All of it is checked: what is no value of the format is an error under any policy.
            if reader.source == .json {
                try reader.skipValue()
            } else {
                _ = try ModelDocument(modelValue: &reader)
            }
            reader.report(start, failure, of: scope)
        }
    }

    /// Notes the element at `start`, whose error says why it was left out. Its place is only found
    /// now where the containers that are entered tell it. In a text an offset is enough.
    private mutating func report(
        _ start: UnsafePointer<UInt8>,
        _ failure: any Error,
        of scope: ElementScope
    ) {
        guard let report = state.elements.report else { return }
        if source == .binaryPropertyList || source == .tree {
            // Only now it is known where in each container the reader is.
            let place = error(.rejected, expected: "", found: "", at: start)
            let error = inWhole(failure, at: start, place, of: scope)
            report.add(
                SkippedElement(path: place.path, error: error),
                .known(inObjectAt: offsetOfMigratedObject)
            )
        } else if !isRow {
            report.add(SkippedElement(path: "", error: failure), .element(start - state.start))
        }
    }

    /// The error about an element of a tree as one about the whole document.
    ///
    /// A tree that a migration put into an object of a text may be inside of a scope of that text.
    /// Then the error was made with a path from that scope's start, which is cut off here.
    private mutating func inWhole(
        _ failure: any Error,
        at start: UnsafePointer<UInt8>,
        _ place: ModelDecodingError,
        of scope: ElementScope
    ) -> any Error {
        guard let failure = failure as? ModelDecodingError, state.start != scope.start else {
            return failure
        }
        let whole = state.start
        state.start = scope.start
        let path = error(.rejected, expected: "", found: "", at: start).path
        state.start = whole
        let inner = failure.path.hasPrefix(path) ? failure.path.dropFirst(path.count) : ""
        return failure.moved(to: place, path: place.path + inner)
    }

    /// The offset of the migrated object in a text that the current tree was put into; nil when
    /// there is no such object.
    private var offsetOfMigratedObject: Int? {
        var outside = state.trees.current?.pointee.outside
        while let value = outside {
            switch value.source {
            case .json, .xmlPropertyList:
                return value.object - (state.elements.documentStart ?? state.start)
            case .tree: outside = value.tree?.pointee.outside
            case .row, .binaryPropertyList, .tagged: return nil
            }
        }
        return nil
    }

    /// Forgets what was left out of an element that is itself left out or kept.
    mutating func forgetReports(inside scope: ElementScope) {
        guard let report = state.elements.report, !report.isEmpty else { return }
        if scope.source == .binaryPropertyList || scope.source == .tree {
            let part = state.start
            state.start = state.elements.documentStart ?? part
            let place = error(.rejected, expected: "", found: "", at: scope.cursor)
            state.start = part
            report.removeElements(inPath: place.path)
        } else if scope.source != .row {
            report.removeElements(
                from: scope.cursor - (state.elements.documentStart ?? scope.start)
            )
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
            reader.state.elements.report = report
            let value = try body(&reader)
            elements = reader.placedElements(of: report)
            return value
        }
        skipped = elements
        return value
    }
}
