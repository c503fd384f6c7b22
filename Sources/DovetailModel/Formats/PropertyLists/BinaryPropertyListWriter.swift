import Foundation

/// A binary property list that is written, in Apple's form `bplist00`.
///
/// Scalars go to the buffer at once. What a container refers to is collected aside, because how
/// wide a reference is depends on how many objects there are in the end; ``finish()`` lays out the
/// containers after all scalars.
///
/// An *object* is a number here: the place in the table of offsets. Equal strings and data are one
/// object (``BinaryObjectTable``), and so are most equal numbers and dates (`scalars`).
///
/// A ``ModelWriter`` owns it through a pointer and frees it. Invariant of the unsafe pointer:
/// `bytes` comes from `malloc` and holds `capacity` bytes, of which the first `count` are written;
/// whoever stores has called ``reserve(_:)``, which keeps eight more. ``putWord(_:size:)`` stores
/// and ``BinaryObjectTable`` loads up to eight bytes above what is written.
struct BinaryPropertyListWriter {
    /// A container that was closed and is laid out at the end.
    struct Container {
        /// Its place in the table of offsets.
        let object: UInt32
        let isObject: Bool
        /// Where its elements start in `references`; of an object first all keys, then all values.
        let start: Int
        /// The number of elements or members.
        let count: Int
    }

    /// A whole number, real or date that was written before. A marker of 0 is an empty slot: no
    /// scalar of these kinds has it.
    private struct ScalarSlot {
        var bits: UInt64 = 0
        var marker: UInt32 = 0
        var object: UInt32 = 0
    }

    var bytes: UnsafeMutablePointer<UInt8>
    var count = 0
    var capacity = 4096
    /// Where each object starts; 0 for a container until it is laid out.
    var offsets = GrowingBuffer<UInt64>(capacity: 256)
    /// What the open containers refer to; of objects keys and values in turn.
    var pending = GrowingBuffer<UInt32>(capacity: 256)
    /// Where in `pending` each open container starts.
    private var levels = GrowingBuffer<Int>(capacity: 32)
    /// What the closed containers refer to.
    var references = GrowingBuffer<UInt32>(capacity: 256)
    /// The closed containers, in the order of their objects.
    var containers = GrowingBuffer<Container>(capacity: 64)
    /// Strings and data by their bytes.
    private var texts = BinaryObjectTable()
    /// Names of fields and types by their addresses.
    var names = AddressTable<UInt32>(for: 32)
    /// A cache of numbers and dates with one slot for each hash: the last one wins, so equal ones
    /// are shared when they are near each other, and nothing grows.
    private let scalars: UnsafeMutablePointer<ScalarSlot>
    /// A power of two; ``newScalar(_:_:)`` takes as many bits of the hash.
    private static let scalarSlots = 1024
    /// The objects that need only one each, once they are written.
    private var no: UInt32?
    private var yes: UInt32?
    private var null: UInt32?

    init() {
        bytes = HeapBytes.allocate(capacity)
        scalars = .allocate(capacity: Self.scalarSlots)
        scalars.initialize(repeating: ScalarSlot(), count: Self.scalarSlots)
        for byte in "bplist00".utf8 { put(byte) }
    }

    /// Frees all memory. No function may be called afterwards.
    func deallocate() {
        free(bytes)
        scalars.deallocate()
        offsets.deallocate()
        pending.deallocate()
        levels.deallocate()
        references.deallocate()
        containers.deallocate()
        texts.deallocate()
        names.deallocate()
    }

    // MARK: Containers

    /// Opens an object or an array; ``end(isObject:)`` says which it was.
    mutating func begin() {
        levels.append(pending.count)
    }

    /// Makes an object of what was written since the container was opened.
    ///
    /// - Complexity: linear in the number of its elements.
    mutating func end(isObject: Bool) {
        let start = levels.count > 0 ? levels.storage[levels.count - 1] : 0
        levels.truncate(to: max(levels.count - 1, 0))
        let total = pending.count - start
        let first = references.count
        if isObject {
            var index = start
            while index < pending.count {
                references.append(pending.storage[index])
                index += 2
            }
            index = start + 1
            while index < pending.count {
                references.append(pending.storage[index])
                index += 2
            }
        } else {
            for index in start..<pending.count { references.append(pending.storage[index]) }
        }
        pending.truncate(to: start)
        let object = newObject(at: 0)
        containers.append(
            Container(
                object: object,
                isObject: isObject,
                start: first,
                count: isObject ? total / 2 : total
            )
        )
        pending.append(object)
    }

    /// Removes the container that was opened last and the key before it. Objects that were written
    /// stay; nothing refers to them.
    ///
    /// - Parameter start: the length of `pending` before the key.
    mutating func discardField(to start: Int) {
        pending.truncate(to: start)
        levels.truncate(to: max(levels.count - 1, 0))
    }

    // MARK: Scalars

    // Each writes an object, or finds an equal one, and adds it to the open container.

    /// - Parameter string: valid UTF-8.
    mutating func append(_ string: UnsafeBufferPointer<UInt8>) {
        pending.append(text(string))
    }

    mutating func append(_ value: Bool) {
        let known = value ? yes : no
        let object =
            known ?? newByte(value ? BinaryPropertyListMarker.yes : BinaryPropertyListMarker.no)
        if known == nil {
            if value { yes = object } else { no = object }
        }
        pending.append(object)
    }

    /// Writes the string `$null`, as Foundation does; the format's own null nobody writes.
    mutating func appendNull() {
        if null == nil {
            null = Array(PropertyListNull.text.utf8).withUnsafeBufferPointer { text($0) }
        }
        pending.append(null ?? 0)
    }

    /// Writes a whole number in 1, 2, 4 or 8 bytes. Only those of 8 have a sign, so a negative one
    /// always takes 8.
    @inline(__always)
    mutating func append(integer value: Int128) {
        guard let bits = Int64(exactly: value) else { return appendWide(value) }
        let pattern = UInt64(bitPattern: bits)
        guard let slot = newScalar(pattern, BinaryPropertyListMarker.integer) else { return }
        reserve(9)
        switch pattern {
        case 0...0xFF:
            put(BinaryPropertyListMarker.integer)
            put(UInt8(truncatingIfNeeded: pattern))
        case 0...0xFFFF: putNumber(BinaryPropertyListMarker.integer | 1, pattern, size: 2)
        case 0...0xFFFF_FFFF: putNumber(BinaryPropertyListMarker.integer | 2, pattern, size: 4)
        default: putNumber(BinaryPropertyListMarker.integer | 3, pattern, size: 8)
        }
        pending.append(slot)
    }

    /// Writes a number outside of `Int64`, which takes 16 bytes because 8 have a sign.
    @inline(never)
    private mutating func appendWide(_ value: Int128) {
        let object = newObject(at: count)
        reserve(17)
        putNumber(
            BinaryPropertyListMarker.integer | 4,
            UInt64(truncatingIfNeeded: value >> 64),
            size: 8
        )
        putWord(UInt64(truncatingIfNeeded: value), size: 8)
        pending.append(object)
    }

    @inline(__always)
    mutating func append(real value: Double) {
        appendDouble(value, BinaryPropertyListMarker.real | 3)
    }

    /// Writes a real in four bytes, as Foundation does for `Float`.
    mutating func append(_ value: Float) {
        let bits = UInt64(value.bitPattern)
        guard let object = newScalar(bits, BinaryPropertyListMarker.real | 2) else { return }
        reserve(5)
        putNumber(BinaryPropertyListMarker.real | 2, bits, size: 4)
        pending.append(object)
    }

    /// Writes a date as a double of seconds since 2001-01-01T00:00:00Z. The caller has checked that
    /// it is finite (`ModelWriter.writeNonJSON(_:)`).
    mutating func append(_ value: Date) {
        appendDouble(value.timeIntervalSinceReferenceDate, BinaryPropertyListMarker.date)
    }

    /// Writes eight bytes of a double; the bit pattern decides what is equal, so -0 is not 0.
    @inline(__always)
    private mutating func appendDouble(_ value: Double, _ marker: UInt8) {
        guard let object = newScalar(value.bitPattern, marker) else { return }
        reserve(9)
        putNumber(marker, value.bitPattern, size: 8)
        pending.append(object)
    }

    /// Writes bytes as they are. Complexity: linear, also when they were written before.
    mutating func append(_ value: Data) {
        let start = count
        putHeader(BinaryPropertyListMarker.data, length: value.count)
        reserve(value.count)
        value.copyBytes(to: bytes + count, count: value.count)
        count += value.count
        pending.append(unique(from: start))
    }

    /// Writes a reference between the objects of an archive (`CFKeyedArchiverUID`), in 1, 2 or 4
    /// bytes.
    mutating func append(reference: UInt32) {
        let object = newObject(at: count)
        let size = reference <= 0xFF ? 1 : reference <= 0xFFFF ? 2 : 4
        reserve(5)
        putNumber(
            BinaryPropertyListMarker.reference | UInt8(size - 1),
            UInt64(reference),
            size: size
        )
        pending.append(object)
    }

    // MARK: Objects

    /// The object of a scalar, whose bytes have to be put now; nil when it was written before, and
    /// then it is appended.
    @inline(__always)
    private mutating func newScalar(_ bits: UInt64, _ marker: UInt8) -> UInt32? {
        let hash = (bits ^ UInt64(marker) &<< 56) &* 0x9E37_79B9_7F4A_7C15
        let slot = scalars + Int(truncatingIfNeeded: hash &>> 54)
        if slot.pointee.bits == bits, slot.pointee.marker == UInt32(marker) {
            pending.append(slot.pointee.object)
            return nil
        }
        let object = newObject(at: count)
        slot.pointee = ScalarSlot(bits: bits, marker: UInt32(marker), object: object)
        return object
    }

    /// Adds an object to the table of offsets.
    ///
    /// The number wraps around only above 2^32 objects, for which ``finish()`` throws.
    @inline(__always)
    private mutating func newObject(at offset: Int) -> UInt32 {
        let object = UInt32(truncatingIfNeeded: offsets.count)
        offsets.append(UInt64(truncatingIfNeeded: offset))
        return object
    }

    /// Writes an object that is its marker alone.
    private mutating func newByte(_ byte: UInt8) -> UInt32 {
        let object = newObject(at: count)
        reserve(1)
        put(byte)
        return object
    }

    /// The object of a string of UTF-8: written as ASCII if it can be, else as UTF-16.
    ///
    /// - Complexity: linear in the string; it is written first and looked up by what was written.
    @inline(__always)
    mutating func text(_ string: UnsafeBufferPointer<UInt8>) -> UInt32 {
        guard let start = string.baseAddress, UTF8Check.isASCII(string) else {
            return textOnSlowPath(string)
        }
        let first = count
        reserve(string.count &+ 10)
        if string.count < 15 {
            put(BinaryPropertyListMarker.ascii | UInt8(truncatingIfNeeded: string.count))
        } else {
            putHeader(BinaryPropertyListMarker.ascii, length: string.count)
        }
        (bytes + count).update(from: start, count: string.count)
        count &+= string.count
        return unique(from: first)
    }

    /// The slow path: strings outside of ASCII, in UTF-16 with the high byte first, and the empty
    /// one without an address.
    @inline(never)
    private mutating func textOnSlowPath(_ string: UnsafeBufferPointer<UInt8>) -> UInt32 {
        let first = count
        let units = Array(String(decoding: string, as: UTF8.self).utf16)
        if units.isEmpty {
            putHeader(BinaryPropertyListMarker.ascii, length: 0)
            return unique(from: first)
        }
        putHeader(BinaryPropertyListMarker.utf16, length: units.count)
        reserve(2 * units.count)
        for unit in units {
            put(UInt8(truncatingIfNeeded: unit >> 8))
            put(UInt8(truncatingIfNeeded: unit))
        }
        return unique(from: first)
    }

    /// The object whose bytes are those from `start` on. They are removed when an equal object is
    /// there already.
    @inline(__always)
    private mutating func unique(from start: Int) -> UInt32 {
        let next = UInt32(truncatingIfNeeded: offsets.count)
        let known = texts.object(
            of: bytes + start,
            count: count &- start,
            in: bytes,
            offsets.storage,
            orInsert: next
        )
        if known != next {
            count = start
            return known
        }
        return newObject(at: start)
    }

    // MARK: Bytes

    /// Makes room for `extra` bytes, and for eight more that may be loaded or overwritten.
    @inline(__always)
    mutating func reserve(_ extra: Int) {
        if capacity &- count < extra &+ 8 { grow(by: extra) }
    }

    /// Doubles the buffer at least, so that appending is O(1) amortized.
    @inline(never)
    private mutating func grow(by extra: Int) {
        capacity = max(capacity * 2, count + extra + 8)
        bytes = HeapBytes.reallocate(bytes, capacity)
    }

    /// Puts a byte that was reserved.
    @inline(__always)
    mutating func put(_ byte: UInt8) {
        bytes[count] = byte
        count &+= 1
    }

    /// Puts a marker and the lower bytes of a number; nine were reserved.
    @inline(__always)
    mutating func putNumber(_ marker: UInt8, _ value: UInt64, size: Int) {
        put(marker)
        putWord(value, size: size)
    }

    /// Puts the lower bytes of a number, the highest first. Eight are stored, whatever the size;
    /// the rest is written over by what follows.
    @inline(__always)
    mutating func putWord(_ value: UInt64, size: Int) {
        let shifted = (value &<< UInt64(truncatingIfNeeded: 64 &- 8 &* size)).bigEndian
        UnsafeMutableRawPointer(bytes + count).storeBytes(of: shifted, as: UInt64.self)
        count &+= size
    }

    /// Puts a marker with a length: in its lower half below 15, otherwise as an integer object
    /// after it. Reserves its own ten bytes at most.
    mutating func putHeader(_ marker: UInt8, length: Int) {
        reserve(10)
        if length < 15 {
            put(marker | UInt8(length))
            return
        }
        put(marker | 15)
        let size = length <= 0xFF ? 1 : length <= 0xFFFF ? 2 : length <= 0xFFFF_FFFF ? 4 : 8
        putNumber(
            BinaryPropertyListMarker.integer | UInt8(size.trailingZeroBitCount),
            UInt64(length),
            size: size
        )
    }
}
