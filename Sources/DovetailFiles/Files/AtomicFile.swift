public import Foundation

/// A file that is written beside another one and takes its place at once, or not at all.
///
/// The order makes a crash harmless at every moment: the new content is on the disk (`fsync`)
/// before the name leads to it (`rename`), and the folder is written to the disk last. Before the
/// rename the old file is whole, after it the new one is.
///
/// Not to be used by two threads at once.
@usableFromInline
final class AtomicFile {
    /// The path as the caller gave it.
    private let path: String
    /// The file's name in `folder`; behind a symbolic link that of what the link leads to.
    private let name: String
    private var folder: Int32 = -1
    private var descriptor: Int32 = -1
    /// The name of the temporary file in `folder` while there is one.
    private var temporary: String?

    /// Opens a temporary file in the folder of `url`.
    ///
    /// - Throws: ``ModelFileError``.
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

    /// What stands under the name.
    private func existing() throws -> stat? {
        var found = stat()
        guard fstatat(folder, name, &found, AT_SYMLINK_NOFOLLOW) == 0 else {
            if errno == ENOENT, !name.isEmpty { return nil }
            throw name.isEmpty ? ModelFileError(.write, path, .notAFile) : failure(.open)
        }
        // Renaming over a device or a pipe would remove it.
        guard found.isRegularFile else { throw ModelFileError(.write, path, .notAFile) }
        // A file that may not be written is not replaced either, although the folder would allow.
        guard faccessat(folder, name, W_OK, 0) == 0 else { throw failure(.write) }
        return found
    }

    private func create(replacing old: stat?) throws {
        let mode: mode_t = old == nil ? 0o666 : 0o600
        repeat {
            let name = ".dovetail-" + String(UInt64.random(in: 0 ... .max), radix: 16) + ".tmp"
            // The process's mask applies, as with every new file.
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

    /// Appends bytes.
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

    /// Puts the file into its place.
    ///
    /// - Throws: ``ModelFileError``. The old file is whole then, except when the folder cannot be
    ///   brought to the disk, which is the last step: the new one has taken its place.
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
    @usableFromInline
    static func replace(_ url: URL, with data: Data) throws {
        let file = try AtomicFile(for: url)
        try data.withUnsafeBytes { try file.write($0) }
        try file.commit()
    }
}
