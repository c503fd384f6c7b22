/// Values at addresses that stay while none is added: those of ``LazyMembers`` that were read or
/// put in by a step, which a reader reads where they are.
///
/// Like ``GrowingBuffer``, nobody frees it: its owner calls ``deallocate()`` once.
///
/// Invariant: `storage` has room for `capacity` values, of which the first `count` are initialized;
/// with a capacity of 0 it is an address that nobody uses.
struct ValueSlots {
    private(set) var storage: UnsafeMutablePointer<ModelDocument>
    private(set) var count = 0
    private var capacity = 0

    /// More room is freed and not used again.
    private static let spare = 1 << 10

    /// Allocates when the first value comes: few members are looked into.
    init() {
        let nowhere = UnsafeMutableRawPointer(mutating: ReaderState.noBytes)
        storage = nowhere.assumingMemoryBound(to: ModelDocument.self)
    }

    /// Frees the values. No function may be called afterwards.
    func deallocate() {
        guard capacity > 0 else { return }
        storage.deinitialize(count: count)
        storage.deallocate()
    }

    /// The value at a place below `count`; not checked.
    subscript(place: Int) -> ModelDocument {
        @inline(__always) get { storage[place] }
        @inline(__always) nonmutating _modify { yield &storage[place] }
    }

    /// The values; valid until the next one is added.
    var elements: UnsafeBufferPointer<ModelDocument> {
        UnsafeBufferPointer(start: storage, count: count)
    }

    @inline(__always)
    mutating func append(_ value: consuming ModelDocument) {
        if count == capacity { grow() }
        (storage + count).initialize(to: value)
        count &+= 1
    }

    /// Releases the values and keeps the memory of few.
    @inline(__always)
    mutating func removeAll() {
        if count > 0 { release() }
    }

    @inline(never)
    private mutating func release() {
        // Moved out one by one: there are few, and for an array the runtime asks the type how.
        for place in 0..<count { _ = (storage + place).move() }
        count = 0
        guard capacity > Self.spare else { return }
        storage.deallocate()
        self = ValueSlots()
    }

    /// Doubles, so that appending n values moves O(n) of them.
    @inline(never)
    private mutating func grow() {
        let (old, oldCapacity) = (storage, capacity)
        capacity = max(oldCapacity * 2, 2)
        storage = .allocate(capacity: capacity)
        guard oldCapacity > 0 else { return }
        storage.moveInitialize(from: old, count: count)
        old.deallocate()
    }
}
