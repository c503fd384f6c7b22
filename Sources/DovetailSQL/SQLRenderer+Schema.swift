import DovetailModel
public import DovetailStore

extension SQLRenderer {
    /// `CREATE TABLE`.
    ///
    /// A key of one column is declared at its column, a key of several at the end. An attribute
    /// that is not optional is `NOT NULL`; what only rows of a subclass have to have is a `CHECK`. Foreign
    /// keys are checked at the end of a transaction, so that the order of its statements does not matter.
    /// Of the columns of a relationship to a protocol a `CHECK` takes at most one value.
    ///
    /// ```swift
    /// SQLRenderer(SQLiteDialect()).createTable(EntityDescription(User.self))
    /// // CREATE TABLE "User" (
    /// //     "id" INTEGER NOT NULL PRIMARY KEY,
    /// //     "name" TEXT NOT NULL,
    /// //     "teamID" INTEGER REFERENCES "Team" ("id") ON DELETE SET NULL
    /// //         DEFERRABLE INITIALLY DEFERRED
    /// // ) STRICT
    /// ```
    ///
    /// - Parameters:
    ///   - uuids: The columns of UUIDs, which have a type of their own where the dialect has one.
    ///   - large: The columns of large values, which come last.
    public func createTable(
        _ entity: EntityDescription,
        uuids: Set<Int> = [],
        large: ColumnSet = []
    ) -> String {
        let hasOneKey = entity.key.count == 1
        let order = entity.columns.indices.filter { !large.contains($0) } + large
        var lines = order.map { index in
            let column = entity.columns[index]
            if column.isGenerated {
                return "    \(dialect.quoted(column.name)) \(dialect.generatedKey)"
            }
            let isKey = entity.key.contains(index)
            let references = entity.references.filter { $0.column == index }
            let uuid = uuids.contains(index) ? dialect.uuidType : nil
            let type =
                uuid ?? dialect.columnType(column.type, isKey: isKey || !references.isEmpty)
            let nullability = column.isOptional ? "" : " NOT NULL"
            let key = hasOneKey && isKey ? " PRIMARY KEY" : ""
            return "    \(dialect.quoted(column.name)) \(type)\(nullability)\(key)"
                + references.map(foreignKey).joined()
        }
        if !hasOneKey {
            lines.append("    PRIMARY KEY (\(names(of: entity.key, entity)))")
        }
        for choice in entity.choices ?? [] { lines += checks(choice, entity).map { "    " + $0 } }
        for (name, columns) in (entity.classes?.required ?? [:]).sorted(by: { $0.key < $1.key })
        where !columns.isEmpty {
            lines.append("    " + check(name, columns, entity))
        }
        return "CREATE TABLE \(dialect.quoted(entity.table)) (\n"
            + lines.joined(separator: ",\n") + "\n)" + dialect.tableOptions
    }

    /// `ALTER TABLE … ADD FOREIGN KEY`, for databases in which a table has to be there before another one
    /// refers to it.
    ///
    /// - Complexity: linear in the size of the statement.
    public func addReference(
        _ reference: EntityDescription.Reference,
        to entity: EntityDescription
    ) -> String {
        "ALTER TABLE \(dialect.quoted(entity.table)) "
            + "ADD FOREIGN KEY (\(names(of: [reference.column], entity)))" + foreignKey(reference)
    }

    /// `CREATE INDEX` or `CREATE UNIQUE INDEX`. In a unique one deleted rows are not, where they are marked.
    ///
    /// ```swift
    /// renderer.createIndex(.init(columns: [2], isUnique: true), of: entity)
    /// // CREATE UNIQUE INDEX "dovetail_User_email" ON "User" ("email")
    /// ```
    public func createIndex(
        _ index: EntityDescription.Index,
        of entity: EntityDescription
    ) -> String {
        let mark = index.isUnique ? entity.mark : nil
        let condition = mark.map { " WHERE \(dialect.quoted(entity.columns[$0].name)) IS NULL" }
        return "CREATE \(index.isUnique ? "UNIQUE " : "")INDEX "
            + "\(dialect.quoted(Self.name(of: index, of: entity))) "
            + "ON \(dialect.quoted(entity.table)) (\(indexed(index.columns, entity)))"
            + (condition ?? "")
    }

    /// The name of an index, which no other one of the database has: table and columns, and a
    /// number that is made of them, since `a_b` and `c` would read like `a` and `b_c`. Databases cut
    /// names off after 63 bytes.
    static func name(
        of index: EntityDescription.Index,
        of entity: EntityDescription
    ) -> String {
        let parts = [entity.table] + index.columns.map { entity.columns[$0].name }
        let text = parts.joined(separator: "\0") + (index.isUnique ? "\0" : "")
        return fitting("dovetail_" + parts.joined(separator: "_"), numberOf: text)
    }

    /// A name that is cut off, and a number that is made of a text which says more than the name.
    static func fitting(_ name: String, numberOf text: String) -> String {
        // FNV-1a, 64 bits (http://www.isthe.com/chongo/tech/comp/fnv/).
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        let number = String(hash, radix: 36)
        var name = name
        while name.utf8.count + number.utf8.count + 1 > 63 { name.removeLast() }
        return name + "_" + number
    }

    /// The conditions that at most one of several columns holds a value, and that one does where it has to.
    private func checks(
        _ choice: EntityDescription.Choice,
        _ entity: EntityDescription
    ) -> [String] {
        let count = choice.columns.map {
            "CASE WHEN \(dialect.quoted(entity.columns[$0].name)) IS NULL THEN 0 ELSE 1 END"
        }
        .joined(separator: " + ")
        guard let classes = choice.classes, let column = entity.classes?.column else {
            return ["CHECK (\(count) \(choice.isRequired ? "=" : "<=") 1)"]
        }
        let type = dialect.quoted(entity.columns[column].name)
        let names = classes.map(literal).joined(separator: ", ")
        return ["CHECK (\(count) <= 1)", "CHECK (\(type) NOT IN (\(names)) OR \(count) = 1)"]
    }

    /// A text as part of a condition.
    private func literal(_ text: String) -> String {
        let parts = text.split(separator: "'", omittingEmptySubsequences: false)
        return "'" + parts.joined(separator: "''") + "'"
    }

    /// The condition that rows of a class have what it requires.
    private func check(_ name: String, _ columns: [Int], _ entity: EntityDescription) -> String {
        let type = entity.classes.map { dialect.quoted(entity.columns[$0.column].name) } ?? ""
        let required = columns.map { dialect.quoted(entity.columns[$0].name) + " IS NOT NULL" }
        return "CHECK (\(type) <> \(literal(name)) OR \(required.joined(separator: " AND ")))"
    }

    private func foreignKey(_ reference: EntityDescription.Reference) -> String {
        let action =
            switch reference.deleteRule {
            case .cascade: " ON DELETE CASCADE"
            case .nullify: " ON DELETE SET NULL"
            case .deny, .noAction: ""
            }
        return " REFERENCES \(dialect.quoted(reference.table)) (\(dialect.quoted(reference.key)))"
            + "\(action) DEFERRABLE INITIALLY DEFERRED"
    }

    private func indexed(_ columns: [Int], _ entity: EntityDescription) -> String {
        columns.map { column in
            let name = dialect.quoted(entity.columns[column].name)
            let (type, isOptional) = (
                entity.columns[column].type, entity.columns[column].isOptional
            )
            return dialect.indexed(name, type, isOptional: isOptional)
        }
        .joined(separator: ", ")
    }

    private func names(of columns: [Int], _ entity: EntityDescription) -> String {
        columns.map { dialect.quoted(entity.columns[$0].name) }.joined(separator: ", ")
    }
}
