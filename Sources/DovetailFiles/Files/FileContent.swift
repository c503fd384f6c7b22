public import Foundation

/// Reads files as a whole.
///
/// They are copied and not mapped. A mapped file that another program shortens ends the process
/// with SIGBUS, and one that it changes turns into another document half-way.
@usableFromInline
enum FileContent {
    /// The most bytes that are read of what does not tell its size: pipes, devices, files of the
    /// system.
    static let limitWithoutSize = 1 << 30

    /// The content of a file or a pipe.
    ///
    /// - Throws: ``ModelFileError``, also for files that are not smaller than the machine's memory.
    @usableFromInline
    static func read(_ url: URL) throws -> Data {
        let path = try FilePath.of(url, for: .open)
        let descriptor = FilePath.retrying { open(path, O_RDONLY | O_CLOEXEC) }
        guard descriptor >= 0 else { throw ModelFileError(.open, path, code: errno) }
        defer { close(descriptor) }
        var found = stat()
        guard fstat(descriptor, &found) == 0 else {
            throw ModelFileError(.read, path, code: errno)
        }
        let size = found.isRegularFile ? Int(found.st_size) : 0
        guard UInt64(size) < ProcessInfo.processInfo.physicalMemory else {
            throw ModelFileError(.read, path, .tooLarge)
        }
        return try read(descriptor, path, size: size)
    }

    /// Reads to the end, whatever the size was before, because a file may grow meanwhile. It is too
    /// large once it fills a buffer of at least twice its size and of ``limitWithoutSize``.
    ///
    /// Invariant of the pointer: `bytes` has `capacity` bytes, of which the first `count` are read.
    /// It is freed when reading fails, and belongs to the `Data` otherwise.
    ///
    /// - Throws: ``ModelFileError``.
    private static func read(_ descriptor: Int32, _ path: String, size: Int) throws -> Data {
        // One byte more, so that the end is found without growing.
        var capacity = max(size + 1, 64 << 10)
        guard var bytes = malloc(capacity) else { throw ModelFileError(.read, path, code: ENOMEM) }
        var count = 0
        var failure: ModelFileError?
        while failure == nil {
            if count == capacity {
                let isTooLarge = capacity >= max(limitWithoutSize, 2 * size)
                guard !isTooLarge, let larger = realloc(bytes, 2 * capacity) else {
                    failure = ModelFileError(.read, path, .tooLarge)
                    break
                }
                bytes = larger
                capacity *= 2
            }
            let read = FilePath.retrying {
                Foundation.read(descriptor, bytes + count, capacity - count)
            }
            if read == 0 { break }
            if read < 0 {
                failure = ModelFileError(.read, path, code: errno)
            } else {
                count += read
            }
        }
        if let failure {
            free(bytes)
            throw failure
        }
        return Data(bytesNoCopy: bytes, count: count, deallocator: .free)
    }
}
