/// One step of a path into a document.
///
/// Paths are the reverse of ``DocumentPath``, which prints those of errors: what it prints, this
/// parses.
enum PathComponent: Hashable {
    /// The member of a name, as it is.
    case key(String)
    /// The element at an index, from 0.
    case index(Int)

    /// Takes a path apart: `groups[0].name`, `profile\.v2.url`, `["Test.Domain"].name`.
    ///
    /// A dot separates names, `[3]` is an index, `["…"]` a name as it is, and a backslash makes the
    /// character after it part of the name. Brackets of another form are part of the name, too, so
    /// that every text is a path. The empty path is the document itself.
    ///
    /// - Complexity: linear in the path; a path with many quotes in brackets is scanned again for
    ///   each bracket that is not closed.
    static func parse(_ path: String) -> [PathComponent] {
        if isName(path) { return [.key(path)] }
        var components: [PathComponent] = []
        var name: [UInt8] = []
        // Whether a name has begun, or has to follow because a dot came before.
        var isName = false
        let bytes = Array(path.utf8)
        var position = 0

        func finishName() {
            if isName { components.append(.key(String(decoding: name, as: UTF8.self))) }
            name = []
            isName = false
        }

        while position < bytes.count {
            switch bytes[position] {
            case 0x5C where position + 1 < bytes.count:
                name.append(bytes[position + 1])
                isName = true
                position += 2
            case 0x2E:
                // After a bracket a dot only separates; anywhere else a name ends with it.
                if position == 0 { isName = true }
                finishName()
                isName = true
                position += 1
            case 0x5B:
                guard let (component, end) = bracket(in: bytes, at: position) else { fallthrough }
                if !name.isEmpty { finishName() }
                isName = false
                components.append(component)
                position = end
            default:
                name.append(bytes[position])
                isName = true
                position += 1
            }
        }
        finishName()
        return components
    }

    /// Whether a path is a single name as it is, which most are.
    @inline(__always)
    static func isName(_ path: String) -> Bool {
        // In place: `withUTF8` wants a copy, which is counted.
        if let answer = path.utf8.withContiguousStorageIfAvailable({ isName($0) }) { return answer }
        return isNameOnSlowPath(path)
    }

    /// The same for a short string that was made by the program, whose bytes are not in memory.
    @inline(never)
    private static func isNameOnSlowPath(_ path: String) -> Bool {
        var path = path
        return path.withUTF8 { isName($0) }
    }

    /// Whether no byte is a dot, a bracket or a backslash. The empty path is no name.
    @inline(__always)
    private static func isName(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard bytes.count > 7, let start = bytes.baseAddress else {
            // The code of so short a name has all of its bytes, and its length, which is no mark.
            return bytes.count > 0 && !hasMark(FieldKey(bytes).code)
        }
        return isLongName(UnsafeRawPointer(start), count: bytes.count)
    }

    /// The same for at least eight bytes, eight a step; the last step may overlap the one before.
    @inline(never)
    private static func isLongName(_ start: UnsafeRawPointer, count: Int) -> Bool {
        let last = count - 8
        for offset in stride(from: 0, to: last, by: 8)
        where hasMark(start.loadUnaligned(fromByteOffset: offset, as: UInt64.self)) {
            return false
        }
        return !hasMark(start.loadUnaligned(fromByteOffset: last, as: UInt64.self))
    }

    /// Whether one of eight bytes is a dot, an opening bracket or a backslash.
    @inline(__always)
    private static func hasMark(_ word: UInt64) -> Bool {
        let dots = (word ^ 0x2E2E_2E2E_2E2E_2E2E) &- 0x0101_0101_0101_0101
        let brackets = (word ^ 0x5B5B_5B5B_5B5B_5B5B) &- 0x0101_0101_0101_0101
        let backslashes = (word ^ 0x5C5C_5C5C_5C5C_5C5C) &- 0x0101_0101_0101_0101
        // A difference may borrow from the byte above, which is wrong only where there is a mark.
        return (dots | backslashes | brackets) & ~word & 0x8080_8080_8080_8080 != 0
    }

    /// The index or name in the bracket at `start`, and the position after it; nil for a bracket of
    /// another form. Nothing in a quoted name is an escape, so it ends at the first `"]` that the
    /// end of the path, a dot or a bracket follows.
    private static func bracket(
        in bytes: [UInt8],
        at start: Int
    ) -> (PathComponent, end: Int)? {
        let content = bytes[(start + 1)...]
        if content.first == 0x22 {
            for end in content.indices.dropFirst() where bytes[end] == 0x22 {
                guard end + 1 < bytes.count, bytes[end + 1] == 0x5D else { continue }
                let next = end + 2 < bytes.count ? bytes[end + 2] : 0x2E
                guard next == 0x2E || next == 0x5B else { continue }
                let name = String(decoding: bytes[(start + 2)..<end], as: UTF8.self)
                return (.key(name), end + 2)
            }
            return nil
        }
        let digits = content.prefix { 0x30...0x39 ~= $0 }
        guard digits.endIndex < bytes.count, bytes[digits.endIndex] == 0x5D,
            let index = Int(String(decoding: digits, as: UTF8.self))
        else { return nil }
        return (.index(index), digits.endIndex + 1)
    }
}
