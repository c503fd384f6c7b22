/// A model whose `@Attribute(.primaryKey)` is its `id`. Generated code conforms to it.
///
/// It is the step between the macro and `Identifiable`. A macro declares which conformances it may
/// add, and the compiler then leaves those to the macro alone: were `Identifiable` among them, a
/// model protocol could not refine it.
public protocol KeyedModel: _FarIdentity {}
