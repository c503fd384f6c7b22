public import DovetailModel
package import DovetailStore

/// The models of a container that conform to one model protocol, in the order of the names of their
/// tables: what a context goes over in a query of `any P`.
///
/// A context makes it once for each protocol.
@usableFromInline
class ConformerSet {
    final let entities: [EntityBinding]
    /// Finds the requirements in predicates.
    final let requirements: RequirementIndex

    init(_ entities: [EntityBinding], _ requirements: RequirementIndex) {
        self.entities = entities
        self.requirements = requirements
    }
}

/// The same with how rows are read as `any P`. It is the subclass so that all that does not depend on
/// the protocol is compiled once.
@usableFromInline
final class ConformerReaders<Value>: ConformerSet {
    /// What says how rows are read.
    @usableFromInline let table: ConformerTable<Value>
    /// How the rows of each entity are read, by its position.
    @usableFromInline let readers: [ConformerRowReader<Value>]

    /// Finds the conformers among the entities of a schema.
    ///
    /// - Complexity: O(n log n) in the number of entities.
    init(_ table: ConformerTable<Value>, _ requirements: ModelRequirements, in schema: Schema) {
        let all = (schema.bindings + schema.subclasses)
            .compactMap { entity in table.rowReader(of: entity.type).map { (entity, $0) } }
        let known = Set(all.map { ObjectIdentifier($0.0.type) })
        // The query of a class has the rows of those below it.
        func isInherited(_ entity: EntityBinding) -> Bool {
            var next = (entity.type as? any ManagedModel.Type)?.modelSuperclass
            while let above = next {
                if known.contains(ObjectIdentifier(above)) { return true }
                next = above.modelSuperclass
            }
            return false
        }
        let found = all.filter { !isInherited($0.0) }
            .sorted { $0.0.table.utf8.lexicographicallyPrecedes($1.0.table.utf8) }
        self.table = table
        readers = found.map(\.1)
        super.init(found.map(\.0), RequirementIndex(requirements))
    }
}

extension ModelContext {
    /// The entities of the conformers of the protocol P of `any P`, in the order of their tables' names.
    ///
    /// - Throws: as a fetch of `any P`.
    package func conformerEntities<Value>(_ table: RootCoding<Value>) throws -> [EntityBinding] {
        try conformers(table).entities
    }

    /// The conformers of the protocol P of `any P` among the container's models.
    ///
    /// - Throws: ``QueryError`` for what is not `any P` of one model protocol, and ``StoreError`` of
    ///   kind `invalidSchema` when there are none.
    @usableFromInline
    func conformers<Value>(_ table: RootCoding<Value>) throws -> ConformerReaders<Value> {
        let identifier = ObjectIdentifier(Value.self)
        if let known = conformerSets[identifier] as? ConformerReaders<Value> { return known }
        guard let parts = table.conformers?() else {
            throw QueryError(
                expression: "\(Value.self)",
                explanation: "a query is over a model or over one model protocol; declare a model "
                    + "protocol that refines all of these"
            )
        }
        let readers = ConformerReaders(parts.table, parts.requirements, in: container.schema)
        guard !readers.entities.isEmpty else {
            throw StoreError(
                .invalidSchema,
                explanation: "the container was made without a model that conforms to "
                    + "\(readers.requirements.protocolName); name some in ModelContainer(for:)"
            )
        }
        conformerSets[identifier] = readers
        return readers
    }
}
