public import DovetailModel
import DovetailStore
import Foundation

extension ModelContext {
    /// Deletes the objects that a query takes one by one, so that each of them knows; false where the
    /// store can do it alone: this context has no objects, no rule speaks of what a deleted one holds, of
    /// which the store knows nothing, and no row is deleted with another one of its table, which a
    /// database follows through so many levels only.
    func deleteObjects<Object: PersistentModel>(
        _ type: Object.Type,
        of query: Query
    ) throws -> Bool {
        let shape = ObjectShape.of(type)
        guard
            madeRegistry?.isEmpty == false || shape.deletesItsOwn
                || shape.hasRulesOfHolders(in: container.schema)
        else { return false }
        try beginUse()
        for object in try objects(of: query) as [Object] { deleteObject(object) }
        return true
    }

    /// The objects whose `id` is given, or whose key is; nil for other models.
    @usableFromInline
    func fetchObject<Value: Model & Identifiable>(
        _ model: Value.Type,
        id: Value.ID
    ) throws -> [Value]? {
        guard let type = model as? any PersistentModel.Type else { return nil }
        try beginUse()
        let entity = try entity(of: model)
        func column() -> Int? {
            entity.identifierColumn ?? entity.attributes.firstIndex { $0.property == "id" }
        }
        guard let column = column() else {
            throw QueryError(
                expression: "\(model)",
                explanation: "its key is not the one attribute `id`; fetch it by a predicate"
            )
        }
        let sink = ValueSink(columns: 1)
        guard try KeyForm.write(id, of: entity, column: column, to: sink) else { return [] }
        func fetch<Object: PersistentModel>(_ type: Object.Type) throws -> [Value] {
            let query = Query(
                entity,
                filter: .equal(
                    .attribute(column, isOptional: entity.attributes[column].isOptional),
                    .value(sink.values[0])
                )
            )
            // Invariant: `type` is `Value`.
            return unsafeBitCast(
                try objects(of: query, deferring: true) as [Object],
                to: [Value].self
            )
        }
        return try fetch(type)
    }
}
