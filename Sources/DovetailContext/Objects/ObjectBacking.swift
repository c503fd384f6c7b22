import DovetailModel
import DovetailStore
import Observation

/// What a context knows of one object. A class with `@Model` holds one, and nobody else uses it.
///
/// Invariant of the unchecked `Sendable`: it belongs to its object, which is not `Sendable` unless
/// nothing of it can be changed. The macro's storage must not be what keeps such a class from being
/// `Sendable`.
///
/// Its properties are not checked for overlapping accesses at run time, since each read of an attribute
/// looks at them: the one thread that has the object reads or writes them, and no access calls out.
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
    @exclusivity(unchecked) unowned(unsafe) var context: ModelContext?
    /// ``commit`` and ``position``.
    @exclusivity(unchecked) private var numbers: UInt64 = 0
    /// The key of its row, from the time it was inserted.
    @exclusivity(unchecked) var key: RowKey?
    // Where the key leaves room.
    @exclusivity(unchecked) var state = State.detached
    /// Whether what the initializer has set was handed to the relationships.
    @exclusivity(unchecked) var isLinked = false
    /// Whether it is given what is stored, or what it was.
    @exclusivity(unchecked) var isTaking = false
    /// Whether it has a row that is to be changed.
    @exclusivity(unchecked) var isChanged = false
    /// Whether it was deleted before it was inserted: it is again when that is taken back.
    @exclusivity(unchecked) var wasGone = false
    /// The round of its context in which it came on the list of objects whose rows fetches have to see
    /// anew; 0 where it is not there. A save begins another round, and need not go over the list.
    @exclusivity(unchecked) var staleRound: UInt32 = 0
    /// Its row as it was before it was changed; nil while nothing was. It says nothing about attributes
    /// that no setter has changed (``ObjectRegistry/whole(_:of:)``).
    @exclusivity(unchecked) var base: RowImage?
    /// What its relationships hold, by their index; empty until one is asked for.
    @exclusivity(unchecked) var slots: [RelationSlot] = []
    /// Its place in the relationships of others that hold several objects.
    @exclusivity(unchecked) var places: [RelationPlace] = []
    /// The columns of large values that it has not read; empty for most objects. What its storage has of them
    /// is what it read before, or nil or nothing. Where the row is gone, and nobody can read them any more,
    /// positions among the attributes of its class: no context knows the columns.
    var deferred: ColumnSet {
        get { ColumnSet(firstBits: deferredBits) }
        set { deferredBits = newValue.firstBits }
    }

    // A set of all columns would be twice as large, and there is one of these for each object.
    @exclusivity(unchecked) private var deferredBits: UInt64 = 0
    /// The objects that were read with it, and what it asks after the end of its context; nil for one that
    /// was read alone, until that end.
    @exclusivity(unchecked) var batch: FaultBatch?
    @exclusivity(unchecked) private(set) var knownShape: ObjectShape?
    @exclusivity(unchecked) private var registrar: ObservationRegistrar?

    /// The number of the container's commit that its attributes are from, below 2^40.
    var commit: Int {
        get { Int(numbers >> 24) }
        set { numbers = UInt64(truncatingIfNeeded: newValue) << 24 | numbers & 0xFF_FFFF }
    }

    /// Its place in ``batch``; with more than 16 million objects, that of another one, beside which
    /// neighbors are as good.
    var position: Int {
        get { Int(numbers & 0xFF_FFFF) }
        set { numbers = numbers & ~0xFF_FFFF | UInt64(truncatingIfNeeded: newValue) & 0xFF_FFFF }
    }

    /// Makes one for an object that was not inserted. Called by generated code.
    public init() {}

    /// The initializers because of which the object keeps what is set alone; nil for one that is known.
    var beginning: OpenInitializers? { isLinked ? nil : OpenInitializers.current }

    /// The relationships of the class of the object, whose backing this is. What its initializer has set
    /// is handed to them first, where that was not done when the initializer ended.
    func shape<Object: PersistentModel>(of object: Object) -> ObjectShape {
        let shape = knownShape ?? ObjectShape.of(Swift.type(of: object))
        if knownShape == nil {
            knownShape = shape
            slots = Array(repeating: .nothing, count: shape.slotCount)
        }
        if !isLinked { object._$link() }
        return shape
    }

    /// The relationship at the slot of a property.
    ///
    /// - Parameter object: The object as the class sees it that declares the property.
    func index<Object: PersistentModel>(of object: Object, at slot: Int) -> Int {
        shape(of: object).index(at: slot, declaredBy: Object.self)
    }

    /// The relationship to a protocol at the slot of a property; nil where no class of the program conforms.
    ///
    /// - Parameter object: The object as the class sees it that declares the property.
    func union<Object: PersistentModel>(of object: Object, at slot: Int) -> ObjectShape.Union? {
        shape(of: object).union(at: slot, declaredBy: Object.self)
    }

    /// Whether there are large values that it has not read.
    @usableFromInline var isPartial: Bool { deferredBits != 0 }

    /// Notes that the object was made of its row: nothing was set that its relationships do not know.
    func begin(_ shape: ObjectShape) {
        knownShape = shape
        isLinked = true
        let count = shape.slotCount
        if count > 0 { slots = Array(repeating: .nothing, count: count) }
    }

    /// Tells whoever is tracking that a property is read.
    func isRead<Object: PersistentModel, Value>(
        _ object: Object,
        _ keyPath: KeyPath<Object, Value>
    ) {
        if isObservationTracked() { isTracked(object, keyPath) }
    }

    /// The same where somebody is known to be tracking.
    @usableFromInline
    func isTracked<Object: PersistentModel, Value>(
        _ object: Object,
        _ keyPath: KeyPath<Object, Value>
    ) {
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

    /// Whether it has a row that is to be changed.
    var isWaitingToChange: Bool { state == .stored && isChanged }

    /// Whether somebody has read properties of the object who wants to know when they change.
    var isObserved: Bool { registrar != nil }

    /// Runs `change`, which changes the property at a key path of any type. Whoever has read it hears of it at once,
    /// or when the context has given all values that it is giving.
    func changing<Object: PersistentModel>(
        _ object: Object,
        _ keyPath: AnyKeyPath,
        _ change: () -> Void
    ) {
        guard registrar != nil else { return change() }
        if let notices = context?.registry.notices, notices.isWithholding {
            change()
            return notices.add(object, keyPath)
        }
        tell(object, keyPath, change)
    }

    /// Runs `change`, and tells whoever has read the property at a key path of any type that it changes.
    func tell<Object: PersistentModel>(
        _ object: Object,
        _ keyPath: AnyKeyPath,
        _ change: () -> Void = {}
    ) {
        guard let registrar,
            let root = Swift.type(of: keyPath).rootType as? any PersistentModel.Type
        else { return change() }
        // A property that is inherited is tracked as one of the class that declares it.
        func typed<Root: PersistentModel>(_ root: Root.Type) {
            func typed<Value>(_ type: Value.Type) {
                guard let keyPath = keyPath as? KeyPath<Root, Value>, let object = object as? Root
                else { return change() }
                registrar.willSet(object, keyPath: keyPath)
                change()
                registrar.didSet(object, keyPath: keyPath)
            }
            _openExistential(Swift.type(of: keyPath).valueType, do: typed)
        }
        typed(root)
    }
}
