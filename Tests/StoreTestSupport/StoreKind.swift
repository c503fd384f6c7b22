package import Dovetail

/// The stores that have to mean the same: tests that compare them run on each, or on both at once.
package enum StoreKind: CaseIterable, Sendable {
    case sqlite
    case memory

    /// A container over a new store, which is in memory.
    package func container(_ models: any Model.Type...) throws -> ModelContainer {
        try container(models)
    }

    /// The same for a list of models.
    package func container(_ models: [any Model.Type]) throws -> ModelContainer {
        switch self {
        case .sqlite:
            try ModelContainer(
                for: models,
                configuration: ModelConfiguration(isStoredInMemoryOnly: true)
            )
        case .memory: try ModelContainer(for: models, configuration: MemoryConfiguration())
        }
    }
}
