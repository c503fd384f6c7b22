import DovetailModel
import DovetailStore

/// Reads the rows that the save of what waits writes, before and after it.
///
/// A registry has it until that save, or a rollback.
final class GraphRecorder {
    /// Invariant: what waits in a context does not outlive it.
    private unowned let context: ModelContext
    private let keep: (Result<GraphImages, GraphImages.Refusal>) -> Void
    /// What waited when it was made.
    private let waiting: Waiting
    /// Whether the program has changed nothing else until the save has begun.
    private var isAlone = true

    /// What waits in a context, to be compared.
    private struct Waiting: Equatable {
        var batches: [ObjectIdentifier] = []
        var count: Int? = 0
        /// A hash of what each object changes.
        var objects: [ObjectIdentifier: Int] = [:]
        var pairs: Set<Pair> = []
    }

    /// Two objects that come into each other's lists, or leave them.
    private struct Pair: Hashable {
        let table: ObjectIdentifier
        let owner: ObjectIdentifier
        let member: ObjectIdentifier
        let isWanted: Bool
    }

    /// - Throws: ``ModelEncodingError`` for an attribute that has no form in a column.
    init(
        in context: ModelContext,
        _ keep: @escaping (Result<GraphImages, GraphImages.Refusal>) -> Void
    ) throws {
        self.context = context
        self.keep = keep
        waiting = try Self.waiting(in: context)
    }

    /// Sees whether the program has changed anything else; what observers of the save add to it is a part of
    /// what is kept.
    ///
    /// - Complexity: linear in what waits.
    func beginSave() {
        // What has no form in a column is an error of the save.
        isAlone = (try? Self.waiting(in: context)) == waiting
    }

    /// The parts of a save, with those before and after them that read the rows.
    func reading(_ batches: [any ChangeBatch]) -> [any ChangeBatch] {
        guard let model = batches.first?.model else { return batches }
        guard isAlone else {
            let told = { self.keep(.failure(.besideOthers)) }
            return batches + [RowlessBatch(model, didCommit: told) { _, _ in }]
        }
        var images = GraphImages()
        var isReadable = true
        // A row that nobody has to read is no reason not to save.
        func read(_ body: () throws -> Void) throws {
            do {
                if isReadable { try body() }
            } catch is ModelDecodingError {
                isReadable = false
            }
        }
        let before = RowlessBatch(model) { connection, _ in
            try read { try self.readBefore(into: &images, batches, on: connection) }
        }
        let didCommit = { self.keep(isReadable ? .success(images) : .failure(.unreadable)) }
        let after = RowlessBatch(model, didCommit: didCommit) { connection, _ in
            try read { try self.readAfter(into: &images, batches, on: connection) }
            images.removeUnchanged()
        }
        return [before] + batches + [after]
    }

    private func readBefore(
        into images: inout GraphImages,
        _ batches: [any ChangeBatch],
        on connection: any StoreConnection
    ) throws {
        var gone: [(entity: EntityBinding, keys: Set<RowKey>)] = []
        for batch in batches {
            let entity = try table(of: batch)
            let keys = try keys(of: batch)
            images.before[entity.table, default: [:]]
                .merge(try connection.images(of: entity, keys)) { first, _ in first }
            if batch.verb == .delete { gone.append((entity, keys)) }
        }
        // What the rules of deletions change: a list and not recursion, since chains may have any length.
        while let (target, keys) = gone.popLast() {
            for child in context.container.schema.bindings {
                for reference in child.description.references
                where reference.table == target.table
                    && (reference.deleteRule == .cascade || reference.deleteRule == .nullify)
                {
                    // A row that is marked lets marked ones be.
                    let rows = try connection.images(
                        of: child,
                        keys.map(\.values),
                        in: reference.column,
                        target.markColumn == nil ? .included : .excluded
                    )
                    let known = images.before[child.table] ?? [:]
                    images.before[child.table] = known.merging(rows) { first, _ in first }
                    let new = Set(rows.keys.filter { known[$0] == nil })
                    if reference.deleteRule == .cascade, !new.isEmpty { gone.append((child, new)) }
                }
            }
        }
    }

    private func readAfter(
        into images: inout GraphImages,
        _ batches: [any ChangeBatch],
        on connection: any StoreConnection
    ) throws {
        var keys = images.before.mapValues { Set($0.keys) }
        for batch in batches {
            keys[try table(of: batch).table, default: []].formUnion(try self.keys(of: batch))
        }
        for entity in context.container.schema.bindings {
            guard let keys = keys[entity.table] else { continue }
            images.after[entity.table] = try connection.images(of: entity, keys)
        }
    }

    private func keys(of batch: any ChangeBatch) throws -> Set<RowKey> {
        try Set(batch.changes(of: context.entity(of: batch.model)).map(\.rowKey))
    }

    /// The entity whose table a batch writes: of a class below another one that at the top.
    private func table(of batch: any ChangeBatch) throws -> EntityBinding {
        guard let type = batch.model as? any PersistentModel.Type else {
            return try context.entity(of: batch.model)
        }
        return try context.entity(of: type.modelRoot)
    }

    private static func waiting(in context: ModelContext) throws -> Waiting {
        let registry = context.registry
        var waiting = Waiting()
        for batch in context.pending + registry.purges {
            waiting.batches.append(ObjectIdentifier(batch))
            waiting.count = waiting.count.flatMap { sum in batch.count.map { sum + $0 } }
        }
        for object in registry.insertedObjects + registry.changedObjects + registry.deletedObjects {
            let hash = try hash(of: object, in: registry)
            if let hash { waiting.objects[ObjectIdentifier(object)] = hash }
        }
        for (join, link) in registry.joins.changed where link.isSet {
            waiting.pairs.insert(
                Pair(
                    table: ObjectIdentifier(join.table),
                    owner: ObjectIdentifier(link.owner),
                    member: ObjectIdentifier(link.member),
                    isWanted: link.isWanted
                )
            )
        }
        return waiting
    }

    /// A hash of what an object changes in its row, which is the same whatever others change meanwhile; nil
    /// for nothing.
    private static func hash(
        of object: any PersistentModel,
        in registry: ObjectRegistry
    ) throws -> Int? {
        let state = object.persistentBacking.state
        var hasher = Hasher()
        if state == .deleted { return 0 }
        let entity = try registry.context.entity(of: type(of: object))
        let columns =
            state == .inserted
            ? entity.valueSet.union(entity.keySet)
            : try registry.changedColumns(of: object, entity)
        if columns.isEmpty { return nil }
        let row = try registry.context.row(of: object)
        for column in columns {
            hasher.combine(column)
            hasher.combine(try QueryValue(row, column, entity.attributes[column]))
        }
        return hasher.finalize()
    }
}
