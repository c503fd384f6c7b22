import DovetailModel
import DovetailStore
import Observation

/// What a context knows of one object. A class with `@Model` holds one, and nobody else uses it.
///
/// Invariant of the unchecked `Sendable`: it belongs to its object, which is not `Sendable` unless
/// nothing of it can be changed. The macro's storage must not be what keeps such a class from being
/// `Sendable`.
public final class ObjectBacking: @unchecked Sendable {
    /// Where an object stands between its context and its row.
    enum State: UInt8 {
        /// It was never inserted, or a rollback has taken the insertion back.
        case detached
        /// It waits to be inserted.
        case inserted
        /// It has a row.
        case stored
        /// It waits to be deleted.
        case deleted
        /// Its row was deleted.
        case gone

        var isDeleted: Bool { self == .deleted || self == .gone }
    }

    /// The context. Invariant: a context holds its objects and clears this when it lets them go,
    /// at the latest when it ends, so it never outlives the context.
    unowned(unsafe) var context: ModelContext?
    var state = State.detached
    /// Whether what the initializer has set was handed to the relationships.
    var isLinked = false
    /// Whether it has a row that is to be changed.
    var isChanged = false
    /// Whether the context has it on its list of objects whose rows fetches have to see anew.
    var isStale = false
    /// The number of the container's commit that its attributes are from.
    var commit = 0
    /// The key of its row, from the time it was inserted.
    var key: RowKey?
    /// Its row as it was when it was read; nil while nothing was changed.
    var base: RowImage?
    /// What its relationships hold, by their index; empty until one is asked for.
    var slots: [RelationSlot] = []
    /// Its place in the relationships of others that hold several objects.
    var places: [RelationPlace] = []
    private(set) var knownShape: ObjectShape?
    private var registrar: ObservationRegistrar?

    /// Makes one for an object that was not inserted. Called by generated code.
    public init() {}

    /// The relationships of the class of the object, whose backing this is. What its initializer has set
    /// is handed to them first, where that was not done when the initializer ended.
    func shape<Object: PersistentModel>(of object: Object) -> ObjectShape {
        let shape = knownShape ?? ObjectShape.of(Object.self)
        if knownShape == nil {
            knownShape = shape
            slots = Array(repeating: .nothing, count: shape.relationships.count)
        }
        if !isLinked { object._$link() }
        return shape
    }

    /// Tells whoever is tracking that a property is read.
    func isRead<Object: PersistentModel, Value>(
        _ object: Object,
        _ keyPath: KeyPath<Object, Value>
    ) {
        guard ObservationProbe.isTracking else { return }
        let registrar = self.registrar ?? ObservationRegistrar()
        self.registrar = registrar
        registrar.access(object, keyPath: keyPath)
    }

    /// Tells whoever has read a property that it changes.
    func willChange<Object: PersistentModel, Value>(
        _ object: Object,
        _ keyPath: KeyPath<Object, Value>
    ) {
        registrar?.willSet(object, keyPath: keyPath)
    }

    /// Tells whoever has read a property that it has changed.
    func didChange<Object: PersistentModel, Value>(
        _ object: Object,
        _ keyPath: KeyPath<Object, Value>
    ) {
        registrar?.didSet(object, keyPath: keyPath)
    }

    /// Runs `change`, which changes the properties at key paths of any types.
    func changing<Object: PersistentModel>(
        _ object: Object,
        _ keyPaths: ArraySlice<any AnyKeyPath & Sendable>,
        _ change: () -> Void
    ) {
        guard let first = keyPaths.first else { return change() }
        changing(object, first) { changing(object, keyPaths.dropFirst(), change) }
    }

    /// Whether somebody has read properties of the object who wants to know when they change.
    var isObserved: Bool { registrar != nil }

    /// Runs `change`, which changes the property at a key path of any type.
    func changing<Object: PersistentModel>(
        _ object: Object,
        _ keyPath: AnyKeyPath,
        _ change: () -> Void
    ) {
        guard let registrar else { return change() }
        func typed<Value>(_ type: Value.Type) {
            guard let keyPath = keyPath as? KeyPath<Object, Value> else { return change() }
            registrar.willSet(object, keyPath: keyPath)
            change()
            registrar.didSet(object, keyPath: keyPath)
        }
        _openExistential(Swift.type(of: keyPath).valueType, do: typed)
    }
}
