import DovetailModel
import DovetailSQL
import DovetailStore

/// Changes of rows of one table that are held back: statements that set or delete, and look at what was there.
/// For those that have met no row, the row is read to say what has changed.
final class PostgresChanges: HeldRows {
    /// One of them.
    private struct Change {
        /// The class of the row, in a table of several.
        let entity: EntityBinding
        let statement: PostgresStatement
        let fields: PostgresFields
        let key: RowKey
        let position: Int
        let again: (Int) throws -> RowChange?

        /// Makes it again, of whole rows.
        func whole() throws -> RowChange? { try again(position) }
    }

    /// The table, as the class of the first change has it.
    let entity: EntityBinding
    private unowned let connection: PostgresConnection
    private var changes: [Change] = []
    private var bytes = 0
    /// Those that have met no row.
    private var missed: [Int] = []

    init(of entity: EntityBinding, on connection: PostgresConnection) {
        self.entity = entity
        self.connection = connection
    }

    /// Holds a change back.
    func add(
        _ statement: PostgresStatement,
        _ fields: PostgresFields,
        _ key: RowKey,
        of entity: EntityBinding,
        at position: Int,
        again: @escaping (Int) throws -> RowChange?
    ) throws {
        changes.append(
            Change(
                entity: entity,
                statement: statement,
                fields: fields,
                key: key,
                position: position,
                again: again
            )
        )
        bytes += fields.count
        try connection.hold(self, count: changes.count, bytes: bytes)
    }

    func statement(_ row: Int) -> PostgresStatement { changes[row].statement }

    func send(_ row: Int) -> Int32 {
        connection.send(changes[row].statement, changes[row].fields)
    }

    func take(_ result: PostgresResult, _ row: Int) -> StoreError? {
        if result.affectedCount == 0 { missed.append(row) }
        return nil
    }

    func naming(_ row: Int, _ error: StoreError) -> StoreError {
        guard error.kind == .uniqueViolation, let change = try? changes[row].whole(),
            let mine = change.mine
        else { return error.naming(changes[row].key.values) }
        return connection.naming(mine, in: error, of: changes[row].entity)
    }

    func settle() throws {
        let rows = missed
        missed = []
        for row in rows {
            guard let change = try changes[row].whole() else { continue }
            do {
                let entity = changes[row].entity
                let conflict = try connection.applyByReading(change, to: entity)
                if let conflict { connection.conflicts.append(conflict) }
            } catch let error as StoreError {
                throw error.naming(changes[row].key.values)
            }
        }
    }

    func forget() {
        (changes, missed, bytes) = ([], [], 0)
    }
}
