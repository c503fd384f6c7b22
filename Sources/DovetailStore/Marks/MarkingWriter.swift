import DovetailModel
import Foundation

/// Writes rows of a model that marks its deleted ones, or that refers to such a model. A row is complete before
/// it is clear what is to be done with it, and rows are held back, so that one question tells which of them are
/// marked, and one statement marks them.
final class MarkingWriter: RowWriter {
    /// How many rows are held back at most.
    private static let most = 500

    private let verb: WriteVerb
    private let entity: EntityBinding
    private let connection: MarkingConnection
    /// The rows that are held back, and the one whose columns are set; then those that are used again.
    private var rows: [RowImage]
    private var row: RowImage
    private var keys: [[QueryValue]] = []
    /// The writers of the store.
    private var writers: [WriteVerb: any RowWriter] = [:]
    private(set) var lastKey: Int64?

    init(_ verb: WriteVerb, _ entity: EntityBinding, on connection: MarkingConnection) {
        self.verb = verb
        self.entity = entity
        self.connection = connection
        row = RowImage(columns: entity.columnCount)
        rows = [row]
    }

    /// Writes the row, or holds it back. One that is inserted takes the place of a marked one, which costs a
    /// look into the index of the key, in one question for many.
    ///
    /// - Throws: as the writer of the store; `notFound` for the update of a marked row.
    func finishRow() throws {
        if entity.markColumn == nil || verb == .upsert {
            // A row that was refused leaves nothing for the next one.
            defer { row.clear() }
            return try write(row, verb)
        }
        do {
            keys.append(try entity.key(of: row))
        } catch {
            row.clear()
            throw error
        }
        // A key that is generated is asked for after each row.
        if keys.count == Self.most || entity.generatedColumn != nil { return try writeHeld() }
        if rows.count == keys.count { rows.append(RowImage(columns: entity.columnCount)) }
        row = rows[keys.count]
    }

    /// Writes what is held back.
    private func writeHeld() throws {
        let held = exchange(&keys, with: [])
        defer {
            for row in rows.prefix(held.count) { row.clear() }
            row = rows[0]
        }
        if held.isEmpty { return }
        if verb == .delete { return try connection.mark(held, of: entity) }
        var marked = try connection.marked(of: held, entity)
        for (key, row) in zip(held, rows) {
            // The same key again is that of a row which is there.
            let isMarked = marked.remove(RowKey(key)) != nil
            do {
                if verb == .insert {
                    try write(row, isMarked ? .update : .insert)
                } else if isMarked {
                    marked.insert(RowKey(key))
                    throw StoreError(
                        .notFound,
                        table: entity.table,
                        explanation: "there is no row with this key to update"
                    )
                } else {
                    try write(row, .update)
                }
            } catch let error as StoreError {
                throw connection.naming(row, in: error, of: entity)
            }
        }
    }

    private func write(_ row: RowImage, _ verb: WriteVerb) throws {
        let writer = try writers[verb] ?? connection.plainWriter(verb, into: entity)
        writers[verb] = writer
        try row.write(to: writer)
        try writer.finishRow()
        lastKey = writer.lastKey
        try connection.noteReferences(of: row, entity)
    }

    /// Writes what is held back here, and by the writers of the store.
    func finish() throws {
        try writeHeld()
        for writer in writers.values { try writer.finish() }
    }

    func setNull(_ column: Int) { row.setNull(column) }
    func set(_ column: Int, bool: Bool) { row.set(column, bool: bool) }
    func set(_ column: Int, integer: Int64) { row.set(column, integer: integer) }
    func set(_ column: Int, double: Double) { row.set(column, double: double) }
    func set(_ column: Int, decimal: Decimal) { row.set(column, decimal: decimal) }
    func set(_ column: Int, text: UnsafeBufferPointer<UInt8>) { row.set(column, text: text) }
    func set(_ column: Int, date: Date) { row.set(column, date: date) }
    func set(_ column: Int, data: UnsafeRawBufferPointer) { row.set(column, data: data) }
    func set(_ column: Int, document: UnsafeBufferPointer<UInt8>) {
        row.set(column, document: document)
    }
}
