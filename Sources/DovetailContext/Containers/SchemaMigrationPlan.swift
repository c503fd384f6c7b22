public import DovetailStore

/// The versions of a program's models in their order, and how a database of one becomes a database of
/// the next.
///
/// ```swift
/// enum LibraryPlan: SchemaMigrationPlan {
///     static var schemas: [any VersionedSchema.Type] { [LibraryV1.self, LibraryV2.self] }
///     static var stages: [MigrationStage] { [toV2] }
///     static let toV2 = MigrationStage.lightweight(
///         fromVersion: LibraryV1.self,
///         toVersion: LibraryV2.self
///     )
/// }
/// let container = try ModelContainer(
///     for: Schema(versionedSchema: LibraryV2.self),
///     migrationPlan: LibraryPlan.self
/// )
/// ```
///
/// The stages are not run yet. A container with a plan opens a database that fits its schema, such as
/// a new one, and throws ``StoreError`` of kind `invalidSchema` for an older one, which is left as it
/// is.
public protocol SchemaMigrationPlan: SendableMetatype {
    /// The versions, the oldest first.
    static var schemas: [any VersionedSchema.Type] { get }
    /// The steps between them, the oldest first.
    static var stages: [MigrationStage] { get }
}

/// One step of a ``SchemaMigrationPlan``. No step is run yet.
public enum MigrationStage: Sendable {
    /// A step that needs nothing but the two versions: attributes came with a default, or went.
    case lightweight(
        fromVersion: any VersionedSchema.Type,
        toVersion: any VersionedSchema.Type
    )

    /// A step with code of the program's own. `willMigrate` gets a context of the old models before
    /// the tables change, `didMigrate` one of the new models afterwards; either may be nil.
    ///
    /// ```swift
    /// MigrationStage.custom(
    ///     fromVersion: LibraryV1.self,
    ///     toVersion: LibraryV2.self,
    ///     willMigrate: { context in
    ///         try context.delete(model: LibraryV1.Draft.self)
    ///         try context.save()
    ///     },
    ///     didMigrate: nil
    /// )
    /// ```
    ///
    /// What the closures throw ends the migration.
    case custom(
        fromVersion: any VersionedSchema.Type,
        toVersion: any VersionedSchema.Type,
        willMigrate: (@Sendable (ModelContext) throws -> Void)?,
        didMigrate: (@Sendable (ModelContext) throws -> Void)?
    )
}
