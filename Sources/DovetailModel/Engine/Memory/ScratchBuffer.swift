/// Collects the bytes of one string piece by piece: a name or a string whose escapes are resolved.
/// A reader has one, in its `ReaderState`, and uses it again for each of them.
///
/// It is no array, because an array in a class is checked for exclusive access and uniqueness at
/// every piece.
///
/// Invariant: `storage` holds `capacity` bytes, of which the first `count` are written. Both
/// `append`s uphold it.
final class ScratchBuffer {
    private var storage: UnsafeMutablePointer<UInt8>
    private var capacity = 256
    private var count = 0

    init() {
        storage = .allocate(capacity: capacity)
    }

    deinit {
        storage.deallocate()
    }

    /// The bytes so far; valid until the next change.
    var bytes: UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: storage, count: count)
    }

    /// Starts the next string. The memory is kept.
    func removeAll() {
        count = 0
    }

    @inline(__always)
    func append(_ byte: UInt8) {
        if count == capacity { grow(by: 1) }
        storage[count] = byte
        count += 1
    }

    /// Appends bytes that lie outside of the buffer.
    @inline(__always)
    func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let start = bytes.baseAddress else { return }
        if capacity - count < bytes.count { grow(by: bytes.count) }
        (storage + count).update(from: start, count: bytes.count)
        count += bytes.count
    }

    /// Doubles, so that appending n bytes copies O(n) of them.
    @inline(never)
    private func grow(by extra: Int) {
        let larger = max(capacity * 2, count + extra)
        let next = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
        next.update(from: storage, count: count)
        storage.deallocate()
        storage = next
        capacity = larger
    }
}
