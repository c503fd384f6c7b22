// Sets have no order of their own. Equal ones should give equal documents, so their elements are
// written in the order in which they happen to be, and sorted by what was written.

extension BinaryPropertyListWriter {
    /// Puts the elements from `start` on in an order that only depends on what they are.
    ///
    /// Only references move; the objects stay where they were written. So equal sets are equal when
    /// they are read as documents, while their bytes may differ.
    ///
    /// - Complexity: O(*n* log *n*) comparisons, each linear in the elements.
    mutating func sortElements(from start: Int) {
        let elements = UnsafeMutableBufferPointer(
            start: pending.storage + start,
            count: pending.count - start
        )
        guard elements.count > 1 else { return }
        let sorted = elements.sorted { compare($0, $1) < 0 }
        _ = elements.update(from: sorted)
    }

    /// The place in `containers` of an object; nil for a scalar, which has an offset already.
    /// Containers get theirs in ``finish()``.
    private func place(of object: UInt32) -> Int? {
        guard offsets.storage[Int(object)] == 0 else { return nil }
        // `end(isObject:)` appends containers in the order of their objects, so this is a search
        // by halves.
        var range = 0..<containers.count
        while range.count > 1 {
            let middle = range.lowerBound + range.count / 2
            range =
                containers.storage[middle].object <= object
                ? middle..<range.upperBound : range.lowerBound..<middle
        }
        return range.lowerBound
    }

    /// Negative, zero or positive, as an object comes before, with or after another one: scalars by
    /// their bytes, then arrays, then objects, each by their number of elements and element by
    /// element. The recursion is as deep as the containers, at most ``ModelReader/maximumDepth``.
    private func compare(_ left: UInt32, _ right: UInt32) -> Int {
        if left == right { return 0 }
        switch (place(of: left), place(of: right)) {
        case (nil, nil):
            let (a, b) = (scalar(left), scalar(right))
            return a.lexicographicallyPrecedes(b) ? -1 : b.lexicographicallyPrecedes(a) ? 1 : 0
        case (nil, _): return -1
        case (_, nil): return 1
        case (let left?, let right?):
            let (a, b) = (containers.storage[left], containers.storage[right])
            let total = a.isObject ? 2 * a.count : a.count
            if a.count != b.count || a.isObject != b.isObject {
                return a.isObject == b.isObject ? a.count - b.count : a.isObject ? 1 : -1
            }
            for index in 0..<total {
                let order = compare(
                    references.storage[a.start + index],
                    references.storage[b.start + index]
                )
                if order != 0 { return order }
            }
            return 0
        }
    }

    /// The bytes of a scalar: up to where the next scalar starts, since scalars are written one
    /// after the other in the order of their objects. Valid until the next store.
    private func scalar(_ object: UInt32) -> UnsafeBufferPointer<UInt8> {
        let start = Int(offsets.storage[Int(object)])
        var next = Int(object) + 1
        while next < offsets.count, offsets.storage[next] == 0 { next += 1 }
        let end = next < offsets.count ? Int(offsets.storage[next]) : count
        return UnsafeBufferPointer(start: bytes + start, count: end - start)
    }
}
