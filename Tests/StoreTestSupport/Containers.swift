package import Dovetail

extension ModelContainer {
    /// A container in memory: of SQLite, or of the memory store or PostgreSQL where the environment says
    /// `DOVETAIL_STORE=memory` or `postgres`. `Scripts/test` runs the suites that ask for it with SQLite and with the
    /// memory store; a test of what only SQLite can do takes `StoreKind.sqlite.container`.
    package static func inMemory(_ models: any Model.Type...) throws -> ModelContainer {
        switch ProcessInfo.processInfo.environment["DOVETAIL_STORE"] {
        case "memory": try StoreKind.memory.container(models)
        case "postgres": try StoreKind.postgres.container(models)
        default: try StoreKind.sqlite.container(models)
        }
    }

    /// A container over a file, which gives up at once when the file is locked.
    package static func file(
        _ url: URL,
        _ models: any Model.Type...,
        allowsSave: Bool = true,
        busyTimeout: Duration = .milliseconds(20)
    ) throws -> ModelContainer {
        let configuration = ModelConfiguration(
            url: url,
            allowsSave: allowsSave,
            busyTimeout: busyTimeout
        )
        return try ModelContainer(for: models, configuration: configuration)
    }
}
