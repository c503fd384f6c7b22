import Foundation

/// Which file is at a path, by its device and number: not the same one any more when somebody has deleted,
/// moved or replaced it, while those who have it open go on with it
/// (https://sqlite.org/howtocorrupt.html#_unlinking_or_renaming_a_database_file_while_in_use).
struct SQLiteFileIdentity: Equatable {
    private let device: UInt64
    private let number: UInt64

    /// Nil where there is no file.
    ///
    /// - Complexity: one call of the system, which takes about a microsecond.
    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        device = UInt64(truncatingIfNeeded: status.st_dev)
        number = UInt64(truncatingIfNeeded: status.st_ino)
    }
}
