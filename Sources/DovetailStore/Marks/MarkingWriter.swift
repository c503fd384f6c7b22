import DovetailModel
import Foundation

/// Writes rows of a model that marks its deleted ones, or that refers to such a model. A row is complete before
/// it is clear what is to be done with it.
final class MarkingWriter: RowWriter {
    private let verb: WriteVerb
    private let entity: EntityBinding
    private let connection: MarkingConnection
    private let row: RowImage
    /// The writers of the store.
    private var writers: [WriteVerb: any RowWriter] = [:]
    private(set) var lastKey: Int64?

    init(_ verb: WriteVerb, _ entity: EntityBinding, on connection: MarkingConnection) {
        self.verb = verb
        self.entity = entity
        self.connection = connection
        row = RowImage(columns: entity.columnCount)
    }

    /// Writes the row. One that is inserted takes the place of a marked one, which costs a look into the
    /// index of the key.
    ///
    /// - Throws: as the writer of the store; `notFound` for the update of a marked row.
    func finishRow() throws {
        // A row that was refused leaves nothing for the next one.
        defer { row.clear() }
        guard entity.markColumn != nil else { return try write(verb) }
        let key = try entity.key(of: row)
        switch verb {
        case .delete: try connection.mark(key, of: entity)
        case .upsert: try write(.upsert)
        case .insert: try write(connection.isMarked(key, of: entity) ? .update : .insert)
        case .update:
            guard try !connection.isMarked(key, of: entity) else {
                throw StoreError(
                    .notFound,
                    table: entity.table,
                    explanation: "there is no row with this key to update"
                )
            }
            try write(.update)
        }
    }

    private func write(_ verb: WriteVerb) throws {
        let writer = try writers[verb] ?? connection.plainWriter(verb, into: entity)
        writers[verb] = writer
        try row.write(to: writer)
        try writer.finishRow()
        lastKey = writer.lastKey
        try connection.noteReferences(of: row, entity)
    }

    /// Writes what the writers of the store hold back.
    func finish() throws {
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
