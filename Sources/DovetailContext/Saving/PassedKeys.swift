import DovetailModel
import DovetailStore
import Foundation

/// References to new objects that have the declared keys of others which are deleted in the same save, or whose
/// rows are marked.
///
/// When the row of the old one goes, the database takes its key out of the rows that refer to it, or deletes
/// them; it cannot know which of them mean the new one. So these refer to a row that is not there meanwhile, and
/// are given the key when the new row is. Foreign keys are checked at the end of the transaction. NULL would do
/// for most, but not for those that have to refer to something.
struct PassedKeys {
    /// The new objects, each with its class.
    private var heirs: [ObjectIdentifier: any Model.Type] = [:]
    /// What is written of those that refer to them, before rows go and after new ones have come.
    private var references: [(entity: EntityBinding, given: [RowChange], parked: [RowChange])] = []
    /// How many references have been parked.
    private var count: Int64 = 0

    /// - Parameters:
    ///   - inserted: What is new.
    ///   - deleted: What goes.
    /// - Complexity: linear in both, where both are there and their keys are declared.
    /// - Throws: ``StoreError`` for a class that the container was made without.
    init(
        _ inserted: [any PersistentModel],
        _ deleted: [any PersistentModel],
        in context: ModelContext
    ) throws {
        if inserted.isEmpty || deleted.isEmpty { return }
        var gone: [ObjectIdentifier: Set<RowKey>] = [:]
        var isDeclared: [ObjectIdentifier: (declared: Bool, marks: Bool)] = [:]
        for object in deleted {
            guard let key = object.persistentBacking.key else { continue }
            gone[type(of: object).rootIdentifier, default: []].insert(key)
        }
        for object in inserted {
            let root = type(of: object).rootIdentifier
            if isDeclared[root] == nil {
                let entity = try context.entity(of: type(of: object))
                isDeclared[root] = (!entity.hasHiddenKey, entity.markColumn != nil)
            }
            guard let (declared, marks) = isDeclared[root], declared,
                let key = object.persistentBacking.key,
                // A marked row may go with its owner, and nobody here knows it.
                marks || gone[root]?.contains(key) == true
            else { continue }
            heirs[ObjectIdentifier(object)] = try context.entity(of: type(of: object)).type
        }
    }

    /// The columns by which a changed object refers to one that has a key of another one.
    func columns(of object: any PersistentModel, _ entity: EntityBinding) -> ColumnSet {
        if heirs.isEmpty { return [] }
        var columns = ColumnSet()
        for (column, slot) in object.persistentBacking.references(entity) {
            if case .one(let other) = slot, heirs[ObjectIdentifier(other)] != nil {
                columns.insert(column)
            }
        }
        return columns
    }

    /// Adds references of a row, which are written twice more.
    ///
    /// - Throws: ``ModelDecodingError`` when the key columns do not hold what their kinds say.
    mutating func add(_ columns: ColumnSet, of row: RowImage, _ entity: EntityBinding) throws {
        let nothing = RowImage(columns: entity.columnCount)
        for column in columns {
            let value = try QueryValue(row, column, entity.attributes[column])
            try parked(value).set(column, of: nothing)
        }
        let all = entity.withChoices(columns)
        let other = try row.taking(all, from: nothing, of: entity)
        let given = try RowChange(updating: all, of: entity, to: row)
        let parked = try RowChange(updating: all, of: entity, to: other)
        if let place = references.firstIndex(where: { $0.entity.type == entity.type }) {
            references[place].given.append(given)
            references[place].parked.append(parked)
        } else {
            references.append((entity, [given], [parked]))
        }
    }

    /// A key like another one, which no row has.
    private mutating func parked(_ key: QueryValue) -> QueryValue {
        count += 1
        return switch key {
        case .integer: .integer(.min + count)
        case .double: .double(-.greatestFiniteMagnitude + Double(count) * 1e293)
        case .decimal:
            .decimal(-Decimal(sign: .plus, exponent: 100, significand: 1) + Decimal(count))
        case .date: .date(Date(timeIntervalSinceReferenceDate: -6e10 + Double(count)))
        // It may have to be the text of an UUID.
        case .text, .document: .text(UUID().uuidString)
        case .data: .data(Data(UUID().uuidString.utf8))
        // Nothing else is like it, and the store refuses the row.
        case .null, .bool: key
        }
    }

    /// What is written before rows go.
    var parking: [any ChangeBatch] { references.map { Self.batch($0.entity, $0.parked) } }

    /// What happens between rows that go and new ones: a store that holds changes back finds out here which of
    /// them have met no row. Later it would find the new one in its place.
    var settling: [any ChangeBatch] {
        guard let model = heirs.values.first else { return [] }
        return [
            RowlessBatch(model) { connection, _ in
                guard let conflict = try connection.settle().first else { return }
                throw ObjectRefusal.conflict(conflict)
            }
        ]
    }

    /// What is written when the new rows are there.
    var giving: [any ChangeBatch] { references.map { Self.batch($0.entity, $0.given) } }

    /// The rows are those of other batches, which tell of them.
    private static func batch(
        _ entity: EntityBinding,
        _ changes: [RowChange]
    ) -> any ChangeBatch {
        RowlessBatch(entity.type) { connection, entity in
            for change in changes {
                do {
                    _ = try connection.apply(change, to: entity)
                } catch let error as StoreError {
                    throw error.naming(change.key)
                }
            }
        }
    }
}
