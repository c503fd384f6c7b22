import DovetailModel
import Foundation
import Synchronization

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
        return try objects(of: query(descriptor))
    }

    /// Throws what could not be said where it happened.
    func throwProblem() throws {
        guard let problem = madeRegistry?.problem else { return }
        madeRegistry?.problem = nil
        throw problem
    }
}
