import Foundation

// Errors about property lists. None of it is inlined, so that reading pays nothing for it. An error in XML has a line and a column, one in a binary list
// an offset in bytes; the path is found when the error is made, from the tags or from the frames.

extension ModelReader {
    /// The error that null is where something else is declared: the string "$null", which would
    /// pass as a string otherwise.
    @inline(never)
    mutating func nullMismatch(
        _ expected: String,
        at position: UnsafePointer<UInt8>? = nil
    ) -> ModelDecodingError {
        error(.typeMismatch, expected: expected, found: "null", at: position ?? cursor)
    }

    /// Makes an error about `position` in a property list.
    ///
    /// - Parameter position: in the document, which `ModelReader.error(_:expected:found:at:)`
    ///   has made sure of.
    /// - Complexity: O(offset) for XML, O(depth) for the binary form.
    @inline(never)
    mutating func propertyListError(
        _ kind: ModelDecodingError.Kind,
        expected: String,
        found: String?,
        at position: UnsafePointer<UInt8>
    ) -> ModelDecodingError {
        let document = bytes(from: state.start, to: end)
        let offset = position - state.start
        if source == .xmlPropertyList {
            let place = DocumentPosition(offset: offset, inXML: document)
            return ModelDecodingError(
                kind: kind,
                path: place.path,
                expected: expected,
                found: found ?? DocumentExcerpt.describeXML(document, at: offset),
                line: place.line,
                column: place.column
            )
        }
        let path = binaryPath(to: position)
        return ModelDecodingError(
            kind: kind,
            path: path,
            expected: expected,
            found: found ?? describeBinary(at: position),
            offset: offset
        )
    }

    /// The error that an object is not as its marker says.
    @inline(never)
    mutating func brokenObject(_ expected: String) -> ModelDecodingError {
        error(.invalidSyntax, expected: expected, at: cursor)
    }

    /// The error that a container refers to an object that is not there.
    @inline(never)
    mutating func noObject(_ reference: UInt64) -> ModelDecodingError {
        error(
            .invalidSyntax,
            expected: "an object of the document",
            found: "a reference to object \(reference)",
            at: cursor
        )
    }

    /// The error that more elements were entered than the size of the document accounts for
    /// (``BinaryPropertyListInput/budget``).
    @inline(never)
    mutating func tooManyElements() -> ModelDecodingError {
        error(
            .tooLarge,
            expected: "containers that are not shared over and over",
            found: "more elements than the document has room for",
            at: cursor
        )
    }

    /// The path to the container at `position`, or to the value that is read: what the frames of
    /// the open containers have handed out last.
    private mutating func binaryPath(to position: UnsafePointer<UInt8>) -> String {
        guard let input = state.binary else { return "" }
        var path = DocumentPath()
        let (here, depth) = (cursor, ModelReader.maximumDepth - max(remainingDepth, 0))
        defer { cursor = here }
        var level = 1
        while level <= depth {
            let frame = input.pointee.frames[level]
            if frame.container == position { break }
            level += 1
            guard frame.next > 0 else { continue }
            if frame.isObject {
                path.append(key: binaryKeyText(frame, frame.next - 1) ?? "?")
            } else {
                path.append(index: frame.next - 1)
            }
        }
        return path.text
    }

    /// The name of a member for a message. It was read before, so it is a string; nil for an index
    /// that names no object all the same.
    private mutating func binaryKeyText(
        _ frame: BinaryPropertyListInput.Frame,
        _ index: Int
    ) -> String? {
        guard let input = state.binary else { return nil }
        let reference = input.pointee.reference(
            at: frame.references + index * input.pointee.referenceSize
        )
        guard let object = input.pointee.object(reference) else { return nil }
        return shortBinaryText(at: object)
    }

    /// A string of the document, repaired where it is broken, because this is for messages; nil for
    /// other objects and for one that is cut off.
    private func shortBinaryText(at object: UnsafePointer<UInt8>) -> String? {
        switch object.pointee & 0xF0 {
        case BinaryPropertyListMarker.ascii:
            return state.binary?.pointee.content(of: object).map {
                String(decoding: $0, as: UTF8.self)
            }
        case BinaryPropertyListMarker.utf16:
            return state.binary?.pointee.content(of: object, width: 2).map { bytes in
                let units = stride(from: 0, to: bytes.count, by: 2).map {
                    UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
                }
                return String(decoding: units, as: UTF16.self)
            }
        default: return nil
        }
    }

    /// Says in a few words what an object is. Nothing here may make an error, which would ask for
    /// the description of its place again.
    private mutating func describeBinary(at object: UnsafePointer<UInt8>) -> String {
        let here = cursor
        defer { cursor = here }
        cursor = object
        switch valueKind {
        case .object: return "object"
        case .array: return "array"
        case .null: return "null"
        case .bool: return object.pointee == BinaryPropertyListMarker.yes ? "true" : "false"
        case .date: return "a date"
        case .data: return "data"
        case .reference: return "a reference of an archive"
        case .string:
            guard let text = shortBinaryText(at: object) else { return "a string" }
            return text == PropertyListNull.text ? "null" : DocumentExcerpt.quote(text)
        case .number:
            // 17 bytes are the marker and the longest number, so reading cannot fail.
            let isWhole = (state.binary?.pointee.room(from: object) ?? 0) >= 17
            guard isWhole, [0x10, 0x11, 0x12, 0x13, 0x14, 0x22, 0x23].contains(object.pointee)
            else { return "a number" }
            return (try? readBinaryDocumentNumber())?.text ?? "a number"
        case .none: return "byte 0x" + String(object.pointee, radix: 16, uppercase: true)
        }
    }
}
