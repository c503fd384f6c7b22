import DovetailModel
import DovetailStore

extension SQLRenderer {
    /// An upsert into a table that has no key as a whole: the row is updated where it is, and inserted where it
    /// is not. That nobody inserts it meanwhile is up to the transaction, and to the key of the part that the
    /// row belongs to.
    ///
    /// ```sql
    /// WITH dovetail_row AS (UPDATE "Parcel" SET "weight" = $3 WHERE "tenant" = $1 AND "number" = $2 RETURNING 1)
    /// INSERT INTO "Parcel" ("tenant", "number", "weight") SELECT $1, $2, $3
    ///     WHERE NOT EXISTS (SELECT 1 FROM dovetail_row)
    /// ```
    func updateOrInsert(_ entity: EntityBinding) -> String {
        let names = entity.attributes.map { dialect.quoted($0.name) }.joined(separator: ", ")
        let values = entity.attributes.indices.map { dialect.parameter($0 + 1) }
        return "WITH dovetail_row AS (\(write(.update, entity)) RETURNING 1) "
            + "INSERT INTO \(dialect.quoted(entity.table)) (\(names)) "
            + "SELECT \(values.joined(separator: ", ")) "
            + "WHERE NOT EXISTS (SELECT 1 FROM dovetail_row)"
    }
}
