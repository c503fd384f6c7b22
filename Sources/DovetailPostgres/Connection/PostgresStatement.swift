import CPostgres

/// A statement that a connection has prepared, or is to run once.
final class PostgresStatement {
    /// What tells it from others.
    struct Key: Hashable {
        let sql: String
        let types: [Oid]
    }

    let key: Key
    /// What the server calls it; nil for one that runs once.
    let name: String?
    var isPrepared = false
    /// Room for the values of the next call.
    private var fields: PostgresFields?
    private var columns: [Oid]?

    init(_ key: Key, name: String?) {
        self.key = key
        self.name = name
    }

    /// The types of the columns of its rows. The server refuses to change those of a prepared one.
    func columnTypes(_ result: PostgresResult) -> [Oid] {
        guard name != nil else { return result.types }
        if let columns, columns.count == PQnfields(result.handle) { return columns }
        let new = result.types
        columns = new
        return new
    }

    /// Room for values, which nobody else has.
    func takeFields() -> PostgresFields { fields.take() ?? PostgresFields(key.types) }

    /// Keeps it for the next call.
    func keepFields(_ fields: PostgresFields) {
        fields.removeAll()
        self.fields = fields
    }
}
