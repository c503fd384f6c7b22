// Steps between the protocols that `@Model` may add and those of the standard library that these refine.
//
// A macro declares what it may make a type conform to, and the compiler (6.3) takes a conformance for one that
// the macro will bring where that is nearer than what the type says itself, also where the macro then does not
// bring it: `protocol Named: Entity`, `protocol Entity: Identifiable`, `@Model struct User: Named` was no
// `Identifiable`. Of two ways to a protocol it takes the shorter one. Ours has three steps, so types may say it
// through three protocols of their own. Each step is a witness table of each type that takes it: with six for each
// raw enum, 120 of them took a fifth longer to compile than with none; with two no difference was seen.

/// A step to `Identifiable`. Nobody else adopts it.
public protocol _IdentityStep: Identifiable {}
/// A further step to `Identifiable`. Nobody else adopts it.
public protocol _FarIdentity: _IdentityStep {}

/// A step to what objects are. Nobody else adopts it.
public protocol _ObjectStep: Hashable, Identifiable {}
/// A further step to what objects are. Nobody else adopts it.
public protocol _FarObject: _ObjectStep {}

/// A step to what raw enums are. Nobody else adopts it.
public protocol _RawEnumStep: RawModel, ModelKey {}
/// What generated code makes raw enums conform to, whose values are keys of dictionaries, too.
public protocol _RawEnum: _RawEnumStep {}

/// A step to what enums of fractions are. Nobody else adopts it.
public protocol _RawFractionStep: RawModel {}
/// What generated code makes enums of fractions conform to, which are no field names.
public protocol _RawFraction: _RawFractionStep {}
