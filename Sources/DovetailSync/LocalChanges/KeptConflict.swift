import DovetailContext
package import DovetailModel
import DovetailStore
import Foundation

/// The model whose values are conflicts that wait to be resolved: `MergeConflict` of Dovetail. No other type
/// is to conform.
package protocol KeptConflictModel: Model {}

/// A conflict of one attribute, or of a whole row, that waits to be resolved.
struct KeptConflict: Hashable {
    let table: String
    let key: [QueryValue]
    /// The column, or the relationship to a protocol that has several; nil for a row that one side has deleted.
    let attribute: String?
    /// The columns before both changes; nil where there was no row.
    let base: [String: QueryValue]?
    /// The columns that the list has; nil where it has no row.
    let remote: [String: QueryValue]?

    /// The properties of the model, in the order of ``texts()``.
    static let names = ["id", "table", "key", "attribute", "base", "remote"]

    init(
        table: String,
        key: [QueryValue],
        attribute: String?,
        base: [String: QueryValue]?,
        remote: [String: QueryValue]?
    ) {
        self.table = table
        self.key = key
        self.attribute = attribute
        self.base = base
        self.remote = remote
    }

    /// A conflict of a column, or of a whole row.
    ///
    /// - Throws: ``ModelDecodingError``.
    init(
        key: RowKey,
        _ column: Int?,
        base: RowImage?,
        remote: RowImage?,
        of entity: EntityBinding
    ) throws {
        func part(_ row: RowImage?) throws -> [String: QueryValue]? {
            guard let row else { return nil }
            let columns =
                column.map { entity.withChoices([$0]) } ?? ColumnSet(entity.attributes.indices)
            return try Dictionary(
                columns.map {
                    let attribute = entity.attributes[$0]
                    return (attribute.name, try QueryValue(exactly: row, $0, attribute))
                },
                uniquingKeysWith: { first, _ in first }
            )
        }
        self.init(
            table: entity.table,
            key: key.values,
            attribute: column.map(entity.comparedName),
            base: try part(base),
            remote: try part(remote)
        )
    }

    /// Reads what the properties hold; nil for what another program has written.
    init?(_ texts: [String?]) {
        guard texts.count == Self.names.count, let table = texts[1],
            let key = texts[2].flatMap(KeyText.values)
        else { return nil }
        func columns(_ text: String?) -> [String: QueryValue]? {
            text.flatMap {
                try? JSONDecoder().decode([String: QueryValue].self, from: Data($0.utf8))
            }
        }
        let (base, remote) = (columns(texts[4]), columns(texts[5]))
        if (base == nil) != (texts[4] == nil) || (remote == nil) != (texts[5] == nil) { return nil }
        self.init(table: table, key: key, attribute: texts[3], base: base, remote: remote)
    }

    /// What the properties hold.
    func texts() throws -> [String?] {
        func text(_ columns: [String: QueryValue]?) throws -> String? {
            let encoder = JSONEncoder()
            encoder.outputFormatting = .sortedKeys
            return try columns.map { String(decoding: try encoder.encode($0), as: UTF8.self) }
        }
        let key = try KeyText.text(of: self.key)
        let name = attribute.map { QueryValue.text($0) } ?? .null
        let id = try KeyText.text(of: [.text(table), .text(key), name])
        return [id, table, key, attribute, try text(base), try text(remote)]
    }
}

/// The conflicts that a store keeps.
enum KeptConflicts {
    /// What a list makes of them.
    struct Changes {
        let table: String
        private var new: [KeptConflict] = []
        /// By key the attributes of which both sides have different values.
        private var open: [[QueryValue]: Set<String?>] = [:]
        /// By key what the list has of rows that are here, too, in another form.
        private var theirs: [[QueryValue]: RowImage] = [:]

        init(table: String) { self.table = table }

        mutating func add(_ conflict: KeptConflict) { new.append(conflict) }

        /// Notes what can still be in conflict in a row that the list speaks of.
        ///
        /// - Parameter theirs: What the list has of it, where it is here, too.
        mutating func note(
            _ key: [QueryValue],
            open attributes: Set<String?>,
            _ theirs: RowImage? = nil
        ) {
            open[key] = attributes
            self.theirs[key] = attributes.isEmpty ? nil : theirs
        }

        /// Whether a conflict of a whole row is about what the list has of it: both sides have the row, and not
        /// in the same form.
        private func isOpen(_ conflict: KeptConflict, of entity: EntityBinding?) throws -> Bool {
            guard conflict.attribute == nil, let remote = conflict.remote, let entity,
                let row = theirs[conflict.key]
            else { return false }
            let same = try KeptConflict(
                key: RowKey(conflict.key),
                nil,
                base: nil,
                remote: row,
                of: entity
            )
            return same.remote == remote
        }

        /// Keeps the new ones, and forgets those of rows and attributes that are the same on both sides by
        /// now, when the context is saved.
        ///
        /// - Parameter isSame: Whether a row of which nothing was noted is what the list says of it.
        func enqueue(in context: ModelContext, _ isSame: (RowKey) -> Bool) throws {
            guard let rows = KeptConflicts.rows(context) else { return }
            let known = try rows.all().compactMap(KeptConflict.init)
            var settled: [KeptConflict] = []
            // Those of rows that are gone on both sides by now.
            var gone: [[QueryValue]: [KeptConflict]] = [:]
            let entity = context.container.schema.entity(ofTable: table)
            for conflict in known where conflict.table == table {
                if let open = open[conflict.key] {
                    if try !open.contains(conflict.attribute) && !isOpen(conflict, of: entity) {
                        settled.append(conflict)
                    }
                } else if isSame(RowKey(conflict.key)) {
                    settled.append(conflict)
                } else if conflict.remote == nil || conflict.attribute != nil {
                    gone[conflict.key, default: []].append(conflict)
                }
            }
            if let entity {
                try context.withRows(of: entity.type, keys: gone.keys.map { RowKey($0) }) {
                    cursor in
                    while try cursor.next() { gone[try entity.key(of: cursor)] = nil }
                }
            }
            settled += gone.values.joined()
            let new = Set(self.new).subtracting(known)
            try rows.change(
                keeping: new.map { try $0.texts() },
                forgetting: settled.map { try $0.texts() }
            )
        }
    }

    /// The rows of the model; nil where the container was made without it.
    static func rows(_ context: ModelContext) -> KeptRows? {
        KeptRows(context, KeptConflict.names) { $0 is any KeptConflictModel.Type }
    }

    /// The conflict of a row that was deleted here and is there in another form; nil for none.
    ///
    /// - Complexity: linear in the number of conflicts that are kept.
    static func deletion(
        of key: [QueryValue],
        _ table: String,
        in context: ModelContext
    ) throws -> KeptConflict? {
        try rows(context)?.all().lazy.compactMap(KeptConflict.init).first {
            $0.table == table && $0.key == key && $0.attribute == nil && $0.remote != nil
        }
    }

    /// Forgets the conflicts of rows that a list replaces, when the context is saved.
    static func forget(
        in context: ModelContext,
        _ table: String,
        _ isReplaced: (RowKey) -> Bool
    ) throws {
        try forget(in: context) { $0.table == table && isReplaced(RowKey($0.key)) }
    }

    /// Forgets conflicts that are over, when the context is saved.
    static func forget(in context: ModelContext, _ isOver: (KeptConflict) -> Bool) throws {
        guard let rows = rows(context) else { return }
        let over = try rows.all().compactMap(KeptConflict.init).filter(isOver)
        try rows.change(keeping: [], forgetting: over.map { try $0.texts() })
    }

    /// Sees that conflicts can be kept.
    ///
    /// - Throws: ``StoreError`` of kind `invalidSchema`.
    static func require(_ context: ModelContext, _ table: String) throws {
        if rows(context) == nil {
            throw StoreError(
                .invalidSchema,
                table: table,
                explanation:
                    "conflicts are kept in a table of their own; name MergeConflict.self in "
                    + "ModelContainer(for:)"
            )
        }
    }
}
