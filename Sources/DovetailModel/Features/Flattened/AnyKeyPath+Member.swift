// Key paths of attributes of flattened models.

extension AnyKeyPath {
    /// The path to a member of what this one leads to; for an optional, to the member of what is in
    /// it, which is nil where nothing is. Nil where there is no such path.
    package func appendingMember(_ member: AnyKeyPath) -> AnyKeyPath? {
        appending(path: member)
            ?? (member as? any OptionalMember)?.inOptional.flatMap { appending(path: $0) }
    }
}

/// A key path of which one can be made for an optional of its root.
private protocol OptionalMember {
    /// The path to the member of what is in an optional.
    var inOptional: AnyKeyPath? { get }
}

extension KeyPath: OptionalMember {
    fileprivate var inOptional: AnyKeyPath? {
        (Value.self as? any OptionalEnd.Type)?.path(self) ?? \Root?.[member: self]
    }
}

/// Optionals, which a path through another one does not wrap again.
private protocol OptionalEnd {
    static func path<Root>(_ path: PartialKeyPath<Root>) -> AnyKeyPath?
}

extension Optional: OptionalEnd {
    fileprivate static func path<Root>(_ path: PartialKeyPath<Root>) -> AnyKeyPath? {
        (path as? KeyPath<Root, Wrapped?>).map { \Root?.[optional: $0] }
    }
}

extension Optional {
    /// A member of what is in the optional; nil where nothing is.
    fileprivate subscript<Value>(member path: KeyPath<Wrapped, Value>) -> Value? {
        map { $0[keyPath: path] }
    }

    /// The same for one that is an optional itself.
    fileprivate subscript<Value>(optional path: KeyPath<Wrapped, Value?>) -> Value? {
        flatMap { $0[keyPath: path] }
    }
}
