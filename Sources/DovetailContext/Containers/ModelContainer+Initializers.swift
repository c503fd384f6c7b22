public import DovetailModel
public import DovetailStore

// The shapes in which a container is made for configurations of any kind. For `ModelConfiguration`
// there are the same ones in Dovetail, which the compiler prefers. All of them throw what
// `init(for:migrationPlan:configurations:)` with a schema throws.

extension ModelContainer {
    /// Opens a store for a list of models. Tables that do not exist are created.
    ///
    /// - Throws: ``StoreError`` when a model cannot be stored, or when the store cannot be opened
    ///   or does not fit the models.
    public convenience init(
        for models: [any Model.Type],
        migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
        configuration: any DataStoreConfiguration
    ) throws {
        try self.init(for: models, migrationPlan: migrationPlan, configurations: [configuration])
    }

    /// Opens the stores of several configurations for a list of models. A model belongs to the
    /// configuration that names it (``DataStoreConfiguration/keeping(_:)``), all others to the one
    /// that names none.
    ///
    /// - Throws: ``StoreError`` when a model cannot be stored, has no configuration or two, or refers
    ///   to a model in another store, or when a store cannot be opened or does not fit.
    @_disfavoredOverload
    public convenience init(
        for models: [any Model.Type],
        migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
        configurations: [any DataStoreConfiguration]
    ) throws {
        let schema = Schema(models, version: Schema.Version(of: migrationPlan))
        try self.init(for: schema, migrationPlan: migrationPlan, configurations: configurations)
    }

    /// The same for models that are written out.
    ///
    /// - Throws: ``StoreError``.
    @_disfavoredOverload
    public convenience init(
        for models: any Model.Type...,
        migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
        configurations: [any DataStoreConfiguration]
    ) throws {
        try self.init(for: models, migrationPlan: migrationPlan, configurations: configurations)
    }

    /// Opens stores of any kind for the models.
    ///
    /// ```swift
    /// let container = try ModelContainer(for: User.self, configurations: MemoryConfiguration())
    /// ```
    ///
    /// - Throws: ``StoreError`` when a model cannot be stored, or when the store cannot be opened
    ///   or does not fit the models.
    @_disfavoredOverload
    public convenience init(
        for models: any Model.Type...,
        migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
        configurations: any DataStoreConfiguration,
        _ more: any DataStoreConfiguration...
    ) throws {
        try self.init(
            for: models,
            migrationPlan: migrationPlan,
            configurations: [configurations] + more
        )
    }

    /// The same for a list of models.
    ///
    /// - Throws: ``StoreError``.
    @_disfavoredOverload
    public convenience init(
        for models: [any Model.Type],
        migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
        configurations: any DataStoreConfiguration,
        _ more: any DataStoreConfiguration...
    ) throws {
        try self.init(
            for: models,
            migrationPlan: migrationPlan,
            configurations: [configurations] + more
        )
    }

    /// The same for a schema.
    ///
    /// - Throws: ``StoreError``.
    @_disfavoredOverload
    public convenience init(
        for schema: Schema,
        migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
        configurations: any DataStoreConfiguration,
        _ more: any DataStoreConfiguration...
    ) throws {
        try self.init(
            for: schema,
            migrationPlan: migrationPlan,
            configurations: [configurations] + more
        )
    }
}

extension Schema.Version {
    /// The version of the newest schema of a plan, and 1.0.0 without one: what models have that are
    /// given without a schema.
    package init(of plan: (any SchemaMigrationPlan.Type)?) {
        self = plan?.schemas.last?.versionIdentifier ?? Schema.Version(1, 0, 0)
    }
}

extension ModelContainer: Equatable {
    /// Whether both are one container.
    public static func == (left: ModelContainer, right: ModelContainer) -> Bool {
        left.known === right.known
    }
}
