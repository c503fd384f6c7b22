import Dovetail
import DovetailPostgres
import PostgresTestSupport

extension FreshSchema {
    /// A container over the tables of this schema.
    ///
    /// - Parameter change: Sets what is to be different.
    func container(
        _ models: any Model.Type...,
        history: StoreHistory? = nil,
        change: (inout PostgresConfiguration) -> Void = { _ in }
    ) throws -> ModelContainer {
        var configuration = PostgresConfiguration(connectionString)
        configuration.history = history
        change(&configuration)
        return try ModelContainer(for: models, configurations: [configuration])
    }
}
