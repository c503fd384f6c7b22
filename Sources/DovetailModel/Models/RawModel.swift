/// A model that is one raw value, and `Codable`, as predicates ask of what they compare. Generated
/// code makes enums with a raw type conform, for the reason that ``KeyedModel`` has.
public protocol RawModel: Codable, Sendable {}
