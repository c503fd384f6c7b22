public import DovetailContext
public import DovetailModel
import DovetailSQLite
public import DovetailStore
public import Foundation

/// Where a container keeps its values when nothing else is said: a SQLite database.
public struct ModelConfiguration: DataStoreConfiguration {
    /// The file; nil for one in memory.
    public let url: URL?
    /// Whether values live no longer than the container.
    public var isStoredInMemoryOnly: Bool { url == nil }
    /// Whether anything may be written.
    public let allowsSave: Bool
    /// How long to wait for another process that holds the database.
    public let busyTimeout: Duration

    /// A file in the platform's place for data of programs:
    /// `$XDG_DATA_HOME` or `~/.local/share` on Linux, `Application Support` on Apple's systems, and
    /// in it a folder with the program's name.
    public init(
        isStoredInMemoryOnly: Bool = false,
        allowsSave: Bool = true,
        busyTimeout: Duration = .seconds(5)
    ) {
        url = isStoredInMemoryOnly ? nil : Self.defaultURL
        self.allowsSave = allowsSave
        self.busyTimeout = busyTimeout
    }

    /// A file of your choice. It is created, but not the folder around it.
    public init(url: URL, allowsSave: Bool = true, busyTimeout: Duration = .seconds(5)) {
        self.url = url
        self.allowsSave = allowsSave
        self.busyTimeout = busyTimeout
    }

    /// Opens the database.
    ///
    /// - Throws: ``StoreError``.
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
        return try SQLiteStore(
            url: url,
            isReadOnly: !allowsSave,
            busyTimeout: busyTimeout,
            schema: schema
        )
    }

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
    /// Opens the default store for the models: a SQLite file in the platform's place.
    ///
    /// ```swift
    /// let container = try ModelContainer(for: Trip.self, User.self)
    /// ```
    ///
    /// - Throws: ``StoreError`` when it cannot be opened, or does not fit the models.
    public convenience init(for models: any Model.Type...) throws {
        try self.init(for: models, configuration: ModelConfiguration())
    }

    /// Opens a SQLite database for the models.
    ///
    /// - Throws: ``StoreError`` when it cannot be opened, or does not fit the models.
    public convenience init(
        for models: any Model.Type...,
        configurations: ModelConfiguration
    ) throws {
        try self.init(for: models, configuration: configurations)
    }
}
