public import Dovetail

/// Names a box. It cannot be taken for the identifier of an item.
public struct BoxId: TypedIdentifier {
    public let rawValue: Int64

    public init(rawValue: Int64) { self.rawValue = rawValue }
}

/// Names an item.
public struct ItemId: TypedIdentifier {
    public let rawValue: UUID

    public init(rawValue: UUID) { self.rawValue = rawValue }
}
