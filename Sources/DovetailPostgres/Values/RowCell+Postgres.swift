import CPostgres
import DovetailModel
import DovetailStore
import Foundation

extension RowCell {
    /// Looks at a value in its binary form. What has another length than its type is `other`, whoever has
    /// sent it.
    ///
    /// - Parameters:
    ///   - bytes: Valid as long as the cell is used.
    ///   - scratch: Keeps the text that numbers and UUIDs are taken as, until the cursor moves.
    init(
        postgres bytes: UnsafeBufferPointer<UInt8>,
        _ type: Oid,
        _ scratch: PostgresScratch
    ) {
        switch type {
        case PostgresType.text, PostgresType.json, PostgresType.varchar, PostgresType.name,
            PostgresType.unknown, PostgresType.xml:
            self = .text(bytes)
        case PostgresType.char:
            // The spaces that fill it up are no part of the value, and are not compared.
            let end = bytes.lastIndex { $0 != 0x20 }.map { $0 + 1 } ?? 0
            self = .text(UnsafeBufferPointer(rebasing: bytes[..<end]))
        case PostgresType.bigint:
            self = Self.word(bytes, Int64.self).map { .integer($0) } ?? .other
        case PostgresType.int:
            self = Self.word(bytes, Int32.self).map { .integer(Int64($0)) } ?? .other
        case PostgresType.smallint:
            self = Self.word(bytes, Int16.self).map { .integer(Int64($0)) } ?? .other
        case PostgresType.bool:
            self = bytes.count == 1 ? .boolean(bytes[0] != 0) : .other
        case PostgresType.double:
            self = Self.word(bytes, UInt64.self).map { .double(Double(bitPattern: $0)) } ?? .other
        case PostgresType.real:
            self =
                Self.word(bytes, UInt32.self).map { bits in
                    // Queries compare it so, too.
                    .double(ColumnRounding.singles.stored(Double(Float(bitPattern: bits))))
                } ?? .other
        case PostgresType.timestampWithZone, PostgresType.timestamp:
            self = Self.word(bytes, Int64.self).map { .date(PostgresDate.decoded($0)) } ?? .other
        case PostgresType.date:
            self =
                Self.word(bytes, Int32.self).map { .date(PostgresDate.decoded(day: $0)) } ?? .other
        case PostgresType.bytes:
            self = .data(bytes)
        case PostgresType.numeric:
            self = PostgresNumber.text(bytes).map { .text(scratch.keep($0)) } ?? .other
        case PostgresType.uuid:
            self = scratch.uuid(bytes).map { .text($0) } ?? .other
        case PostgresType.jsonb:
            // The first byte is the number of the form.
            self = bytes.first == 1 ? .text(.init(rebasing: bytes.dropFirst())) : .other
        default:
            self = .other
        }
    }

    @inline(__always)
    private static func word<Word: FixedWidthInteger>(
        _ bytes: UnsafeBufferPointer<UInt8>,
        _ type: Word.Type
    ) -> Word? {
        guard bytes.count == MemoryLayout<Word>.size, let start = bytes.baseAddress else {
            return nil
        }
        return UnsafeRawPointer(start).loadUnaligned(as: Word.self).bigEndian
    }
}

/// Texts that were made of the values of a row, for its cells to point to.
final class PostgresScratch {
    private var texts: [UnsafeMutableBufferPointer<UInt8>] = []

    deinit {
        removeAll()
    }

    /// A copy that stays until ``removeAll()``.
    func keep(_ text: [UInt8]) -> UnsafeBufferPointer<UInt8> {
        let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: text.count)
        _ = copy.initialize(fromContentsOf: text)
        texts.append(copy)
        return UnsafeBufferPointer(copy)
    }

    /// The text of a UUID of 16 bytes, as Foundation writes it, until ``removeAll()``.
    func uuid(_ bytes: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8>? {
        guard bytes.count == 16, let start = bytes.baseAddress else { return nil }
        let uuid = UUID(uuid: UnsafeRawPointer(start).loadUnaligned(as: uuid_t.self))
        let text = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: UUIDText.length)
        guard let target = text.baseAddress else { return nil }
        // Invariant: it has room for the characters, of which each is stored.
        UUIDText.write(uuid, to: target)
        texts.append(text)
        return UnsafeBufferPointer(text)
    }

    /// Frees all texts: the cursor has moved.
    func removeAll() {
        if texts.isEmpty { return }
        for text in texts { text.deallocate() }
        texts.removeAll(keepingCapacity: true)
    }
}
