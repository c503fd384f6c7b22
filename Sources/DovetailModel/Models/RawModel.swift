/// A model that is one raw value, and `Codable`, as `#Predicate` requires of what it compares.
/// Generated code makes enums with a raw type conform, for the reason that ``KeyedModel`` gives.
public protocol RawModel: Codable, Sendable {}
