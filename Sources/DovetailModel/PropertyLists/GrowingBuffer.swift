import Foundation

/// Numbers that are collected one by one; an array in a place that is reached through a pointer
/// would be checked and counted at each.
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
