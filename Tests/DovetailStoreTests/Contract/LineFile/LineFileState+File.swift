import Dovetail

// The form of the file: for each table a line with its description, then a line for each row.

/// One line.
private struct Line: Codable {
    /// Begins a table.
    var table: EntityDescription?
    var lastKey: Int64?
    /// A row of the table that was begun last: a text for each column, nil for NULL.
    var row: [String?]?
}

extension LineFileState {
    /// Reads a file. One that does not exist has no tables.
    init(contentsOf url: URL) throws {
        guard FileManager.default.fileExists(atPath: url.path) else { return }
        do {
            let decoder = JSONDecoder()
            var name = ""
            for text in try Data(contentsOf: url).split(separator: UInt8(ascii: "\n")) {
                let line = try decoder.decode(Line.self, from: Data(text))
                if let description = line.table {
                    name = description.table
                    tables[name] = LineFileTable(description: description)
                    tables[name]?.lastKey = line.lastKey ?? 0
                } else if let cells = line.row, let table = tables[name],
                    cells.count == table.description.columns.count
                {
                    let row = try zip(cells, table.description.columns).map {
                        try QueryValue(cell: $0, $1.type)
                    }
                    tables[name]?.rows[table.key(of: row)] = row
                } else {
                    throw BadCell()
                }
            }
        } catch {
            throw StoreError(
                .notADatabase,
                location: url.path,
                explanation: "the file is no store of lines",
                detail: "\(error)"
            )
        }
    }

    /// What the file holds.
    func lines() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        var lines = Data()
        func add(_ line: Line) throws {
            try lines.append(encoder.encode(line))
            lines.append(UInt8(ascii: "\n"))
        }
        for (_, table) in tables.sorted(by: { $0.key < $1.key }) {
            try add(Line(table: table.description, lastKey: table.lastKey))
            for row in table.rows.values { try add(Line(row: row.map(\.cell))) }
        }
        return lines
    }

    /// Writes the file: first another one beside it, which then takes its place, so that there is
    /// never a part of it.
    func write(to url: URL) throws {
        do {
            try lines().write(to: url, options: .atomic)
        } catch {
            throw StoreError(
                .storageFailure,
                location: url.path,
                explanation: "the file cannot be written",
                detail: "\(error)"
            )
        }
    }
}

/// A cell does not hold what its column says.
private struct BadCell: Error {}

extension QueryValue {
    /// The value as text, which gives back the same value; nil for NULL.
    fileprivate var cell: String? {
        switch self {
        case .null: nil
        case .bool(let value): "\(value)"
        case .integer(let value): "\(value)"
        case .double(let value): "\(value)"
        case .decimal(let value): "\(value)"
        case .text(let value), .document(let value): value
        case .date(let value): "\(value.timeIntervalSinceReferenceDate)"
        case .data(let value): value.base64EncodedString()
        }
    }

    fileprivate init(cell: String?, _ type: ColumnType) throws {
        guard let cell else {
            self = .null
            return
        }
        let value: QueryValue? =
            switch type {
            case .boolean: Bool(cell).map { .bool($0) }
            case .integer: Int64(cell).map { .integer($0) }
            case .double: Double(cell).map { .double($0) }
            case .decimal: Decimal(string: cell).map { .decimal($0) }
            case .text: .text(cell)
            case .document: .document(cell)
            case .date:
                Double(cell).map { .date(Date(timeIntervalSinceReferenceDate: $0)) }
            case .data: Data(base64Encoded: cell).map { .data($0) }
            }
        guard let value else { throw BadCell() }
        self = value
    }
}
