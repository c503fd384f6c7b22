public import DovetailContext
public import DovetailModel
import DovetailSQLite
public import DovetailStore
public import Foundation

/// Where a container keeps its values unless it is given another configuration: in a SQLite
/// database, a file or in memory.
///
/// ```swift
/// let memory = ModelConfiguration(isStoredInMemoryOnly: true)
/// let container = try ModelContainer(for: Owner.self, configurations: memory)
/// ```
///
/// A configuration is a value: making one opens nothing and creates nothing.
public struct ModelConfiguration: DataStoreConfiguration {
    /// The file; nil for one in memory.
    public let url: URL?
    /// Whether the database is in memory, where values live no longer than the container.
    public var isStoredInMemoryOnly: Bool { url == nil }
    /// Whether the database may be written. Otherwise a write ends in a ``StoreError``, and a file
    /// that does not exist is not created.
    public let allowsSave: Bool
    /// How long a call waits while another connection has the database locked, before it ends in a
    /// ``StoreError`` with the kind `locked` (<https://sqlite.org/c3ref/busy_timeout.html>).
    public let busyTimeout: Duration
    /// What a save promises when the machine loses power; ``StoreDurability/normal`` unless set.
    public var durability = StoreDurability.normal
    /// How long the closure of ``ModelContainer/read(deadline:_:)`` may read; nil for as long as it
    /// likes. What it reads after that is a ``StoreError`` with the kind `deadlineExceeded`. While it
    /// reads, the write-ahead log grows with every save
    /// (<https://sqlite.org/wal.html#avoiding_excessively_large_wal_files>).
    public var longestSnapshot: Duration?
    /// Whether all of the file is looked at when it is opened, which takes as long as reading it. A
    /// damaged one is a ``StoreError`` with the kind `corrupt` then, and not when its page is read.
    public var checksIntegrity = false
    /// Reports each statement that was run; nil for none.
    public var trace: StoreTrace?
    /// Whether the database keeps what is changed, for ``ModelContext/history(since:limit:)``. Nil
    /// leaves it as it is in the database, which is without one at first.
    public var history: StoreHistory?

    /// A file `default.sqlite` in the platform's folder for data of programs, or a database in
    /// memory.
    ///
    /// The folder is `$XDG_DATA_HOME` or `~/.local/share` on Linux
    /// (<https://specifications.freedesktop.org/basedir-spec/latest/>) and `Application Support` on
    /// Apple's systems. In it is a folder with the name of the process, which is created when the
    /// store is opened.
    ///
    /// ```swift
    /// let configuration = ModelConfiguration(busyTimeout: .seconds(30))
    /// print(configuration.url?.path ?? "")    // /home/ada/.local/share/Shop/default.sqlite
    /// ```
    public init(
        isStoredInMemoryOnly: Bool = false,
        allowsSave: Bool = true,
        busyTimeout: Duration = .seconds(5)
    ) {
        url = isStoredInMemoryOnly ? nil : Self.defaultURL
        self.allowsSave = allowsSave
        self.busyTimeout = busyTimeout
    }

    /// A file of your choice. It is created if it does not exist, but not the folder around it.
    ///
    /// ```swift
    /// let file = URL(fileURLWithPath: "/var/lib/shop/shop.sqlite")
    /// let container = try ModelContainer(
    ///     for: Owner.self,
    ///     configurations: ModelConfiguration(url: file, allowsSave: false)
    /// )
    /// ```
    public init(url: URL, allowsSave: Bool = true, busyTimeout: Duration = .seconds(5)) {
        self.url = url
        self.allowsSave = allowsSave
        self.busyTimeout = busyTimeout
    }

    /// Opens the database and creates the tables of `schema` that do not exist. Called by
    /// ``ModelContainer``.
    ///
    /// - Throws: ``StoreError``: `cannotOpen` when the folder or the file cannot be made,
    ///   `readOnly`, `locked`, `notADatabase`, `corrupt`, and `invalidSchema` when a table lacks a
    ///   column of its model or requires one that the model does not have.
    public func makeStore(for schema: Schema) throws -> any DataStore {
        if let url, url == Self.defaultURL {
            let folder = url.deletingLastPathComponent()
            do {
                try FileManager.default.createDirectory(
                    at: folder,
                    withIntermediateDirectories: true
                )
            } catch {
                throw StoreError(
                    .cannotOpen,
                    location: folder.path,
                    explanation: "the folder cannot be created",
                    detail: "\(error)"
                )
            }
        }
        var options = SQLiteOptions()
        options.isReadOnly = !allowsSave
        options.busyTimeout = busyTimeout
        options.durability = durability
        options.checksIntegrity = checksIntegrity
        options.longestSnapshot = longestSnapshot
        options.trace = trace
        options.history = history
        return try SQLiteStore(url: url, options: options, schema: schema)
    }

    /// The file of ``init(isStoredInMemoryOnly:allowsSave:busyTimeout:)``. The environment is read
    /// at each call, so it counts as it is when the configuration is made.
    private static var defaultURL: URL {
        #if canImport(Darwin)
            let base = URL.applicationSupportDirectory
        #else
            let environment = ProcessInfo.processInfo.environment
            let base =
                environment["XDG_DATA_HOME"].map { URL(fileURLWithPath: $0) }
                ?? URL.homeDirectory.appendingPathComponent(".local/share")
        #endif
        return base.appendingPathComponent(ProcessInfo.processInfo.processName)
            .appendingPathComponent("default.sqlite")
    }
}

extension ModelContainer {
    /// Opens the default store for the models: the SQLite file of
    /// ``ModelConfiguration/init(isStoredInMemoryOnly:allowsSave:busyTimeout:)``.
    ///
    /// ```swift
    /// let container = try ModelContainer(for: Trip.self, User.self)
    /// ```
    ///
    /// The file is in WAL mode (<https://sqlite.org/wal.html>), unless others have made all of its
    /// tables. Each table that does not exist is created, and described in `dovetail_schema`:
    ///
    /// ```sql
    /// PRAGMA foreign_keys = ON
    /// PRAGMA synchronous = NORMAL
    /// PRAGMA journal_mode = WAL
    /// CREATE TABLE "User" (
    ///     "id" INTEGER NOT NULL PRIMARY KEY,
    ///     "name" TEXT NOT NULL
    /// ) STRICT
    /// ```
    ///
    /// - Complexity: one query for each table; it does not grow with the rows.
    /// - Throws: ``StoreError`` when the store cannot be opened, or does not fit the models.
    public convenience init(for models: any Model.Type...) throws {
        try self.init(for: models, configuration: ModelConfiguration())
    }

    /// Opens a SQLite database for the models, in the file or in memory, and creates the tables
    /// that do not exist.
    ///
    /// ```swift
    /// let memory = ModelConfiguration(isStoredInMemoryOnly: true)
    /// let container = try ModelContainer(for: Trip.self, User.self, configurations: memory)
    /// ```
    ///
    /// - Throws: ``StoreError`` when the store cannot be opened, or does not fit the models.
    public convenience init(
        for models: any Model.Type...,
        configurations: ModelConfiguration,
        _ more: ModelConfiguration...
    ) throws {
        try self.init(for: models, configurations: [configurations] + more)
    }
}
