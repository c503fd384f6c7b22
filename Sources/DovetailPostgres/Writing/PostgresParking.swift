import DovetailModel
import DovetailSQL
import DovetailStore

extension PostgresConnection {
    /// Gives each of the rows a value in its unique columns that no other row has: the smallest number
    /// that its place in the list leads to, or a text or bytes with that number. A CHECK of a table that
    /// others have made may refuse that.
    ///
    /// - Complexity: one statement, and one more for a table that others have made, whose columns may be of
    ///   narrower types.
    func park(_ keys: [[QueryValue]], of entity: EntityBinding) throws {
        parkedHistory[entity.table] = nil
        let unique = catalog.uniqueColumns(of: entity.table)
        // A required column that is true or false has no third value; another one of its group has.
        let columns = entity.description.columns.indices.filter { column in
            let description = entity.description.columns[column]
            return !entity.keyColumns.contains(column) && unique.contains(description.name)
                && (description.type != .boolean || description.isOptional)
        }
        // A row whose key the database gives is not there yet.
        let keys = keys.filter { !$0.contains(.null) }
        guard !columns.isEmpty, !keys.isEmpty else { return }
        let before = try lastInHistory(of: entity)
        let types = renderer.found[entity] == nil ? [:] : try columnTypes(of: entity.table)
        let parked = entity.description.parked(Array(columns))
        let changes = parked.values.map { index in
            let column = entity.description.columns[index]
            let isUUID = renderer.found.form(of: index, in: entity) == .uuid
            let value =
                types[column.name].flatMap(Self.parkedValue)
                ?? (isUUID ? Self.parkedUUID : Self.parkedValue(of: column.type))
            return "\(quoted(column.name)) = \(value)"
        }
        let nulls = parked.nulls.map {
            "\(quoted(entity.description.columns[$0].name)) = NULL"
        }
        let places = entity.keyColumns.indices
        let conditions = places.map { place in
            renderer.keyCondition(
                entity.keyColumns[place],
                entity,
                parameter: "parked.dovetail_\(place)"
            )
        }
        let lists = places.map { "$\($0 + 1)" }.joined(separator: ", ")
        let names = places.map { "dovetail_\($0)" } + ["dovetail_number"]
        let sql =
            "UPDATE \(quoted(entity.table)) SET \((changes + nulls).joined(separator: ", ")) "
            + "FROM unnest(\(lists)) WITH ORDINALITY AS parked (\(names.joined(separator: ", "))) "
            + "WHERE \(conditions.joined(separator: " AND "))"
        let fields = try PostgresFields.of(
            places.map { place in SQLBinding.list(keys.map { $0[place] }) }
        )
        _ = try run(statement(sql, fields.types), fields, table: entity.table)
        guard let before, let last = try lastInHistory(of: entity) else { return }
        parkedHistory[entity.table] = (before, last)
    }

    /// The number of the last change of this transaction in a history; nil where there is none.
    private func lastInHistory(of entity: EntityBinding) throws -> Int64? {
        let name = quoted(PostgresHistory.unparking(entity))
        let function = try PostgresFields.of([.value(.text(name))])
        guard try run("SELECT to_regproc($1) IS NOT NULL", function).isTrue(0, 0) else {
            return nil
        }
        return try run("SELECT \(name)(NULL, NULL)::text").text(0, 0).flatMap { Int64($0) }
    }

    func unpark(_ entity: EntityBinding) throws {
        guard let (first, last) = parkedHistory.removeValue(forKey: entity.table) else { return }
        _ = try run("SELECT \(quoted(PostgresHistory.unparking(entity)))(\(first), \(last))")
    }

    /// The place of a row in the list.
    private static var number: String { "parked.dovetail_number" }

    private static var parkedUUID: String { "md5('dovetail parks ' || \(number))::uuid" }

    /// The value of a column of Dovetail's own.
    private static func parkedValue(of kind: ColumnType) -> String {
        switch kind {
        case .boolean: "NULL"
        case .integer: "-9223372036854775807 + \(number)"
        case .double: "-1e308::double precision + \(number) * 1e293::double precision"
        case .decimal: "-1e120::numeric + \(number)"
        case .date:
            "timestamptz '0001-01-01 00:00:00+00' + \(number) * interval '1 microsecond'"
        case .text: "'dovetail parks ' || \(number)"
        case .document: "to_json('dovetail parks ' || \(number))"
        case .data: "convert_to('dovetail parks ' || \(number), 'UTF8')"
        }
    }

    /// The value of a column of others that takes fewer values than Dovetail's own; nil for another one.
    private static func parkedValue(_ type: String, _ modifier: Int) -> String? {
        // `numeric` and texts have their lengths there, 4 more than they are; -1 stands for none.
        let size = modifier - 4
        return switch type {
        case "int2": "-32767 + \(number)"
        case "int4": "-2147483647 + \(number)"
        case "float4": "-1e38::double precision + \(number) * 1e32::double precision"
        case "date": "date '0001-01-01' + \(number)::int"
        case "numeric" where size >= 0:
            "1 - 10::numeric ^ \((size >> 16 & 0xFFFF) - (size & 0x7FF)) + \(number)"
        case "varchar" where (0..<24).contains(size), "bpchar" where (0..<24).contains(size):
            // Characters for private use, of which one is enough for thousands of rows.
            "left(chr((57344 + \(number) % 6400)::int) || to_hex(\(number) / 6400), \(size))"
        default: nil
        }
    }

    /// The types of a table's columns, and what limits them, by their names.
    private func columnTypes(of table: String) throws -> [String: (String, Int)] {
        let rows = try run(
            """
            SELECT a.attname, t.typname, a.atttypmod::text FROM pg_catalog.pg_attribute a
            JOIN pg_catalog.pg_type t ON t.oid = a.atttypid
            WHERE a.attrelid = pg_catalog.to_regclass($1) AND a.attnum > 0
            """,
            PostgresFields.of([.value(.text(quoted(table)))])
        )
        var types: [String: (String, Int)] = [:]
        for row in 0..<rows.rowCount {
            guard let name = rows.text(row, 0), let type = rows.text(row, 1) else { continue }
            types[name] = (type, rows.text(row, 2).flatMap { Int($0) } ?? -1)
        }
        return types
    }
}
