/// What a reader remembers of the elements that it left out: where each one starts. Their paths and
/// lines are found at the end, in one pass over the document.
///
/// A document that is migrated has a reader of its own, and with it a report of its own, which is
/// handed to the one around it when the migrated object was read.
final class SkipReport {
    private var entries: [Entry] = []
    /// The report of the document around this one, and the object in it that was migrated.
    private let outer: SkipReport?
    private let object: MigratedObject?

    /// What is known of the place of an element.
    enum Place {
        /// Path and error are those in the document.
        case known
        /// The element starts at this offset, and its error counts from there.
        case element(Int)
        /// It lay in the object that starts at this offset and was migrated.
        case migrated(Int)

        fileprivate var offset: Int? {
            switch self {
            case .known: nil
            case .element(let offset), .migrated(let offset): offset
            }
        }
    }

    /// An object that was migrated: at an offset of a text, or at a place that is known.
    enum MigratedObject {
        case text(Int)
        case place(ModelDecodingError)
    }

    private struct Entry {
        var element: SkippedElement
        var place: Place
    }

    init(inside outer: SkipReport? = nil, at object: MigratedObject? = nil) {
        self.outer = outer
        self.object = object
    }

    var isEmpty: Bool { entries.isEmpty }

    func add(_ element: SkippedElement, _ place: Place) {
        entries.append(Entry(element: element, place: place))
    }

    /// Forgets the elements behind an offset: those of the element that starts there, as it is the
    /// last one that was read.
    func removeElements(from offset: Int) {
        while let last = entries.last?.place.offset, last >= offset { entries.removeLast() }
    }

    /// Forgets the last elements whose path leads through another one's.
    func removeElements(inPath path: String) {
        while let last = entries.last?.element.path, last.hasPrefix(path) {
            let rest = last.dropFirst(path.count).prefix(1)
            guard path.isEmpty || ["", ".", "["].contains(rest) else { return }
            entries.removeLast()
        }
    }

    /// The elements in the order in which they were met.
    ///
    /// - Parameter position: gives the place of an offset; asked in ascending order.
    /// - Complexity: O(n log n), and what `position` costs.
    func placed(by position: (Int) -> DocumentPosition) -> [SkippedElement] {
        var elements = entries.map(\.element)
        let order = entries.indices.filter { entries[$0].place.offset != nil }.sorted {
            (entries[$0].place.offset ?? 0, $0) < (entries[$1].place.offset ?? 0, $1)
        }
        for index in order {
            switch entries[index].place {
            case .known: break
            case .element(let offset): elements[index] = elements[index].moved(to: position(offset))
            case .migrated(let offset):
                let place = position(offset)
                elements[index] = elements[index].inside(
                    ModelDecodingError(
                        reason: .rejected,
                        path: place.path,
                        expected: "",
                        found: "",
                        line: place.line,
                        column: place.column
                    )
                )
            }
        }
        return elements
    }

    /// Gives elements of a migrated object to the report of the document around it.
    fileprivate func handOver(_ elements: [SkippedElement]) {
        for element in elements {
            switch object {
            case .text(let offset): outer?.add(element, .migrated(offset))
            case .place(let place): outer?.add(element.inside(place), .known)
            case nil: break
            }
        }
    }
}

extension SkippedElement {
    /// The element whose error counts lines and columns from its own start.
    fileprivate func moved(to place: DocumentPosition) -> SkippedElement {
        let error = (error as? ModelDecodingError)?.moved(to: place) ?? error
        return SkippedElement(path: place.path, error: error)
    }

    /// The element with a path that starts at what stands at another one.
    fileprivate func inside(_ outer: String) -> SkippedElement {
        SkippedElement(
            path: DocumentPath.joined(outer, path),
            error: (error as? ModelDecodingError)?.inside(outer) ?? error
        )
    }

    /// The element of a migrated object. Lines and offsets in it are those of a text that nobody
    /// has seen, so they become those of the object.
    fileprivate func inside(_ place: ModelDecodingError) -> SkippedElement {
        SkippedElement(
            path: DocumentPath.joined(place.path, path),
            error: (error as? ModelDecodingError)?.placed(at: place) ?? error
        )
    }
}

extension ModelDecodingError {
    /// The error about a part of a document, as one about the whole.
    fileprivate func moved(to place: DocumentPosition) -> ModelDecodingError {
        ModelDecodingError(
            reason: reason,
            path: DocumentPath.joined(place.path, path),
            expected: expected,
            found: found,
            line: line + place.line - 1,
            column: line == 1 ? column + place.column - 1 : column
        )
    }
}

extension ModelReader {
    /// The report of a reader over the object at `start`, which is migrated; nil when nobody asks
    /// for one.
    mutating func reportOfMigration(at start: UnsafePointer<UInt8>) -> SkipReport? {
        guard let report = state.report else { return nil }
        if source == .binaryPropertyList {
            let place = error(.rejected, expected: "", found: "", at: start)
            return SkipReport(inside: report, at: .place(place))
        }
        let offset = start - (state.documentStart ?? state.start)
        return SkipReport(inside: report, at: .text(offset))
    }

    /// Hands what was left out of a value that was put into a migrated object to the document around
    /// it.
    func handOverReport(from name: @autoclosure () -> String) {
        guard let report = state.report, !report.isEmpty else { return }
        report.handOver(placedElements(of: report).map { $0.inside(name()) })
    }

    /// What was left out, with the places in the document.
    ///
    /// - Complexity: one pass over the document, and O(n log n) in the number of elements.
    func placedElements(of report: SkipReport) -> [SkippedElement] {
        if report.isEmpty { return [] }
        let document = bytes(from: state.documentStart ?? state.start, to: end)
        if source == .xmlPropertyList {
            var walk = XMLWalk(document: document)
            return report.placed { offset in
                walk.advance(to: offset)
                return walk.position(at: offset)
            }
        }
        var walk = DocumentWalk()
        return report.placed { offset in
            walk.advance(to: offset, in: document)
            return walk.position(at: offset, in: document)
        }
    }
}
