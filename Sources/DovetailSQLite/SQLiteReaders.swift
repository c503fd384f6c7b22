import DovetailSQL
import DovetailStore
import Synchronization

/// Connections that only read, beside the one that writes: in WAL mode neither waits for the other
/// (https://sqlite.org/wal.html).
///
/// A reader belongs to one caller at a time. A caller that finds none idle opens one, so that a
/// fetch inside of another one on the same thread never waits for itself.
final class SQLiteReaders: Sendable {
    /// Invariant of the unchecked `Sendable`: whoever has taken a reader out of `idle` is the only
    /// one to use it, until it gives it back.
    struct Reader: @unchecked Sendable {
        let connection: SQLiteConnection
    }

    private let path: String
    private let file: SQLiteFileIdentity?
    private let options: SQLiteOptions
    private let renderer: SQLRenderer
    private let idle = Mutex<[Reader]>([])

    /// More are closed when they are given back.
    private static let mostIdle = 8
    /// More keep no pages while they are idle.
    private static let mostWithPages = 2

    init(path: String, _ options: SQLiteOptions, _ renderer: SQLRenderer) {
        self.path = path
        file = SQLiteFileIdentity(path)
        self.renderer = renderer
        var options = options
        options.isReadOnly = true
        self.options = options
    }

    /// A reader that nobody else uses until it is given back; nil when none can be opened, as when
    /// the file was deleted or replaced while it is in use, or there are too many open files.
    func take() -> Reader? {
        if let reader = idle.withLock({ $0.popLast() }) { return reader }
        guard file == SQLiteFileIdentity(path),
            let connection = try? SQLiteConnection(path: path, options, renderer),
            (try? connection.keepPages()) != nil
        else { return nil }
        return Reader(connection: connection)
    }

    func giveBack(_ reader: Reader) {
        idle.withLock { idle in
            guard idle.count < Self.mostIdle else { return }
            if idle.count >= Self.mostWithPages { reader.connection.releasePages() }
            idle.append(reader)
        }
    }

    /// Closes what is idle. The last connection of a file that is closed has to be one that writes,
    /// or the WAL file stays.
    func close() {
        idle.withLock { $0.removeAll() }
    }
}
