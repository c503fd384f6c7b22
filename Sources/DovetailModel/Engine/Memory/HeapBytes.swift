import Foundation

/// Memory that grows in place where it can: for large blocks `realloc` moves pages instead of
/// bytes.
enum HeapBytes {
    /// A block of at least `capacity` bytes that begins with what `start` held; `start` is gone.
    static func reallocate(
        _ start: UnsafeMutableRawPointer?,
        _ capacity: Int
    ) -> UnsafeMutableRawPointer {
        guard let result = realloc(start, max(capacity, 1)) else {
            // Without memory there is nothing left to say, as for every array of Swift.
            fatalError("out of memory")
        }
        return result
    }

    /// The same for bytes.
    static func reallocate(
        _ start: UnsafeMutablePointer<UInt8>,
        _ capacity: Int
    ) -> UnsafeMutablePointer<UInt8> {
        reallocate(UnsafeMutableRawPointer(start), capacity).assumingMemoryBound(to: UInt8.self)
    }

    static func allocate(_ capacity: Int) -> UnsafeMutablePointer<UInt8> {
        reallocate(nil, capacity).assumingMemoryBound(to: UInt8.self)
    }
}
