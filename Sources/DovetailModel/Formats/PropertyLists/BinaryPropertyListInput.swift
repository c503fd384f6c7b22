import Foundation

/// A binary property list that is read: where its objects are, and which containers are entered.
///
/// The form is Apple's `bplist00`: eight bytes of name and version, the objects, a table of where
/// each object starts, and a trailer of 32 bytes that says how wide the table's entries and the
/// references between objects are.
///
/// The only type that loads from the document's bytes. Invariant: `start < table`, and 32 bytes of
/// trailer follow the table, so eight bytes can be loaded from any position up to the end of the
/// table; what is loaded beyond an object or an entry is shifted out.
struct BinaryPropertyListInput {
    /// A container that is entered.
    struct Frame {
        var container: UnsafePointer<UInt8>
        var references: UnsafePointer<UInt8>
        /// How many elements or members it has.
        var count = 0
        /// How many of them were handed out.
        var next = 0
        var isObject = false
    }

    /// A field name that was read before.
    struct KeySlot {
        var reference = UInt64.max
        var key = FieldKey(start: ReaderState.noBytes, count: 0)
    }

    /// What can be wrong before the first object is read.
    struct Failure: Error {
        let expected: String
        let offset: Int
    }

    /// Holds the bytes, if somebody says what does.
    let data: Data?
    let start: UnsafePointer<UInt8>
    /// The table of offsets, which is the end of the objects.
    let table: UnsafePointer<UInt8>
    let end: UnsafePointer<UInt8>
    let objectCount: UInt64
    let root: UnsafePointer<UInt8>
    let referenceSize: Int
    private let offsetSize: Int
    /// How far eight bytes are shifted so that one entry or reference is left.
    private let offsetShift: UInt64
    private let referenceShift: UInt64
    /// How many elements may still be entered.
    ///
    /// One object may stand in many containers, so a small file can describe a tree of any size.
    /// Without sharing no more elements are entered than the file has bytes.
    var budget: Int
    private static let visitsPerByte = 8
    /// How much more migrations may enter, which see an element once for each of them around it.
    private static let migrationVisits = 16
    private static let freeVisits = 4096

    /// Invariant: holds a frame for each level, at the level's number, from 1.
    let frames: UnsafeMutablePointer<Frame>
    private static let frameCount = ModelReader.maximumDepth + 1
    let keys: UnsafeMutablePointer<KeySlot>
    static let keySlots = 256
    /// Long strings and data by the offset of their object, so that sharing them costs nothing.
    var strings: [Int: String] = [:]
    var blobs: [Int: Data] = [:]
    static let longLength = 64

    /// Reads the trailer.
    ///
    /// - Throws: ``Failure`` when the parts it names do not lie in the document.
    init(
        _ bytes: UnsafeBufferPointer<UInt8>,
        of data: Data?,
        isForMigrations: Bool
    ) throws(Failure) {
        let header = 8
        let trailer = 32
        guard let start = bytes.baseAddress, bytes.count > header + trailer else {
            throw Failure(expected: "a binary property list of at least 42 bytes", offset: 0)
        }
        // Other versions have other objects.
        guard start[6] == 0x30 else {
            throw Failure(expected: "version 0 of the binary form", offset: 6)
        }
        let end = start + bytes.count
        let offsetSize = Int(end[-26])
        let referenceSize = Int(end[-25])
        let count = Self.word(at: end - 24)
        let top = Self.word(at: end - 16)
        let table = Self.word(at: end - 8)
        guard 1...8 ~= offsetSize, 1...8 ~= referenceSize else {
            throw Failure(expected: "a trailer with sizes from 1 to 8", offset: bytes.count - 26)
        }
        let room = UInt64(bytes.count - trailer)
        guard table > header, table < room, count > 0,
            count <= (room - table) / UInt64(offsetSize),
            count * UInt64(offsetSize) == room - table
        else {
            throw Failure(
                expected: "a trailer whose table of offsets ends where it starts",
                offset: bytes.count - 24
            )
        }
        self.start = start
        self.end = end
        self.table = start + Int(table)
        self.objectCount = count
        self.offsetSize = offsetSize
        self.referenceSize = referenceSize
        self.offsetShift = UInt64(64 - 8 * offsetSize)
        self.referenceShift = UInt64(64 - 8 * referenceSize)
        self.data = data
        let visits = Self.freeVisits + bytes.count * Self.visitsPerByte
        self.budget = isForMigrations ? visits * Self.migrationVisits : visits
        let entry = start + Int(table) + Int(min(top, count - 1)) * offsetSize
        let offset = Self.word(at: entry) >> offsetShift
        guard top < count, offset >= header, offset < table else {
            throw Failure(expected: "a root that is an object", offset: bytes.count - 16)
        }
        root = start + Int(offset)
        frames = .allocate(capacity: Self.frameCount)
        frames.initialize(
            repeating: Frame(container: start, references: start),
            count: Self.frameCount
        )
        keys = .allocate(capacity: Self.keySlots)
        keys.initialize(repeating: KeySlot(), count: Self.keySlots)
    }

    func deallocate() {
        frames.deallocate()
        keys.deallocate()
    }

    /// Whether `bytes` start like a binary property list.
    static func isOne(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        bytes.starts(with: "bplist".utf8)
    }

    // MARK: Loading

    @inline(__always)
    static func word(at position: UnsafePointer<UInt8>) -> UInt64 {
        UInt64(bigEndian: UnsafeRawPointer(position).loadUnaligned(as: UInt64.self))
    }

    @inline(__always)
    func reference(at position: UnsafePointer<UInt8>) -> UInt64 {
        Self.word(at: position) &>> referenceShift
    }

    /// Where an object starts; nil when there is no such object.
    @inline(__always)
    func object(_ reference: UInt64) -> UnsafePointer<UInt8>? {
        guard reference < objectCount else { return nil }
        let entry = table + Int(truncatingIfNeeded: reference) &* offsetSize
        let offset = Self.word(at: entry) &>> offsetShift
        guard offset >= 8, offset < UInt64(bitPattern: Int64(table - start)) else { return nil }
        return start + Int(truncatingIfNeeded: offset)
    }

    /// The offset of the last byte that may be an object's first one.
    var lastObject: Int { table - start - 1 }

    /// How much is left for objects behind a position.
    @inline(__always)
    func room(from position: UnsafePointer<UInt8>) -> Int {
        table - position
    }

    /// The whole number that stands in 1, 2, 4 or 8 bytes; without a sign unless they are 8.
    @inline(__always)
    static func integer(at position: UnsafePointer<UInt8>, size: Int) -> Int64 {
        Int64(bitPattern: word(at: position) &>> UInt64(64 - 8 * size))
    }

    /// The length that a marker states, and where the content starts; nil when it is broken.
    ///
    /// Nothing is said about whether the content fits.
    @inline(__always)
    func length(
        at object: UnsafePointer<UInt8>
    ) -> (count: Int, content: UnsafePointer<UInt8>)? {
        let low = object.pointee & 0x0F
        if low < 15 { return (Int(low), object + 1) }
        return longLength(at: object)
    }

    @inline(never)
    private func longLength(
        at object: UnsafePointer<UInt8>
    ) -> (count: Int, content: UnsafePointer<UInt8>)? {
        guard room(from: object) > 2, object[1] >> 4 == 1, object[1] & 0x0F <= 3 else { return nil }
        let size = 1 << Int(object[1] & 0x0F)
        guard room(from: object + 2) >= size else { return nil }
        let count = Self.integer(at: object + 2, size: size)
        guard count >= 0, count <= Int64(table - start) else { return nil }
        return (Int(count), object + 2 + size)
    }

    /// The bytes of a string or data whose units are `width` bytes; nil when they are cut off.
    @inline(__always)
    func content(
        of object: UnsafePointer<UInt8>,
        width: Int = 1
    ) -> UnsafeBufferPointer<UInt8>? {
        guard let (count, content) = length(at: object), count <= room(from: content) / width
        else { return nil }
        return UnsafeBufferPointer(start: content, count: count * width)
    }
}

/// The kinds of objects, by the upper half of their marker byte.
enum BinaryPropertyListMarker {
    static let null: UInt8 = 0x00
    static let no: UInt8 = 0x08
    static let yes: UInt8 = 0x09
    static let integer: UInt8 = 0x10
    static let real: UInt8 = 0x20
    static let date: UInt8 = 0x33
    static let data: UInt8 = 0x40
    static let ascii: UInt8 = 0x50
    static let utf16: UInt8 = 0x60
    static let reference: UInt8 = 0x80
    static let array: UInt8 = 0xA0
    static let orderedSet: UInt8 = 0xB0
    static let set: UInt8 = 0xC0
    static let object: UInt8 = 0xD0
}
