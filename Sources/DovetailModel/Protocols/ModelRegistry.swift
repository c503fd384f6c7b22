import Synchronization

/// Every model of the program, in the order in which the loader met them.
///
/// `@Model` places a call of ``_register(_:)`` among the initializers that the loader runs when it
/// maps a module, so there is nothing to set up, and modules that are loaded later are found too.
enum ModelRegistry {
    private static let models = Mutex<[any Model.Type]>([])

    static func register(_ model: any Model.Type) {
        models.withLock { $0.append(model) }
    }

    /// All models, and a number that grows when one is added.
    static var all: (generation: Int, models: [any Model.Type]) {
        models.withLock { ($0.count, $0) }
    }
}

extension Model {
    /// Fulfils a requirement of model protocols, for which generated code of a generic type has an
    /// unavailable member: nobody can register a type without its parameters.
    public static func _isRegistered() {}
}

/// Makes a model known to the protocols it conforms to. Called by generated code when a module is
/// loaded; it only stores the type.
public func _register(_ model: any Model.Type) {
    ModelRegistry.register(model)
}
