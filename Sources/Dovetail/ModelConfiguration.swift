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
    /// What the configuration is called: the name of its file, without `.sqlite`.
    public let name: String
    /// The models that it is for; nil for those that no other configuration of the container names.
    public let schema: Schema?
    /// The file; `/dev/null` for one in memory.
    public let url: URL
    /// Whether the database is in memory, where values live no longer than the container. Each
    /// container has one of its own, whatever its name is.
    public let isStoredInMemoryOnly: Bool
    /// Whether the database may be written. Otherwise a write ends in a ``StoreError``, and a file
    /// that does not exist is not created.
    public let allowsSave: Bool
    /// Which programs share the folder of the file. It counts where the configuration has no URL.
    public let groupContainer: GroupContainer
    /// What was asked of CloudKit. Nothing is synchronized.
    public let cloudKitDatabase: CloudKitDatabase
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
    /// The folder that is made when the store is opened; nil for one that has to be there.
    private let ownFolder: URL?

    /// A file in the platform's folder for data of programs, or a database in memory.
    ///
    /// ```swift
    /// ModelConfiguration().url                        // ~/.local/share/Shop/default.sqlite
    /// ModelConfiguration("Cache").url                 // ~/.local/share/Shop/Cache.sqlite
    /// ModelConfiguration(schema: schema, isStoredInMemoryOnly: true)
    /// ```
    ///
    /// The folder is `$XDG_DATA_HOME` or `~/.local/share` on Linux
    /// (<https://specifications.freedesktop.org/basedir-spec/latest/>) and `Application Support` on
    /// Apple's systems. In it is a folder with the name of the process, or of the group, which is
    /// created when the store is opened.
    ///
    /// - Parameters:
    ///   - name: The name of the file, without `.sqlite`; `default` for nil. Opening the store refuses
    ///     one with a slash.
    ///   - schema: The models that it is for, where a container has several configurations.
    ///   - isStoredInMemoryOnly: Whether there is no file.
    ///   - allowsSave: Whether the database may be written.
    ///   - groupContainer: Which programs share the folder.
    ///   - cloudKitDatabase: Accepted and kept; nothing is synchronized.
    ///   - busyTimeout: How long a call waits for a lock.
    public init(
        _ name: String? = nil,
        schema: Schema? = nil,
        isStoredInMemoryOnly: Bool = false,
        allowsSave: Bool = true,
        groupContainer: GroupContainer = .automatic,
        cloudKitDatabase: CloudKitDatabase = .automatic,
        busyTimeout: Duration = .seconds(5)
    ) {
        self.name = name ?? Self.defaultName
        self.schema = schema
        self.isStoredInMemoryOnly = isStoredInMemoryOnly
        self.allowsSave = allowsSave
        self.groupContainer = groupContainer
        self.cloudKitDatabase = cloudKitDatabase
        self.busyTimeout = busyTimeout
        let folder = isStoredInMemoryOnly ? nil : groupContainer.folder
        ownFolder = folder
        url = folder?.appendingPathComponent(self.name + ".sqlite") ?? Self.nowhere
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
    ///
    /// - Parameters:
    ///   - name: What the configuration is called; the name of the file for nil.
    ///   - schema: The models that it is for, where a container has several configurations.
    ///   - url: The file.
    ///   - allowsSave: Whether the database may be written.
    ///   - cloudKitDatabase: Accepted and kept; nothing is synchronized.
    ///   - busyTimeout: How long a call waits for a lock.
    public init(
        _ name: String? = nil,
        schema: Schema? = nil,
        url: URL,
        allowsSave: Bool = true,
        cloudKitDatabase: CloudKitDatabase = .automatic,
        busyTimeout: Duration = .seconds(5)
    ) {
        self.name = name ?? url.deletingPathExtension().lastPathComponent
        self.schema = schema
        self.url = url
        self.allowsSave = allowsSave
        self.cloudKitDatabase = cloudKitDatabase
        self.busyTimeout = busyTimeout
        isStoredInMemoryOnly = false
        groupContainer = .none
        ownFolder = nil
    }

    /// A database for some models, in the platform's folder or in memory.
    ///
    /// ```swift
    /// let container = try ModelContainer(
    ///     for: User.self, Draft.self,
    ///     configurations: ModelConfiguration(),
    ///     ModelConfiguration(for: Draft.self, isStoredInMemoryOnly: true)
    /// )
    /// ```
    public init(
        for model: any Model.Type,
        _ more: any Model.Type...,
        isStoredInMemoryOnly: Bool = false
    ) {
        self.init(schema: Schema([model] + more), isStoredInMemoryOnly: isStoredInMemoryOnly)
    }

    /// The models of ``schema``.
    public var models: [any Model.Type]? { schema?.models }

    /// The database, unless there is none.
    public var file: URL? { isStoredInMemoryOnly ? nil : url }

    /// Opens the database and creates the tables of `schema` that do not exist. Called by
    /// ``ModelContainer``.
    ///
    /// - Throws: ``StoreError``: `cannotOpen` when the folder or the file cannot be made,
    ///   `readOnly`, `locked`, `notADatabase`, `corrupt`, and `invalidSchema` when a table lacks a
    ///   column of its model or requires one that the model does not have.
    public func makeStore(for schema: Schema) throws -> any DataStore {
        if let ownFolder {
            try checkNames()
            do {
                try FileManager.default.createDirectory(
                    at: ownFolder,
                    withIntermediateDirectories: true
                )
            } catch {
                throw StoreError(
                    .cannotOpen,
                    location: ownFolder.path,
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
        return try SQLiteStore(
            url: isStoredInMemoryOnly ? nil : url,
            options: options,
            schema: schema
        )
    }

    private static let defaultName = "default"
    /// What SwiftData gives as the URL of a store in memory.
    private static let nowhere = URL(fileURLWithPath: "/dev/null")
}
