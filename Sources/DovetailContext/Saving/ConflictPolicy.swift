/// What a save does with an object in which somebody else has changed the same attribute, or whose row
/// was deleted or changed where the other side has done the opposite.
///
/// ```swift
/// context.conflictPolicy = .contextWins
/// context.conflictPolicy = .custom { conflict in
///     conflict.attributes.contains("title") ? .storeWins : .contextWins
/// }
/// ```
///
/// Changes of different attributes are no conflict and merge under every policy, and so do places in
/// the order of a relationship to several objects.
public enum ConflictPolicy {
    /// The save throws ``ConflictError``, and nothing is written.
    case error
    /// What is stored stays, and the object takes it over. An object whose row was deleted is deleted
    /// here, too; one that was to be deleted here is kept.
    case storeWins
    /// What this context has is written. An object whose row was deleted is inserted again; one that
    /// was to be deleted here is deleted.
    case contextWins
    /// The closure decides for each object. It is called inside of the save's transaction, so it must
    /// not use a context; what it throws, the save throws.
    case custom((ObjectConflict) throws -> ConflictResolution)
}

/// What a ``ConflictPolicy/custom(_:)`` policy decides about one object.
public enum ConflictResolution: Hashable, Sendable {
    /// The save throws ``ConflictError`` with this conflict and all others that are left.
    case error
    /// As ``ConflictPolicy/storeWins``.
    case storeWins
    /// As ``ConflictPolicy/contextWins``.
    case contextWins
    /// What this context has is written in some of the attributes that are in conflict, by their names;
    /// in all others the store wins. It wins also where one side has deleted the object.
    case contextWinsOnly(in: Set<String>)
}

extension ConflictPolicy {
    /// What is done with a conflict.
    ///
    /// - Throws: what a custom policy throws.
    func resolution(of conflict: ObjectConflict) throws -> ConflictResolution {
        switch self {
        case .error: .error
        case .storeWins: .storeWins
        case .contextWins: .contextWins
        case .custom(let decide): try decide(conflict)
        }
    }
}
