import Foundation

/// A list of plain values that grows at its end, for the frames and numbers of the property list
/// and tree readers and writers.
///
/// An array at an address that is reached through a pointer or a class is checked for uniqueness
/// and bounds at each access; this is not. The price is that nobody frees it: its owner calls
/// ``deallocate()`` once, and copies of it share the storage until one of them grows, so there is
/// one copy.
///
/// Invariant: `storage` holds `capacity` elements, of which the first `count` are written; with a
/// capacity of 0 it is an address that nobody frees. `append` upholds it; the subscript trusts its
/// caller to stay below `count`.
struct GrowingBuffer<Element: BitwiseCopyable> {
    private(set) var storage: UnsafeMutablePointer<Element>
    private(set) var count = 0
    private var capacity: Int

    init(capacity: Int) {
        self.capacity = capacity
        storage = Self.reallocate(nil, capacity)
    }

    /// Makes one that allocates when the first element comes: for a reader that may never need it.
    init() {
        capacity = 0
        let nowhere = UnsafeMutableRawPointer(mutating: ("" as StaticString).utf8Start)
        storage = nowhere.assumingMemoryBound(to: Element.self)
    }

    /// Frees the storage. Nothing may be called afterwards.
    func deallocate() {
        if capacity > 0 { free(storage) }
    }

    /// Elements are `BitwiseCopyable`, so `realloc` may move them.
    private static func reallocate(
        _ storage: UnsafeMutablePointer<Element>?,
        _ capacity: Int
    ) -> UnsafeMutablePointer<Element> {
        HeapBytes.reallocate(storage, capacity * MemoryLayout<Element>.stride)
            .assumingMemoryBound(to: Element.self)
    }

    /// Whether it has allocated nothing.
    var isEmpty: Bool { capacity == 0 }

    @inline(__always)
    mutating func append(_ element: Element) {
        if count == capacity { grow(by: 1) }
        storage[count] = element
        count &+= 1
    }

    /// The elements; valid until the next change.
    var elements: UnsafeBufferPointer<Element> { UnsafeBufferPointer(start: storage, count: count) }

    /// The element at a place below `count`; not checked.
    subscript(place: Int) -> Element {
        @inline(__always) get { storage[place] }
        @inline(__always) nonmutating _modify { yield &storage[place] }
    }

    /// Appends elements of another buffer, which does not overlap this one.
    @inline(__always)
    mutating func append(contentsOf elements: UnsafeBufferPointer<Element>) {
        guard let start = elements.baseAddress else { return }
        if capacity &- count < elements.count { grow(by: elements.count) }
        (storage + count).update(from: start, count: elements.count)
        count &+= elements.count
    }

    /// Where the next elements can be written, until another one is appended.
    @inline(__always)
    mutating func room(for extra: Int) -> UnsafeMutablePointer<Element> {
        if capacity &- count < extra { grow(by: extra) }
        return storage + count
    }

    /// Adds elements that were written where there was ``room(for:)`` them.
    @inline(__always)
    mutating func add(_ extra: Int) {
        count &+= extra
    }

    /// Removes one element.
    ///
    /// - Complexity: linear in the number of elements after it.
    mutating func remove(at place: Int) {
        count &-= 1
        (storage + place).update(from: storage + place + 1, count: count - place)
    }

    /// Keeps the first `count` elements, of which there are at least as many.
    @inline(__always)
    mutating func truncate(to count: Int) {
        self.count = count
    }

    /// Doubles, so that appending n elements moves O(n) of them.
    @inline(never)
    private mutating func grow(by extra: Int) {
        let old = capacity > 0 ? storage : nil
        capacity = max(capacity * 2, count + extra, 64)
        storage = Self.reallocate(old, capacity)
    }
}
