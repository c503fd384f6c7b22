// Key paths of attributes of flattened models.

extension AnyKeyPath {
    /// The path to a member of what this one leads to; for an optional, to the member of what is in
    /// it, if there is something. One that leads nowhere, `\Never.self`, where there is no such path.
    package func appendingMember(
        _ member: any AnyKeyPath & Sendable
    ) -> any AnyKeyPath & Sendable {
        let path = member as AnyKeyPath
        let chained = (path as? any OptionalMember).flatMap { $0.inOptional }
        guard let joined = appending(path: path) ?? chained.flatMap({ appending(path: $0) }) else {
            return \Never.self
        }
        // Invariant: `Sendable` is a marker without a form at run time. Key paths do not change, and
        // both parts are of stored properties, which capture nothing.
        return unsafeBitCast(joined, to: (any AnyKeyPath & Sendable).self)
    }
}

/// A key path of which one can be made for an optional of its root.
private protocol OptionalMember {
    /// The path to the member of what is in an optional.
    var inOptional: AnyKeyPath? { get }
}

extension KeyPath: OptionalMember {
    fileprivate var inOptional: AnyKeyPath? { \Root?.[member: self] }
}

extension Optional {
    /// A member of what is in the optional; nil where nothing is.
    fileprivate subscript<Value>(member path: KeyPath<Wrapped, Value>) -> Value? {
        map { $0[keyPath: path] }
    }
}
