import DovetailModel
import DovetailStore
import Foundation

/// Keeps the key columns of an element and ignores the others, of which nothing is copied.
final class KeySink: RowSink {
    /// By column, its place in the key; nil for a column that is not part of it.
    private let positions: [Int?]
    private let entity: EntityBinding
    private var values: [QueryValue]

    private init(_ entity: EntityBinding) {
        self.entity = entity
        positions = entity.attributes.indices.map { entity.keyColumns.firstIndex(of: $0) }
        values = Array(repeating: .null, count: entity.keyColumns.count)
    }

    /// The key of the element whose columns were set last. Every element sets all of them.
    private var key: RowKey { RowKey(values) }

    /// Whether the database has to give the key.
    private var isKeyMissing: Bool { entity.generatedColumn != nil && values == [.null] }

    /// Keeps a value; the autoclosure spares columns outside of the key a copy of their bytes.
    private func keep(_ column: Int, _ value: @autoclosure () -> QueryValue) {
        if positions.indices.contains(column), let position = positions[column] {
            values[position] = value()
        }
    }

    func setNull(_ column: Int) { keep(column, .null) }
    func set(_ column: Int, bool: Bool) { keep(column, .bool(bool)) }
    func set(_ column: Int, integer: Int64) { keep(column, .integer(integer)) }
    func set(_ column: Int, double: Double) { keep(column, .double(double)) }
    func set(_ column: Int, decimal: Decimal) { keep(column, .decimal(decimal)) }
    func set(_ column: Int, text: UnsafeBufferPointer<UInt8>) {
        keep(column, .text(String(decoding: text, as: UTF8.self)))
    }
    func set(_ column: Int, date: Date) { keep(column, .date(date)) }
    func set(_ column: Int, data: UnsafeRawBufferPointer) { keep(column, .data(Data(data))) }
    func set(_ column: Int, document: UnsafeBufferPointer<UInt8>) {
        keep(column, .document(String(decoding: document, as: UTF8.self)))
    }

    /// Calls a function with the place of each value in a list, and with its key; nil where the database has
    /// to give it.
    ///
    /// Only the key columns are written, unless the model's own code may change them before.
    ///
    /// - Throws: what `body` throws, and ``ModelEncodingError`` for a key that has no form in a column.
    static func forEachKey<Value: Model & Identifiable>(
        of values: [Value],
        _ entity: EntityBinding,
        _ body: (Int, RowKey?) throws -> Void
    ) throws {
        let isChanged = Value.self is any ModelLifecycle.Type
        if Value.ID.self == Int.self, entity.hasPlainIdentifier, !isChanged {
            for (place, value) in values.enumerated() {
                // Both types are the same one.
                try body(place, .integer(Int64(unsafeBitCast(value.id, to: Int.self))))
            }
            return
        }
        let sink = KeySink(entity)
        var place = 0
        let finish = { (_: Value) in
            try body(place, sink.isKeyMissing ? nil : sink.key)
            place += 1
        }
        let attributes = entity.attributes
        guard !isChanged else {
            return try ModelWriter.writeRows(
                values,
                to: sink,
                attributes: attributes,
                finish: finish
            )
        }
        try ModelWriter.writeColumns(
            entity.keyColumns,
            of: values,
            to: sink,
            attributes: attributes,
            finish: finish
        )
    }
}
