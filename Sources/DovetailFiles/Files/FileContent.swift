public import Foundation

/// Reads files as a whole.
///
/// They are copied and not mapped: a mapped file that another program shortens ends the process
/// with SIGBUS, and one that it changes is another document halfway.
@usableFromInline
enum FileContent {
    /// How much is read of what does not say its size: pipes, devices, files of the system.
    static let limitWithoutSize = 1 << 30

    /// - Throws: ``ModelFileError``, also for files that are larger than the machine's memory.
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

    /// Reads to the end, whatever the size was before: a file may grow meanwhile.
    private static func read(_ descriptor: Int32, _ path: String, size: Int) throws -> Data {
        // One more byte, so that the end is seen without growing.
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
