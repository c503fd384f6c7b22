import DovetailModel
package import DovetailStore

/// What a database has of a schema, and what it lacks. A store compares once, while it opens.
///
/// A table that Dovetail made has a description. Missing indexes are added to it; every other difference is an
/// error, since nothing says how the rows would change. A table without a description belongs to others
/// (``SQLForeignTable``).
package struct SQLTables {
    /// The number of the form of `dovetail_schema` and `dovetail_store` that this code writes.
    package static let format = 1

    /// Tables that are not there.
    package private(set) var missing: [EntityDescription] = []
    /// The columns of large values in them, by table.
    package private(set) var large: [String: ColumnSet] = [:]
    /// Tables whose descriptions have fewer indexes than the models: the model's description, the indexes that
    /// are not there, and what the description is with them.
    package private(set) var indexes:
        [(entity: EntityDescription, new: [EntityDescription.Index], all: EntityDescription)] = []
    /// How columns of tables of others are taken.
    package private(set) var found = SQLFoundTables()

    /// Whether nothing is to be made.
    package var isComplete: Bool { missing.isEmpty && indexes.isEmpty }

    /// Compares.
    ///
    /// - Parameters:
    ///   - schema: The models.
    ///   - location: Where the database is, for messages.
    ///   - stored: The descriptions of the tables that Dovetail made, by `key`.
    ///   - key: What tells the name of one table from another one.
    ///   - lacking: Gives the columns of a description that the table does not have any more, since another
    ///     program has changed it; nil where there is no such table.
    ///   - other: Gives the table that somebody else has made; nil where there is none.
    /// - Complexity: linear in the number of columns.
    /// - Throws: ``StoreError`` of kind `invalidSchema` with all differences.
    package init(
        _ schema: Schema,
        location: String,
        stored: [String: EntityDescription],
        by key: (String) -> String,
        lacking: (EntityDescription) throws -> [String]?,
        other: (String) throws -> SQLForeignTable?
    ) throws {
        // In messages about several tables, the table and what is between comes before the text.
        var differences: [(table: String, mark: String, text: String)] = []
        let used = Set(schema.bindings.map { key($0.table) })
        for binding in schema.bindings {
            let entity = binding.description
            guard let known = stored[key(entity.table)] else {
                if let table = try other(entity.table) {
                    try table.compare(with: entity)
                    found[binding] = table.forms(of: entity)
                    found[roundingsOf: binding] = table.roundings(of: entity)
                    found[lacksKeyOf: binding] = table.lacksKey
                } else if let former = FormerTable(
                    of: binding,
                    in: schema,
                    among: stored.values,
                    isUsed: { used.contains(key($0)) }
                ) {
                    differences.append((entity.table, ": ", former.difference))
                } else {
                    missing.append(entity)
                    large[entity.table] = binding.deferrableColumns
                }
                continue
            }
            guard let lost = try lacking(known) else {
                differences.append((entity.table, ": ", "the table \(Self.lost)"))
                continue
            }
            let lostColumns = lost.map { "\($0): the column \(Self.lost)" }
            differences += (lostColumns + entity.differences(from: known))
                .map { (entity.table, ".", $0) }
            let new = entity.indexes.filter { index in
                !index.isUnique
                    && !known.indexes.contains { known.names($0) == entity.names(index) }
            }
            if new.isEmpty { continue }
            // What an older program declared stays, so that two of them do not take turns.
            var all = known
            all.indexes += new.map { index in
                let columns = entity.names(index).map { name in
                    known.columns.firstIndex { $0.name == name }
                }
                return EntityDescription.Index(columns: columns.compactMap { $0 }, isUnique: false)
            }
            indexes.append((entity, new, all))
        }
        guard let first = differences.first else { return }
        let tables = Set(differences.map(\.table))
        throw StoreError(
            .invalidSchema,
            table: tables.count == 1 ? first.table : nil,
            location: location,
            explanation: "the tables were made for other models: "
                + differences.map { tables.count == 1 ? $0.text : $0.table + $0.mark + $0.text }
                .joined(separator: "; ")
        )
    }

    private static let lost = "is not there any more; another program has dropped or renamed it"

    /// Looks at the number of the form in which a database keeps descriptions.
    ///
    /// - Throws: ``StoreError`` of kind `newerFormat`.
    package static func checkFormat(_ text: String?, location: String) throws {
        guard let number = text.flatMap({ Int($0) }), number <= format else {
            throw StoreError(
                .newerFormat,
                location: location,
                explanation: "a newer version of Dovetail has made this database (format "
                    + "\(text.flatMap { Int($0) } ?? 0), known is \(format))"
            )
        }
    }

    /// Reads the description of a table.
    ///
    /// - Throws: ``StoreError`` of kind `corrupt`.
    package static func description(
        of table: String,
        _ json: String,
        location: String
    ) throws -> EntityDescription {
        do {
            return try EntityDescription(json: json)
        } catch {
            throw StoreError(
                .corrupt,
                table: table,
                location: location,
                explanation: "the description of the table in dovetail_schema cannot be read",
                detail: "\(error)"
            )
        }
    }
}
