import Foundation

/// Why a file could not be read or written.
///
/// ```swift
/// do {
///     try library.save(as: .json, to: url)
/// } catch let error as ModelFileError where error.kind == .noSpace {
///     print(error)    // cannot write /data/library.json: no space is left on the device
/// }
/// ```
///
/// What is wrong with the content of a file is a ``ModelDecodingError``.
public struct ModelFileError: Error, Hashable, Sendable {
    /// What was being done.
    public enum Operation: Hashable, Sendable {
        /// Opening a file, or the folder around it.
        case open
        /// Reading the file, or asking for its size.
        case read
        /// Making the temporary file beside the file.
        case create
        /// Writing: the file may not be written, is no regular file, or the temporary file cannot
        /// be written.
        case write
        /// Bringing the new content, or the folder's entry, to the disk. After the latter the new
        /// content is in place already.
        case synchronize
        /// Putting the new content in the place of the old.
        case replace
    }

    /// What a caller can tell apart.
    public enum Kind: Hashable, Sendable {
        /// There is no such file or folder.
        case notFound
        /// The user may not do this.
        case notPermitted
        /// The file system is mounted read-only.
        case readOnly
        /// The disk, or the user's share of it, is full.
        case noSpace
        /// The file is larger than the system, a limit or the memory allows.
        case tooLarge
        /// A folder, a device, or a URL that names no file.
        case notAFile
        /// Anything else; ``ModelFileError/code`` has the system's number.
        case other
    }

    /// What was being done.
    public let operation: Operation
    /// The file's path as it was given, or the URL when it has none.
    public let path: String
    /// The kind of failure.
    public let kind: Kind
    /// The system's number, `errno`, or the one that fits what happened; 0 when `reason` says
    /// all. See errno(3).
    public let code: Int32

    init(_ operation: Operation, _ path: String, _ kind: Kind, code: Int32 = 0) {
        self.operation = operation
        self.path = path
        self.kind = kind
        self.code = code
    }

    /// An error of the system's, whose number gives the reason.
    init(_ operation: Operation, _ path: String, code: Int32) {
        self.init(operation, path, Kind(code: code), code: code)
    }
}

extension ModelFileError.Kind {
    /// The reason that `errno` gives.
    init(code: Int32) {
        self =
            switch code {
            case ENOENT, ENOTDIR: .notFound
            case EACCES, EPERM: .notPermitted
            case EROFS: .readOnly
            case ENOSPC, EDQUOT: .noSpace
            case EFBIG, ENOMEM: .tooLarge
            case EISDIR: .notAFile
            default: .other
            }
    }
}

extension ModelFileError: CustomStringConvertible {
    /// What failed, where and why, in one line.
    public var description: String { "\(attempt): \(cause)" }

    private var attempt: String {
        switch operation {
        case .open: "cannot open \(path)"
        case .read: "cannot read \(path)"
        case .create: "cannot create a file beside \(path)"
        case .write: "cannot write \(path)"
        case .synchronize: "cannot bring \(path) to the disk"
        case .replace: "cannot replace \(path)"
        }
    }

    private var cause: String {
        switch kind {
        case .notFound: "no such file or folder"
        case .notPermitted: "the permission is missing"
        case .readOnly: "the file system is read-only"
        case .noSpace: "no space is left on the device"
        case .tooLarge: "the file is too large"
        case .notAFile: "this is not a regular file"
        case .other: String(cString: strerror(code))
        }
    }
}
