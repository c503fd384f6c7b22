public import DovetailModel
public import Foundation

extension DataStoreConfiguration {
    /// All models that no other configuration names.
    public var models: [any Model.Type]? { nil }

    /// None.
    public var file: URL? { nil }

    /// The same configuration for some of a container's models. The others need one of their own.
    ///
    /// ```swift
    /// let container = try ModelContainer(
    ///     for: User.self, Draft.self,
    ///     configurations: ModelConfiguration(url: file), MemoryConfiguration().keeping(Draft.self)
    /// )
    /// ```
    ///
    /// Models in two stores cannot refer to each other, and one save cannot write to both.
    public func keeping(_ models: any Model.Type...) -> ConfigurationOfModels {
        ConfigurationOfModels(base: self, kept: models)
    }
}

/// A configuration for some of a container's models: what `keeping(_:)` makes.
public struct ConfigurationOfModels: DataStoreConfiguration {
    let base: any DataStoreConfiguration
    let kept: [any Model.Type]

    /// The models.
    public var models: [any Model.Type]? { kept }

    /// That of the other configuration.
    public var file: URL? { base.file }

    /// Opens the store of the other configuration.
    ///
    /// - Throws: ``StoreError``.
    public func makeStore(for schema: Schema) throws -> any DataStore {
        try base.makeStore(for: schema)
    }
}
