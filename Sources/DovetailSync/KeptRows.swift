import DovetailContext
import DovetailModel
import DovetailStore

/// The rows of a model of Dovetail's own, all of whose properties are text.
struct KeptRows {
    private let context: ModelContext
    private let entity: EntityBinding
    /// The column of each property; nil for one that the model does not have.
    private let columns: [Int?]

    /// Nil where the container was made without the model.
    ///
    /// - Parameter names: The properties, in the order in which their texts are given; the first one is the
    ///   key.
    init?(_ context: ModelContext, _ names: [String], _ isModel: (any Model.Type) -> Bool) {
        guard let entity = context.container.schema.bindings.first(where: { isModel($0.type) })
        else { return nil }
        self.context = context
        self.entity = entity
        columns = names.map { name in entity.attributes.firstIndex { $0.name == name } }
    }

    /// The texts of all rows.
    ///
    /// - Throws: ``StoreError``.
    func all() throws -> [[String?]] {
        var all: [[String?]] = []
        try context.withRows(of: Query(entity), entity.type) { cursor, _ in
            while try cursor.next() {
                all.append(
                    try columns.map { column in
                        guard let column,
                            case .text(let text) = try QueryValue(
                                cursor,
                                column,
                                entity.attributes[column]
                            )
                        else { return nil }
                        return text
                    }
                )
            }
        }
        return all
    }

    /// Keeps rows and forgets others, when the context is saved.
    func change(keeping new: [[String?]], forgetting old: [[String?]]) throws {
        if !old.isEmpty {
            let changes = try old.map { try RowChange(.delete, row($0), of: entity) }
            context.enqueue(RowBatch(entity.type, .delete, changes))
        }
        if !new.isEmpty {
            let changes = try new.map { try RowChange(.upsert, row($0), of: entity) }
            context.enqueue(RowBatch(entity.type, .upsert, changes))
        }
    }

    private func row(_ texts: [String?]) -> RowImage {
        var row = [QueryValue](repeating: .null, count: entity.attributes.count)
        for (column, text) in zip(columns, texts) {
            if let column, let text { row[column] = .text(text) }
        }
        return RowImage(row)
    }
}
