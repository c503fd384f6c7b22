// Steps between the protocols that `@Model` may add and those of the standard library that these refine.
//
// A macro declares what it may make a type conform to, and the compiler (6.3) takes a conformance for one that
// the macro will bring where that is nearer than what the type says itself, also where the macro then does not
// bring it: `protocol Named: Entity`, `protocol Entity: Identifiable`, `@Model struct User: Named` was no
// `Identifiable`. Of two ways to a protocol it takes the shorter one. Through these steps ours has four,
// so types may say it through four protocols of their own.

/// A step to `Hashable`. Nobody else adopts it.
public protocol _Hashable1: Hashable {}
/// A step to `Hashable`. Nobody else adopts it.
public protocol _Hashable2: _Hashable1 {}
/// A step to `Hashable`. Nobody else adopts it.
public protocol _Hashable3: _Hashable2 {}

/// A step to `Identifiable`. Nobody else adopts it.
public protocol _Identifiable1: Identifiable {}
/// A step to `Identifiable`. Nobody else adopts it.
public protocol _Identifiable2: _Identifiable1 {}
/// A step to `Identifiable`. Nobody else adopts it.
public protocol _Identifiable3: _Identifiable2 {}

/// A step to `Codable` and `Sendable`. Nobody else adopts it.
public protocol _Codable1: Codable, Sendable {}
/// A step to `Codable` and `Sendable`. Nobody else adopts it.
public protocol _Codable2: _Codable1 {}
/// A step to `Codable` and `Sendable`. Nobody else adopts it.
public protocol _Codable3: _Codable2 {}
