/// Bytes that are put together piece by piece and used before the next ones.
///
/// A buffer of its own because an array inside a class is checked for exclusive access at every
/// piece. Invariant: `storage` holds `capacity` bytes, of which the first `count` are written.
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

    /// What was put together; valid until the next change.
    var bytes: UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: storage, count: count)
    }

    func removeAll() {
        count = 0
    }

    @inline(__always)
    func append(_ byte: UInt8) {
        if count == capacity { grow(by: 1) }
        storage[count] = byte
        count += 1
    }

    @inline(__always)
    func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let start = bytes.baseAddress else { return }
        if capacity - count < bytes.count { grow(by: bytes.count) }
        (storage + count).update(from: start, count: bytes.count)
        count += bytes.count
    }

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
