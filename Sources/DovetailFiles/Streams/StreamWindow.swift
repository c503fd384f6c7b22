import DovetailModel

/// The bytes of a document that are in memory while its elements are read one after the other:
/// those of the element that is not whole yet, and whatever came with it.
///
/// A ``StreamProgress`` owns it and appends pieces; ``readBatch(into:_:)`` reads elements out of
/// it. Its buffer grows to at most twice the size of the largest element and one piece, and does
/// not shrink.
///
/// Invariant of the unsafe pointer: `buffer` has room for `capacity` bytes, of which the first
/// `count` are written, and `counted <= start <= count <= capacity`. ``append(_:)`` alone allocates
/// and moves the bytes. No reader is alive then, since ``readBatch(into:_:)`` makes its own.
struct StreamWindow: ~Copyable {
    /// What is expected at `start`, after white space.
    enum Phase {
        /// In this order: a byte order mark, the opening bracket, the first element or the closing
        /// bracket, a comma or the closing bracket, the element after a comma, nothing more.
        case mark, opening, first, separator, element, end
    }

    /// An element may be incomplete when there are fewer bytes ahead than this, or than twice the
    /// size of the element before. Its end is searched for first, and then it is read. With more
    /// bytes ahead it is read at once: now and then one has to be read twice, which costs less than
    /// each search.
    private static let nearEnd = 4096
    /// How many bytes the message of an error may quote.
    private static let quote = 4 * (DocumentExcerpt.limit + 1)

    /// The bytes. Everything else here is an offset into them.
    private var buffer: UnsafeMutablePointer<UInt8>
    /// The size of the buffer, in bytes.
    private(set) var capacity: Int
    private var count = 0
    /// The first byte that is still needed.
    private var start = 0
    /// How far lines were counted.
    private var counted = 0
    /// The place of `counted` in the document.
    private var position = StreamPosition()
    private var phase = Phase.mark
    /// The number of elements that were read, and the size of the last one.
    private var index = 0
    private var lastSize = 0
    /// The search for the end of the element at `start`, once it was found to be incomplete.
    private var boundary: ElementBoundary?
    /// The largest element that is allowed, in bytes.
    private let limit: Int
    /// Whether no more bytes come.
    var isComplete = false
    /// Whether nothing can be read before more bytes come, or the end is known.
    private(set) var needsBytes = true
    /// What is wrong after the elements that were read. It is thrown once they are delivered.
    private(set) var failure: (any Error)?

    init(limit: Int) {
        self.limit = limit
        capacity = 4096
        buffer = .allocate(capacity: capacity)
    }

    deinit {
        buffer.deallocate()
    }

    /// Whether everything was read and nothing is wrong with it.
    var isRead: Bool { isComplete && phase == .end && start == count }

    /// Takes further bytes. Bytes that are not needed any more make room for them; the buffer is
    /// doubled when that is not enough.
    ///
    /// - Complexity: linear in the number of new bytes and of those that are still needed.
    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        guard let source = bytes.baseAddress else { return }
        if capacity - count < bytes.count {
            let pending = count - start
            if capacity - pending < bytes.count {
                capacity = max(2 * capacity, pending + bytes.count)
                let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
                larger.update(from: buffer + start, count: pending)
                buffer.deallocate()
                buffer = larger
            } else {
                buffer.update(from: buffer + start, count: pending)
            }
            count = pending
            start = 0
            counted = 0
        }
        UnsafeMutableRawPointer(buffer + count).copyMemory(from: source, byteCount: bytes.count)
        count += bytes.count
    }
}

// Reading elements.

extension StreamWindow {
    /// How many elements are made at a time. More of them would leave the cache before they are
    /// used, and small elements can be large values.
    private static let batchSize = 512

    /// Reads the elements that are whole into an empty array, up to ``batchSize``. Gives none at the
    /// end, before an error, and when more bytes are needed; ``failure`` and ``needsBytes`` tell which.
    mutating func readBatch<Element>(
        into batch: inout [Element],
        _ decodeElements: ElementLoop<Element>
    ) {
        var reader = makeReader()
        let first = index
        var isInElement = false
        // How many of the batch are whole. The last one may turn out to be too large, or to be cut off.
        var whole = 0
        do {
            try decodeElements(&reader, &batch) { reader, count in
                if isInElement {
                    isInElement = false
                    guard endElement(&reader) else { return false }
                }
                whole = count
                isInElement = index - first < Self.batchSize && findElement(&reader)
                return isInElement
            }
        } catch {
            failElement(error)
        }
        batch.removeLast(batch.count - whole)
        endBatch(isFull: index - first == Self.batchSize)
    }

    /// A reader over the bytes from `start` on. They are not copied: the reader must not outlive
    /// the batch.
    private func makeReader() -> ModelReader {
        var reader = ModelReader(
            json: UnsafeBufferPointer(start: buffer + start, count: count - start)
        )
        // As in the document: elements are one level down.
        if phase != .mark, phase != .opening, phase != .end { reader.remainingDepth -= 1 }
        return reader
    }

    /// Moves to the next element. False when there is none, when the next one is incomplete, or
    /// when something is wrong.
    private mutating func findElement(_ reader: inout ModelReader) -> Bool {
        if failure != nil { return false }
        // What is between most elements; `pass` does the same, with the checks of all phases.
        if phase == .separator, reader.byte == 0x2C {
            reader.cursor += 1
            phase = .element
        }
        do {
            while true {
                if phase != .mark { reader.skipWhitespace() }
                take(reader.cursor)
                // Errors count from here; `located` makes them errors about the document.
                reader.placeErrorsFromHere()
                if phase == .element || phase == .first && reader.byte != 0x5D { break }
                guard try pass(&reader) else { return false }
            }
            guard isComplete || start < count else { return false }
            let isNearEnd = count - start < max(Self.nearEnd, 2 * lastSize)
            if isNearEnd || boundary != nil, !isComplete, !hasWholeElement() {
                try expectSize(upTo: count)
                return false
            }
            boundary = nil
            return true
        } catch {
            failure = error
            return false
        }
    }

    /// Whether what was read is the whole element, and not only the first digits of a number.
    private mutating func endElement(_ reader: inout ModelReader) -> Bool {
        do {
            try expectSize(upTo: offset(of: reader.cursor))
            if reader.cursor == reader.end, !isComplete {
                let first = buffer[start]
                let isClosed = first == 0x7B || first == 0x5B || first == 0x22
                guard isClosed || hasWholeElement() else { return false }
            }
        } catch {
            failure = error
            return false
        }
        lastSize = offset(of: reader.cursor) - start
        take(reader.cursor)
        index += 1
        phase = .separator
        return true
    }

    /// Keeps the error, unless the element is only incomplete.
    private mutating func failElement(_ error: any Error) {
        do {
            guard isComplete || hasWholeElement() else { return try expectSize(upTo: count) }
            failure = (error as? ModelDecodingError).map { located($0, in: "[\(index)]") } ?? error
        } catch {
            failure = error
        }
    }

    /// Counts the lines of what was read, so that later errors need not go through it again.
    private mutating func endBatch(isFull: Bool) {
        needsBytes = !isFull && failure == nil && !isComplete
        position.advance(over: bytes(from: counted, to: start))
        counted = start
    }

    /// Moves over what comes before, between and after the elements. False when there are too few
    /// bytes to tell.
    ///
    /// - Throws: ``ModelDecodingError`` with its place in the document.
    private mutating func pass(_ reader: inout ModelReader) throws -> Bool {
        let ahead = count - start
        if phase == .mark, !isComplete, ahead < lengthOfMark { return false }
        if ahead == 0, phase == .end || !isComplete { return false }
        do {
            switch phase {
            case .mark:
                try expectNoPropertyList()
                try reader.skipByteOrderMark()
                phase = .opening
            case .opening:
                guard reader.byte == 0x5B else { throw reader.mismatch("array") }
                try reader.descend()
                reader.cursor += 1
                phase = .first
            case .separator where reader.byte == 0x2C:
                reader.cursor += 1
                phase = .element
            case .first, .separator:
                guard reader.byte == 0x5D else {
                    throw reader.syntaxError(expected: "\",\" or \"]\"", at: reader.cursor)
                }
                reader.leave()
                phase = .end
            case .element: break
            case .end: try reader.expectEnd()
            }
        } catch let error as ModelDecodingError {
            // The message may quote what follows, which has not come yet.
            if ahead < Self.quote, !isComplete { return false }
            throw located(error, in: phase == .separator ? "[\(index - 1)]" : "")
        }
        return true
    }

    /// How many bytes tell the kind of a document whose first byte is this one.
    private var lengthOfMark: Int {
        guard start < count else { return 1 }
        switch buffer[start] {
        case 0x62: return 7  // bplist0
        case 0xEF: return 3  // the mark of UTF-8
        default: return 2
        }
    }

    /// Moves `start` to where a reader is positioned.
    private mutating func take(_ cursor: UnsafePointer<UInt8>) {
        start = offset(of: cursor)
    }

    private func offset(of cursor: UnsafePointer<UInt8>) -> Int {
        cursor - UnsafePointer(buffer)
    }

    /// The bytes in a range. They are valid until ``append(_:)``.
    private func bytes(from first: Int, to last: Int) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: buffer + first, count: last - first)
    }

    /// Whether the element at `start` is whole. The search goes on where it stopped the last time.
    private mutating func hasWholeElement() -> Bool {
        var search = boundary ?? ElementBoundary()
        let isWhole = search.isWhole(in: bytes(from: start, to: count))
        boundary = search
        return isWhole
    }
}

// Errors.

extension StreamWindow {
    /// Checks the size of the element at `start`, as far as it is known.
    ///
    /// - Throws: ``ModelDecodingError`` with the kind `tooLarge`.
    private func expectSize(upTo end: Int) throws {
        guard end - start > limit else { return }
        throw located(
            ModelDecodingError(
                kind: .tooLarge,
                path: "",
                expected: "an element of at most \(limit) bytes",
                found: "a larger one",
                line: 1,
                column: 1
            ),
            in: "[\(index)]"
        )
    }

    /// Refuses a binary property list, whose table is at its end, with a message of its own.
    private func expectNoPropertyList() throws {
        guard bytes(from: start, to: count).starts(with: "bplist0".utf8) else { return }
        throw ModelDecodingError(
            kind: .invalidSyntax,
            path: "",
            expected: "JSON",
            found: "a binary property list, which can only be read as a whole",
            line: 1,
            column: 1
        )
    }

    /// The error with its place in the document, and the element's index before its path. The
    /// reader counted from `start`.
    private func located(_ error: ModelDecodingError, in path: String) -> ModelDecodingError {
        // An error without a place was not made by the reader; there is none to add.
        guard error.line > 0 else { return error }
        var base = position
        base.advance(over: bytes(from: counted, to: start))
        return error.moved(
            to: DocumentPosition(path: path, line: base.line, column: base.column)
        )
    }
}
