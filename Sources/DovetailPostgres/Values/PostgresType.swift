import CPostgres
import DovetailModel
import DovetailSQL
import DovetailStore

/// The types of PostgreSQL that values have on their way, by the numbers that every server gives them
/// (`pg_type.dat`).
enum PostgresType {
    /// What the server finds out from where a parameter stands.
    static let unspecified: Oid = 0
    static let bool: Oid = 16
    static let bytes: Oid = 17
    static let bigint: Oid = 20
    static let smallint: Oid = 21
    static let int: Oid = 23
    static let name: Oid = 19
    static let text: Oid = 25
    static let json: Oid = 114
    static let xml: Oid = 142
    static let real: Oid = 700
    static let double: Oid = 701
    static let unknown: Oid = 705
    static let char: Oid = 1042
    static let varchar: Oid = 1043
    static let date: Oid = 1082
    static let timestamp: Oid = 1114
    static let timestampWithZone: Oid = 1184
    static let numeric: Oid = 1700
    static let uuid: Oid = 2950
    static let jsonb: Oid = 3802

    /// The type of a column of Dovetail's own.
    static func of(_ kind: ColumnType) -> Oid {
        switch kind {
        case .boolean: bool
        case .integer: bigint
        case .double: double
        case .decimal: numeric
        case .text: text
        case .date: timestampWithZone
        case .data: bytes
        case .document: json
        }
    }

    /// The type of a constant, which is compared: of a document its text.
    static func of(_ value: QueryValue) -> Oid {
        switch value {
        case .null, .text, .document: text
        case .bool: bool
        case .integer: bigint
        case .double: double
        case .decimal: numeric
        case .date: timestampWithZone
        case .data: bytes
        }
    }

    /// The types of the columns of a table.
    static func columns(of entity: EntityBinding, _ renderer: SQLRenderer) -> [Oid] {
        entity.attributes.indices.map { column in
            if renderer.found.form(of: column, in: entity) == .uuid { return uuid }
            let attribute = entity.attributes[column]
            let isKey = attribute.isPrimaryKey || attribute.reference != nil
            return isKey && attribute.columnType == .document ? text : of(attribute.columnType)
        }
    }

    /// The type of arrays of a type.
    static func array(of type: Oid) -> Oid {
        switch type {
        case bool: 1000
        case bytes: 1001
        case bigint: 1016
        case double: 1022
        case timestampWithZone: 1185
        case numeric: 1231
        default: 1009
        }
    }
}
