import Dovetail
import DovetailSQL
import StoreTestSupport
import Testing

/// Expects the SQL of a fetch of pets, and what a real database answers.
func expect(
    _ descriptor: FetchDescriptor<Pet>,
    sql clauses: String,
    bindings: [QueryValue] = [],
    ids: [Int],
    sourceLocation: SourceLocation = #_sourceLocation
) throws {
    let entity = EntityBinding(Pet.self)
    let translator = QueryTranslator(entity)
    let query = Query(
        entity,
        filter: try descriptor.predicate.map { try translator.filter($0) },
        order: try translator.order(descriptor.sortBy),
        limit: descriptor.fetchLimit,
        offset: descriptor.fetchOffset ?? 0
    )
    let statement = try SQLRenderer(SQLiteDialect()).select(query)
    let head = """
        SELECT "id", "name", "age", "weight", "isTame", "species", "nickname", "owner" FROM "Pet"
        """
    #expect(statement.text == head + clauses, sourceLocation: sourceLocation)
    #expect(statement.bindings == bindings.map { .value($0) }, sourceLocation: sourceLocation)

    let context = ModelContext(try .inMemory(Pet.self))
    context.insert(contentsOf: Pet.four)
    try context.save()
    let fetched = try context.fetch(descriptor)
    #expect(fetched.map(\.id) == ids, sourceLocation: sourceLocation)
    #expect(fetched.allSatisfy(Pet.four.contains), sourceLocation: sourceLocation)
    #expect(try context.fetchCount(descriptor) == ids.count, sourceLocation: sourceLocation)
}

/// Expects the SQL of a predicate, as the condition of a `SELECT`.
func expect(
    where condition: String,
    _ bindings: QueryValue...,
    ids: [Int],
    sourceLocation: SourceLocation = #_sourceLocation,
    _ predicate: Predicate<Pet>
) throws {
    try expect(
        FetchDescriptor(predicate: predicate),
        sql: " WHERE " + condition,
        bindings: bindings,
        ids: ids,
        sourceLocation: sourceLocation
    )
    let evaluated = try Pet.four.filter { try predicate.evaluate($0) }
    #expect(evaluated.map(\.id) == ids, "Swift's own answer", sourceLocation: sourceLocation)
}
