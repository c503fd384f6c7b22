package import Testing

extension Trait where Self == ConditionTrait {
    /// Skips a test where there is no server to share. `Scripts/test` counts the tests by this reason.
    package static var needsPostgres: Self {
        .enabled(if: SharedPostgres.connectionString != nil, "no PostgreSQL server")
    }

    /// Skips a test that starts servers of its own where none is installed, for the same reason.
    package static var needsPostgresPrograms: Self {
        .enabled(if: PostgresPrograms.folder != nil, "no PostgreSQL server")
    }
}
