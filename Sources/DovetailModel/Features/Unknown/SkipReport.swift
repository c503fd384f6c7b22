/// What a reader remembers of the elements that it left out: where each one starts. Their paths and
/// lines are found at the end, in one pass over the document.
final class SkipReport {
    private var entries: [Entry] = []

    /// What is known of the place of an element.
    enum Place {
        /// Path and error are those in the document. The element lies in a value that a migration
        /// put into the object at this offset of a text, if it is in one.
        case known(inObjectAt: Int?)
        /// The element starts at this offset, and its error counts from there.
        case element(Int)

        fileprivate var offset: Int? {
            switch self {
            case .known(let offset): offset
            case .element(let offset): offset
            }
        }
    }

    private struct Entry {
        var element: SkippedElement
        var place: Place
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
        let order = entries.indices.sorted {
            (entries[$0].place.offset ?? 0, $0) < (entries[$1].place.offset ?? 0, $1)
        }
        for index in order {
            guard case .element(let offset) = entries[index].place else { continue }
            elements[index] = elements[index].moved(to: position(offset))
        }
        return elements
    }
}

extension SkippedElement {
    /// The element whose error counts lines and columns from its own start.
    fileprivate func moved(to place: DocumentPosition) -> SkippedElement {
        let error = (error as? ModelDecodingError)?.moved(to: place) ?? error
        return SkippedElement(path: place.path, error: error)
    }
}

extension ModelReader {
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
