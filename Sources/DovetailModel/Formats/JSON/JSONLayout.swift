import Foundation

/// A layout of JSON other than the compact one, applied to a document that was written.
///
/// The writer itself only writes the compact form, because a choice at every brace and comma would
/// cost every document. The layout is a pass of its own over the finished bytes, and sorting is a
/// pass through a ``ModelDocument``. Both keep numbers and strings byte for byte.
@usableFromInline
struct JSONLayout: Hashable, Sendable {
    /// Whether each member and element gets a line of its own.
    let isPretty: Bool
    /// Whether the members of all objects are in the order of their names.
    let hasSortedKeys: Bool

    /// Spaces for each level.
    private static let indent = 2

    /// Lays out a document that ``ModelWriter`` wrote.
    ///
    /// - Complexity: one more pass for `isPretty`; for `hasSortedKeys` the document is read as a
    ///   tree, sorted in O(*n* log *n*) for each object, and written again.
    /// - Throws: ``ModelEncodingError`` when what a plain `Codable` value wrote into the document
    ///   is nested too deep to be sorted. Models never are: the writer has the same limit.
    func apply(to compact: Data) throws -> Data {
        let ordered = hasSortedKeys ? try sorted(compact) : compact
        return isPretty ? pretty(ordered) : ordered
    }

    /// Sorts the members by way of a tree. An error about reading is one about writing here, since
    /// the caller has only asked for a document to be written.
    private func sorted(_ compact: Data) throws -> Data {
        do {
            let document = try ModelDocument(decoding: compact, as: .json)
            return try document.withSortedMembers().encoded(as: .json)
        } catch let error as ModelDecodingError {
            throw ModelEncodingError(
                kind: error.kind == .tooDeep ? .tooDeep : .notRepresentable,
                explanation: "the document cannot be sorted: \(error.kind)"
            )
        }
    }

    /// One pass over the bytes. Outside of strings every byte is part of a scalar or punctuation,
    /// because the document is compact; an empty object or array stays `{}` or `[]`.
    private func pretty(_ compact: Data) -> Data {
        var result: [UInt8] = []
        result.reserveCapacity(compact.count * 2)
        var depth = 0
        var isString = false
        var isEscape = false
        var previous: UInt8 = 0

        func newLine() {
            result.append(0x0A)
            result.append(contentsOf: repeatElement(0x20, count: depth * Self.indent))
        }

        for byte in compact {
            if isString {
                result.append(byte)
                if isEscape {
                    isEscape = false
                } else if byte == 0x5C {
                    isEscape = true
                } else if byte == 0x22 {
                    isString = false
                }
                previous = byte
                continue
            }
            let closes = byte == 0x7D || byte == 0x5D
            if closes {
                depth -= 1
                if previous != 0x7B, previous != 0x5B { newLine() }
            } else if previous == 0x7B || previous == 0x5B {
                newLine()
            }
            result.append(byte)
            switch byte {
            case 0x22: isString = true
            case 0x7B, 0x5B: depth += 1
            case 0x2C: newLine()
            case 0x3A: result.append(0x20)
            default: break
            }
            previous = byte
        }
        return Data(result)
    }
}

extension ModelDocument {
    /// The same document with the members of all objects in the order of their names.
    ///
    /// Recursive, so only for documents that were read: their depth is at most
    /// ``ModelReader/maximumDepth``. The caller has just read one (``JSONLayout/apply(to:)``).
    func withSortedMembers() -> ModelDocument {
        switch storage {
        case .array(let node): return .array(node.values.map { $0.withSortedMembers() })
        case .object(let node):
            // Bytes of UTF-8 compare as scalars do. `sorted` is stable, so repeated keys stay in
            // their order.
            let order = node.keys.indices.sorted {
                node.keys[$0].utf8.lexicographicallyPrecedes(node.keys[$1].utf8)
            }
            return .object(
                order.lazy.map {
                    Member(key: node.keys[$0], value: node.values[$0].withSortedMembers())
                }
            )
        default: return self
        }
    }
}
