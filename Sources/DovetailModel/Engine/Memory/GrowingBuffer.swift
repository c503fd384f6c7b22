import Foundation

/// Plain values that are collected one by one; an array in a place that is reached through a pointer
/// or a class would be checked and counted at each.
///
/// Invariant: `storage` holds `capacity` elements, of which the first `count` are written.
struct GrowingBuffer<Element: BitwiseCopyable> {
    private(set) var storage: UnsafeMutablePointer<Element>
    private(set) var count = 0
    private var capacity: Int

    init(capacity: Int) {
        self.capacity = capacity
        storage = Self.reallocate(nil, capacity)
    }

    func deallocate() {
        free(storage)
    }

    private static func reallocate(
        _ storage: UnsafeMutablePointer<Element>?,
        _ capacity: Int
    ) -> UnsafeMutablePointer<Element> {
        HeapBytes.reallocate(storage, capacity * MemoryLayout<Element>.stride)
            .assumingMemoryBound(to: Element.self)
    }

    @inline(__always)
    mutating func append(_ element: Element) {
        if count == capacity { grow(by: 1) }
        storage[count] = element
        count &+= 1
    }

    /// The elements; valid until the next change.
    var elements: UnsafeBufferPointer<Element> { UnsafeBufferPointer(start: storage, count: count) }

    subscript(place: Int) -> Element {
        @inline(__always) get { storage[place] }
        @inline(__always) nonmutating _modify { yield &storage[place] }
    }

    @inline(__always)
    mutating func append(contentsOf elements: UnsafeBufferPointer<Element>) {
        guard let start = elements.baseAddress else { return }
        if capacity &- count < elements.count { grow(by: elements.count) }
        (storage + count).update(from: start, count: elements.count)
        count &+= elements.count
    }

    /// Takes one element out. Complexity: linear.
    mutating func remove(at place: Int) {
        count &-= 1
        (storage + place).update(from: storage + place + 1, count: count - place)
    }

    /// Takes elements away from the end.
    @inline(__always)
    mutating func truncate(to count: Int) {
        self.count = count
    }

    @inline(never)
    private mutating func grow(by extra: Int) {
        capacity = max(capacity * 2, count + extra)
        storage = Self.reallocate(storage, capacity)
    }
}
