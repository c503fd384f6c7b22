public import Foundation

/// A file that is written beside another one and takes its place at once, or not at all.
///
/// The order makes a crash harmless at every instant. The new content is on the disk (fsync(2))
/// before the name leads to it (rename(2)), and the folder is brought to the disk last. Before the
/// rename the old file is whole, and after it the new one is.
///
/// Whoever makes one calls ``write(_:)``, then ``commit()``. Without the latter `deinit` removes
/// the temporary file; a process that is killed leaves it. The folder is held open, so renaming it
/// does not matter. Not thread-safe.
@usableFromInline
final class AtomicFile {
    /// The path as the caller gave it.
    private let path: String
    /// The file's name in `folder`. Of a symbolic link, the name of what the link leads to.
    private let name: String
    /// The open folder; -1 until it is open.
    private var folder: Int32 = -1
    /// The open temporary file; -1 before it is made and after ``commit()`` closed it.
    private var descriptor: Int32 = -1
    /// The name of the temporary file in `folder` while there is one.
    private var temporary: String?

    /// Makes a temporary file in the folder of `url`, which has the permissions of the file there.
    ///
    /// - Throws: ``ModelFileError``, also when there is something that cannot be replaced.
    init(for url: URL) throws {
        path = try FilePath.of(url, for: .write)
        let target = try FilePath.following(path)
        name = FilePath.name(of: target)
        folder = FilePath.retrying {
            open(FilePath.folder(of: target), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        }
        guard folder >= 0 else { throw failure(.open) }
        try create(replacing: try existing())
    }

    /// The file that will be replaced; nil when there is none.
    ///
    /// - Throws: ``ModelFileError`` for what is not a regular file, or may not be written.
    private func existing() throws -> stat? {
        var found = stat()
        guard fstatat(folder, name, &found, AT_SYMLINK_NOFOLLOW) == 0 else {
            if errno == ENOENT, !name.isEmpty { return nil }
            throw name.isEmpty ? ModelFileError(.write, path, .notAFile) : failure(.open)
        }
        // Renaming over a device or a pipe would remove it.
        guard found.isRegularFile else { throw ModelFileError(.write, path, .notAFile) }
        // A file that may not be written is not replaced, although its folder would allow it.
        guard faccessat(folder, name, W_OK, 0) == 0 else { throw failure(.write) }
        return found
    }

    /// Makes the temporary file. One that replaces a file is only readable to its owner until it
    /// has the old one's owner and permissions.
    private func create(replacing old: stat?) throws {
        let mode: mode_t = old == nil ? 0o666 : 0o600
        repeat {
            let name = ".dovetail-" + String(UInt64.random(in: 0 ... .max), radix: 16) + ".tmp"
            // The process's mask applies (umask(2)), as with every new file.
            descriptor = FilePath.retrying {
                openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
            }
            if descriptor >= 0 { temporary = name }
        } while descriptor < 0 && errno == EEXIST
        guard descriptor >= 0 else { throw failure(.create) }
        guard let old else { return }
        // Only root can give files away; others keep what is theirs.
        _ = fchown(descriptor, old.st_uid, old.st_gid)
        guard fchmod(descriptor, old.st_mode & 0o777) == 0 else { throw failure(.create) }
    }

    /// Appends bytes to the temporary file.
    ///
    /// - Throws: ``ModelFileError``.
    func write(_ bytes: UnsafeRawBufferPointer) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = UnsafeRawBufferPointer(rebasing: rest)
            let count = FilePath.retrying {
                Foundation.write(descriptor, piece.baseAddress, piece.count)
            }
            guard count >= 0 else { throw failure(.write) }
            rest = rest.dropFirst(count)
        }
    }

    /// Puts the file into its place. A second call does nothing.
    ///
    /// - Throws: ``ModelFileError``. The old file is whole then, except when the last step fails,
    ///   which brings the folder to the disk: the new one has taken its place.
    func commit() throws {
        guard let temporary else { return }
        guard FilePath.retrying({ fsync(descriptor) }) == 0 else { throw failure(.synchronize) }
        // Some file systems report only now that they could not write.
        let closed = close(descriptor)
        descriptor = -1
        guard closed == 0 || errno == EINTR else { throw failure(.synchronize) }
        guard renameat(folder, temporary, folder, name) == 0 else { throw failure(.replace) }
        self.temporary = nil
        // Not every file system can do this with a folder; those that cannot say EINVAL.
        guard FilePath.retrying({ fsync(folder) }) == 0 || errno == EINVAL else {
            throw failure(.synchronize)
        }
    }

    /// The error of the call of the system that has just failed: it takes `errno`.
    private func failure(_ operation: ModelFileError.Operation) -> ModelFileError {
        ModelFileError(operation, path, code: errno)
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
        if let temporary { unlinkat(folder, temporary, 0) }
        if folder >= 0 { close(folder) }
    }
}

extension AtomicFile {
    /// Puts `data` in the place of the file at `url`.
    ///
    /// - Throws: ``ModelFileError``.
    @usableFromInline
    static func replace(_ url: URL, with data: Data) throws {
        let file = try AtomicFile(for: url)
        try data.withUnsafeBytes { try file.write($0) }
        try file.commit()
    }
}
