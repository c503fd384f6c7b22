public import DovetailModel
import DovetailStore
import Foundation

extension ModelContext {
    /// Fetches objects: those that this context has already, and new ones for the other rows.
    ///
    /// ```swift
    /// let heavy = FetchDescriptor<Box>(predicate: #Predicate { $0.weight > 10 })
    /// let boxes = try context.fetch(heavy)
    /// // SELECT "title", "weight", "$id" FROM "Box" WHERE ("weight" > ?1)
    /// ```
    ///
    /// What waits to be saved is seen. An object that was not changed here gets what other contexts of
    /// the container have saved.
    ///
    /// - Complexity: linear in the number of rows that the store goes over, and of those that wait.
    /// - Throws: ``QueryError`` for predicates that no store understands, ``StoreError``,
    ///   ``ModelDecodingError`` for a row that is no object of the class, and what reading a
    ///   relationship could not throw.
    public func fetch<Object: PersistentModel>(
        _ descriptor: FetchDescriptor<Object>
    ) throws -> [Object] {
        try throwProblem()
        return try objects(of: query(descriptor), descriptor.includePendingChanges)
    }

    /// The objects of a descriptor whose class is known at run time only; nil for other models.
    @usableFromInline
    func fetchObjects<Value: Model>(_ descriptor: FetchDescriptor<Value>) throws -> [Value]? {
        guard let type = Value.self as? any PersistentModel.Type else { return nil }
        try throwProblem()
        let query = try query(descriptor)
        func fetch<Object: PersistentModel>(_ type: Object.Type) throws -> [Value] {
            // Invariant: `type` is `Value`.
            unsafeBitCast(
                try objects(of: query, descriptor.includePendingChanges) as [Object],
                to: [Value].self
            )
        }
        return try fetch(type)
    }

    /// Deletes the objects for which a predicate holds one by one, where this context has objects, so
    /// that each of them knows; false where the store can do it alone.
    func deleteObjects<Value: Model>(
        _ model: Value.Type,
        where predicate: Predicate<Value>?
    ) throws -> Bool {
        guard madeRegistry?.isEmpty == false, model is any PersistentModel.Type,
            let objects = try fetchObjects(FetchDescriptor(predicate: predicate))
        else { return false }
        for case let object as any PersistentModel in objects { deleteObject(object) }
        return true
    }

    /// The objects whose `id` is given, or whose key is; nil for other models.
    @usableFromInline
    func fetchObject<Value: Model & Identifiable>(
        _ model: Value.Type,
        id: Value.ID
    ) throws -> [Value]? {
        guard let type = model as? any PersistentModel.Type else { return nil }
        try throwProblem()
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
            return unsafeBitCast(try objects(of: query) as [Object], to: [Value].self)
        }
        return try fetch(type)
    }

    /// Throws what could not be said where it happened.
    func throwProblem() throws {
        guard let problem = madeRegistry?.problem else { return }
        madeRegistry?.problem = nil
        throw problem
    }
}
