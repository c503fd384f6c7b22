// Sets have no order of their own. Equal ones should give equal documents.

extension BinaryPropertyListWriter {
    /// Puts the elements from `start` on in an order that only depends on what they are.
    mutating func sortElements(from start: Int) {
        let elements = UnsafeMutableBufferPointer(
            start: pending.storage + start,
            count: pending.count - start
        )
        guard elements.count > 1 else { return }
        let sorted = elements.sorted { compare($0, $1) < 0 }
        _ = elements.update(from: sorted)
    }

    /// Where the container stands that an object is; nil for a scalar, which has an offset.
    private func place(of object: UInt32) -> Int? {
        guard offsets.storage[Int(object)] == 0 else { return nil }
        // Containers are in the order of their objects.
        var range = 0..<containers.count
        while range.count > 1 {
            let middle = range.lowerBound + range.count / 2
            range =
                containers.storage[middle].object <= object
                ? middle..<range.upperBound : range.lowerBound..<middle
        }
        return range.lowerBound
    }

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

    /// The bytes of a scalar: up to where the next object starts.
    private func scalar(_ object: UInt32) -> UnsafeBufferPointer<UInt8> {
        let start = Int(offsets.storage[Int(object)])
        var next = Int(object) + 1
        while next < offsets.count, offsets.storage[next] == 0 { next += 1 }
        let end = next < offsets.count ? Int(offsets.storage[next]) : count
        return UnsafeBufferPointer(start: bytes + start, count: end - start)
    }
}
