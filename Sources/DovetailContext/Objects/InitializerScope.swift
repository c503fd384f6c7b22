import Foundation

/// The initializers of a thread that run and may end without an object: those that throw, or give nil. What they
/// and the ones inside of them set is kept by their objects alone, and handed to the relationships when the
/// outermost one has ended with an object. So nobody else knows of one that was never made.
///
/// ```swift
/// init(amount: Int, account: Account) throws {
///     let _$scope = InitializerScope()
///     defer { _$scope.end() }
///     self.account = account               // account.payments does not have it yet
///     guard amount > 0 else { throw Invalid() }
///     _$scope.end(with: self)              // and now it has
/// }
/// ```
///
/// To begin and to end one takes two looks at a value of the thread.
public struct InitializerScope {
    private let open: OpenInitializers
    /// How many objects there were before it.
    private let start: Int
    private let depth: Int

    /// Begins one on this thread. Called by generated code.
    public init() {
        open = OpenInitializers.current ?? OpenInitializers.begin()
        open.depth += 1
        (start, depth) = (open.objects.count, open.depth)
    }

    /// Ends it with an object, which is made known. Called by generated code.
    public func end(with object: any PersistentModel) {
        open.add(object)
        close()
        guard open.depth == 0 else { return }
        for object in open.objects { object.linkOnce() }
    }

    /// Ends it, where it did not end with an object. Whoever was made in it and is held by somebody is made known
    /// when it is used. Called by generated code.
    public func end() {
        guard open.depth == depth else { return }
        open.objects.removeSubrange(start...)
        close()
    }

    private func close() {
        open.depth -= 1
        if open.depth == 0 { OpenInitializers.end() }
    }
}

/// The initializers that run on one thread.
final class OpenInitializers {
    private static let place: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        return key
    }()

    /// Those of this thread; nil while none runs.
    static var current: OpenInitializers? {
        // Invariant: `begin` alone puts a value there, retained once, and `end` takes it out.
        pthread_getspecific(place).map {
            Unmanaged<OpenInitializers>.fromOpaque($0).takeUnretainedValue()
        }
    }

    /// How many of them are inside of each other.
    fileprivate(set) var depth = 0
    /// The objects whose initializers have ended meanwhile.
    fileprivate(set) var objects: [any PersistentModel] = []

    fileprivate static func begin() -> OpenInitializers {
        let open = OpenInitializers()
        pthread_setspecific(place, Unmanaged.passRetained(open).toOpaque())
        return open
    }

    /// Ends the outermost one.
    fileprivate static func end() {
        guard let known = pthread_getspecific(place) else { return }
        pthread_setspecific(place, nil)
        Unmanaged<OpenInitializers>.fromOpaque(known).release()
    }

    /// Notes an object that is made known when the outermost one ends. It may be noted several times.
    func add(_ object: any PersistentModel) {
        // A list that is filled in a loop notes its object each time.
        if objects.last === object { return }
        objects.append(object)
    }
}
