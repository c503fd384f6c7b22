import DovetailModel
import DovetailStore

/// The table in which the rows of a model still are, because it was made for an older version of the model: a new
/// table beside it would be empty, and nobody would notice.
struct FormerTable {
    let name: String
    /// Whether the two columns of keys of a join table have to change places.
    private let isSwapped: Bool

    /// Looks for it.
    ///
    /// - Parameters:
    ///   - binding: A model without a table.
    ///   - stored: The descriptions of all tables that Dovetail made.
    ///   - isUsed: Whether a table is that of a model.
    init?(
        of binding: EntityBinding,
        in schema: Schema,
        among stored: some Collection<EntityDescription>,
        isUsed: (String) -> Bool
    ) {
        if let join = binding.type as? any JoinModel.Type {
            let names = join.formerNames
            let free = Set(stored.map(\.table).filter { !isUsed($0) })
            guard let found = names.first(where: { free.contains($0.table) }) else { return nil }
            (name, isSwapped) = found
            return
        }
        let classes = schema.models.filter { $0.tableIdentifier == binding.type.tableIdentifier }
        let aliases = Set(classes.flatMap { $0.typeAliases })
        let names = aliases.union(classes.map { $0.typeName })
        let found = stored.first { old in
            // One of several classes may have left the table of the others, which is still there.
            old.classes.map { !names.isDisjoint(with: $0.required.keys) } == true
                || !isUsed(old.table) && (names.contains(old.model) || aliases.contains(old.table))
        }
        guard let found else { return nil }
        (name, isSwapped) = (found.table, false)
    }

    /// What an error says of it.
    var difference: String {
        "the table is still named \(name)"
            + (isSwapped ? ", and its columns owner and member have changed places" : "")
    }
}
