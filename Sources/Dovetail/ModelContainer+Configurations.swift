public import DovetailContext
public import DovetailModel
public import DovetailStore

// The shapes in which a container is made for the default kind of store. Without a configuration it is
// the file of `ModelConfiguration()`. All of them open the stores as
// `init(for:migrationPlan:configurations:)` of DovetailContext does, and throw what it throws.

extension ModelContainer {
    /// Opens SQLite databases for the models, and creates the tables that do not exist.
    ///
    /// ```swift
    /// let container = try ModelContainer(for: Trip.self, User.self)
    /// let memory = try ModelContainer(
    ///     for: Trip.self, User.self,
    ///     configurations: ModelConfiguration(isStoredInMemoryOnly: true)
    /// )
    /// ```
    ///
    /// Without a configuration it is the file of `ModelConfiguration()`, in the platform's folder. A
    /// file is in WAL mode (<https://sqlite.org/wal.html>), unless others have made all of its
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
    /// - Parameters:
    ///   - models: The models. Those that they refer to, and those of the configurations' schemas,
    ///     come with them.
    ///   - migrationPlan: The versions of the models; its stages are not run yet.
    ///   - configurations: Where the models are kept.
    /// - Complexity: one query for each table; it does not grow with the rows.
    /// - Throws: ``StoreError`` when the store cannot be opened, or does not fit the models.
    public convenience init(
        for models: any Model.Type...,
        migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
        configurations: ModelConfiguration...
    ) throws {
        try self.init(for: models, migrationPlan: migrationPlan, configurations: configurations)
    }

    /// The same for a list of models.
    ///
    /// ```swift
    /// let all: [any Model.Type] = [Trip.self, User.self]
    /// let container = try ModelContainer(for: all)
    /// ```
    ///
    /// - Throws: ``StoreError`` when the store cannot be opened, or does not fit the models.
    public convenience init(
        for models: [any Model.Type],
        migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
        configurations: ModelConfiguration...
    ) throws {
        try self.init(for: models, migrationPlan: migrationPlan, configurations: configurations)
    }

    /// The same for a schema.
    ///
    /// ```swift
    /// let schema = Schema([Trip.self, User.self])
    /// let container = try ModelContainer(
    ///     for: schema,
    ///     configurations: ModelConfiguration(schema: schema, isStoredInMemoryOnly: true)
    /// )
    /// ```
    ///
    /// - Throws: ``StoreError`` when the store cannot be opened, or does not fit the models.
    public convenience init(
        for schema: Schema,
        migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
        configurations: ModelConfiguration...
    ) throws {
        try self.init(for: schema, migrationPlan: migrationPlan, configurations: configurations)
    }

    /// The same with an array of configurations; an empty one is the default file.
    ///
    /// ```swift
    /// let container = try ModelContainer(for: schema, configurations: [configuration])
    /// ```
    ///
    /// - Throws: ``StoreError`` when the store cannot be opened, or does not fit the models.
    public convenience init(
        for schema: Schema,
        migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
        configurations: [ModelConfiguration]
    ) throws {
        let stores: [any DataStoreConfiguration] =
            configurations.isEmpty ? [ModelConfiguration()] : configurations
        try self.init(for: schema, migrationPlan: migrationPlan, configurations: stores)
    }

    /// The same for a list of models, with an array of configurations.
    ///
    /// - Throws: ``StoreError`` when the store cannot be opened, or does not fit the models.
    public convenience init(
        for models: [any Model.Type],
        migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
        configurations: [ModelConfiguration]
    ) throws {
        let schema = Schema(models, version: Schema.Version(of: migrationPlan))
        try self.init(for: schema, migrationPlan: migrationPlan, configurations: configurations)
    }

    /// The same for models that are written out, with an array of configurations.
    ///
    /// - Throws: ``StoreError`` when the store cannot be opened, or does not fit the models.
    public convenience init(
        for models: any Model.Type...,
        migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
        configurations: [ModelConfiguration]
    ) throws {
        try self.init(for: models, migrationPlan: migrationPlan, configurations: configurations)
    }

    /// The configurations of the default kind that the container was made with, also the one that it
    /// takes when none is given. ``storeConfigurations`` has those of other kinds, too, and their order.
    public var configurations: Set<ModelConfiguration> {
        Set(storeConfigurations.compactMap { $0 as? ModelConfiguration })
    }
}
