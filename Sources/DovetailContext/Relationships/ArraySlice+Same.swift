import Foundation

extension ArraySlice {
    /// How many elements at the beginning, or at the end of slices of one length, have the same bytes. Of
    /// objects, also as `any P`, these are the same ones.
    ///
    /// A binary search with `memcmp`, as most lists differ in few elements: to go over 10,000 of them at
    /// each insertion was most of what that took.
    ///
    /// - Complexity: linear in the number of elements.
    func countOfSame(as other: ArraySlice, atEnd: Bool) -> Int {
        let (most, stride) = (Swift.min(count, other.count), MemoryLayout<Element>.stride)
        return withUnsafeBytes { left in
            other.withUnsafeBytes { right in
                guard let left = left.baseAddress, let right = right.baseAddress else { return 0 }
                var (low, high) = (0, most)
                // The first try is that all are the same.
                var middle = most
                while low < high {
                    let offset = (atEnd ? most - middle : low) * stride
                    let size = (middle - low) * stride
                    if memcmp(left + offset, right + offset, size) == 0 {
                        low = middle
                    } else {
                        high = middle - 1
                    }
                    middle = (low + high + 1) / 2
                }
                return low
            }
        }
    }
}
