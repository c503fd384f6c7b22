/// What leads back from a relationship that leads to objects of its own class, where that is not another
/// property.
public enum RelationshipInverse: Sendable {
    /// The relationship itself: who is a friend of somebody has them as a friend.
    case itself
}
