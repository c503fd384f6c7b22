import Dispatch
public import DovetailModel
public import DovetailStore

/// Keeps the values of some models in one store.
///
/// A container may be shared between threads and tasks. What is read and written goes through a
/// ``ModelContext``, which may not: make one where you need it, or let ``perform(_:)`` hand you one.
public final class ModelContainer: Sendable {
    /// The models that are kept.
    public let schema: Schema
    /// Where they are kept.
    public let store: any DataStore
    /// Runs what ``perform(_:)`` is given; never a thread of Swift's own pool.
    private let queue = DispatchQueue(label: "Dovetail.ModelContainer")

    /// Opens a store for the models. Tables that do not exist are created.
    ///
    /// - Throws: ``StoreError`` when the store cannot be opened, or does not fit the models.
    public init(
        for models: [any Model.Type],
        configuration: any DataStoreConfiguration
    ) throws {
        schema = Schema(models)
        try schema.validate()
        store = try configuration.makeStore(for: schema)
    }

    /// Opens a store of any kind for the models.
    ///
    /// - Throws: ``StoreError`` when the store cannot be opened, or does not fit the models.
    @_disfavoredOverload
    public convenience init(
        for models: any Model.Type...,
        configurations: any DataStoreConfiguration
    ) throws {
        try self.init(for: models, configuration: configurations)
    }

    /// The context of the main thread, for programs and scripts.
    @MainActor public var mainContext: ModelContext {
        if let madeContext { return madeContext }
        let context = ModelContext(self)
        madeContext = context
        return context
    }

    @MainActor private var madeContext: ModelContext?

    /// Runs `body` on a thread of the container's own with a context of its own.
    ///
    /// Nothing is saved unless `body` saves it. Calls run one after the other.
    ///
    /// - Throws: what `body` throws.
    public func perform<Result>(
        _ body: sending @escaping (ModelContext) throws -> sending Result
    ) async throws -> sending Result {
        // `body` is given away by the caller and runs once; its result is made on the queue and
        // given away in turn. Nobody else holds either.
        nonisolated(unsafe) let body = body
        let outcome: Transfer<Result> = try await withCheckedThrowingContinuation { continuation in
            queue.async { [self] in
                do {
                    let result = try body(ModelContext(self))
                    continuation.resume(returning: Transfer(value: result))
                } catch {
                    continuation.resume(throwing: error)
                }
            }
        }
        return outcome.value
    }

    /// Runs `body` as ``perform(_:)`` does. Use it for what only reads.
    ///
    /// - Throws: what `body` throws.
    public func read<Result>(
        _ body: sending @escaping (ModelContext) throws -> sending Result
    ) async throws -> sending Result {
        try await perform(body)
    }
}

/// Carries the result of `perform` from the task of the context to the caller.
///
/// Invariant of the unchecked `Sendable`: exactly one side holds the value at a time.
private struct Transfer<Value>: @unchecked Sendable {
    let value: Value
}
