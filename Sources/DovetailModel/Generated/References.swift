// The delete rule `.nullify` needs an optional property. A macro sees only how a type is written;
// where its name may stand for an optional, as `Team.ID` may, overload resolution decides.

/// The trait of a reference that becomes nil. Called by generated code.
public func _nullifying<Root, Value>(
    _ target: any Model.Type,
    at property: any KeyPath<Root, Value?> & Sendable
) -> AttributeTrait {
    .references(target, deleteRule: .nullify)
}

/// The same for a property that turns out to be no optional. Called by generated code.
@available(
    *,
    unavailable,
    message: """
        a reference that becomes nil needs an optional property; write the type with a question \
        mark, or another delete rule
        """
)
@_disfavoredOverload
public func _nullifying<Root, Value>(
    _ target: any Model.Type,
    at property: any KeyPath<Root, Value> & Sendable
) -> AttributeTrait {
    .references(target, deleteRule: .nullify)
}
