/// A model whose `@Attribute(.primaryKey)` is its `id`. Generated code conforms to it.
///
/// A macro says which conformances it may add, and the compiler leaves those to it: were
/// `Identifiable` among them, a model protocol could not refine it.
public protocol KeyedModel: Identifiable {}
