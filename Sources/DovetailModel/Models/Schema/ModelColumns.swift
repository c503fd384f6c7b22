/// The columns of a model before the compiler knows them, so that an argument of its own macro can name one:
/// `@Model(shardedBy: \.tenant)`. The macro says what is no column.
@dynamicMemberLookup
public struct ModelColumns {
    /// A column of any name.
    public subscript(dynamicMember name: String) -> ModelColumn { ModelColumn() }
}

/// A column that is only named.
public struct ModelColumn {}
