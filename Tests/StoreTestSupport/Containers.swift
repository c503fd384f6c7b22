package import Dovetail

extension ModelContainer {
    /// A container in memory.
    package static func inMemory(_ models: any Model.Type...) throws -> ModelContainer {
        try ModelContainer(
            for: models,
            configuration: ModelConfiguration(isStoredInMemoryOnly: true)
        )
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
