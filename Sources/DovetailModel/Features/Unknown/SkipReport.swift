/// What a reader remembers of the elements that it left out: where each one starts.
///
/// Their paths and lines are found at the end, in one pass over the document, so an element costs
/// no more than an entry when it is left out. ``ReaderState/report`` has a report only when
/// somebody asks for it (``ModelReader/decode(_:as:report:_:)``).
///
/// Invariant: entries are in the order in which elements were left out. So what was left out of an
/// element is at the end when the element itself is.
final class SkipReport {
    private var entries: [Entry] = []

    /// What is known of the place of an element when it is left out.
    enum Place {
        /// Path and error are those in the whole document: the element is of a binary property list
        /// or a tree. The offset is that of the migrated object in a text whose step put the tree
        /// in, if there is one.
        case known(inObjectAt: Int?)
        /// The element starts at this offset of a text, and its error counts from there.
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

    /// Notes an element. Complexity: O(1).
    func add(_ element: SkippedElement, _ place: Place) {
        entries.append(Entry(element: element, place: place))
    }

    /// Forgets the last elements that start at or after an offset: those inside of the element that
    /// starts there, as nothing after it was read.
    func removeElements(from offset: Int) {
        while let last = entries.last?.place.offset, last >= offset { entries.removeLast() }
    }

    /// Forgets the last elements whose path begins with another one: those inside of that element,
    /// where there are no offsets.
    func removeElements(inPath path: String) {
        while let last = entries.last?.element.path, last.hasPrefix(path) {
            let rest = last.dropFirst(path.count).prefix(1)
            guard path.isEmpty || ["", ".", "["].contains(rest) else { return }
            entries.removeLast()
        }
    }

    /// The elements in the order in which they were met.
    ///
    /// - Parameter position: gives the place of an offset. It is asked in ascending order, so that
    ///   it can go over the document once.
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
    /// The element with the place in the document, instead of one counted from its own start.
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
        let document = bytes(from: state.elements.documentStart ?? state.start, to: end)
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
