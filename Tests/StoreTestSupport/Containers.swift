package import Dovetail

extension ModelContainer {
    /// A container in memory: of SQLite, or of the memory store where the environment says
    /// `DOVETAIL_STORE=memory`. `Scripts/test` runs the suites of stores with both; a test of what
    /// only SQLite can do takes `StoreKind.sqlite.container`.
    package static func inMemory(_ models: any Model.Type...) throws -> ModelContainer {
        let isMemory = ProcessInfo.processInfo.environment["DOVETAIL_STORE"] == "memory"
        return try (isMemory ? StoreKind.memory : .sqlite).container(models)
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
