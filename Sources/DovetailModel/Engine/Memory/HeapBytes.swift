import Foundation

/// Blocks of the C heap that grow in place where they can: for large blocks `realloc` remaps pages
/// instead of copying bytes. They are freed by `free`, and can become a `Data` without a copy.
enum HeapBytes {
    /// A block of at least `capacity` bytes that begins with the content of `start`. `start` is no
    /// longer valid; nil makes a new block.
    static func reallocate(
        _ start: UnsafeMutableRawPointer?,
        _ capacity: Int
    ) -> UnsafeMutableRawPointer {
        guard let result = realloc(start, max(capacity, 1)) else {
            // There is no way to go on without memory; Swift's own arrays trap here, too.
            fatalError("out of memory")
        }
        return result
    }

    /// The same, for a block of bytes.
    static func reallocate(
        _ start: UnsafeMutablePointer<UInt8>,
        _ capacity: Int
    ) -> UnsafeMutablePointer<UInt8> {
        reallocate(UnsafeMutableRawPointer(start), capacity).assumingMemoryBound(to: UInt8.self)
    }

    /// A new block of at least `capacity` bytes, which are not written yet.
    static func allocate(_ capacity: Int) -> UnsafeMutablePointer<UInt8> {
        reallocate(nil, capacity).assumingMemoryBound(to: UInt8.self)
    }
}
