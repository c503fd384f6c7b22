public import DovetailModel

/// The models that a container keeps.
///
/// ```swift
/// let schema = Schema([User.self, Product.self])
/// try schema.validate()
/// print(try schema.entity(Product.self).table)        // Product
/// ```
///
/// ``bindings`` are what a store needs of the models, ``entities`` describe them as SwiftData does.
public struct Schema: Sendable {
    /// The models with their tables and columns, in the order in which they were given, and after them
    /// the join tables: what a store has tables for.
    public let bindings: [EntityBinding]
    /// The classes that inherit from another one, in whose table they are.
    package let subclasses: [EntityBinding]
    /// The position in `subclasses`, by the class.
    private let subclassPositions: [ObjectIdentifier: Int]
    /// The version of the models together, 1.0.0 unless it is given. A ``VersionedSchema`` has one.
    public let version: Version
    /// What was given as a model and is none, which ``validate()`` refuses.
    private let strangers: [String]
    /// The position in `bindings`, by the model's type: of a class that is not below another one.
    private let positions: [ObjectIdentifier: Int]
    /// The position in `bindings`, by the name of the table; the first of two that have one name.
    private let tablePositions: [String: Int]
    /// What is wrong with the relationships, if anything is.
    private let problem: StoreError?
    /// By model, those whose deleted rows change or delete rows of it.
    private let deletionSources: [ObjectIdentifier: Set<ObjectIdentifier>]

    /// Describes models, and those that they refer to (`@Attribute(.references(Team.self))`), which
    /// come after them, and the join tables of their relationships, which come last. A model that is
    /// given twice counts once. ``validate()`` says whether they can be stored.
    ///
    /// - Complexity: linear in the number of attributes.
    public init(_ models: [any Model.Type], version: Version = Version(1, 0, 0)) {
        self.init(models, version: version, strangers: [])
    }

    init(
        _ models: [any Model.Type],
        version: Version,
        strangers: [String],
        roundsDates: (any Model.Type) -> Bool = { _ in false }
    ) {
        var strangers = strangers
        var all: [any Model.Type] = []
        var known: Set<ObjectIdentifier> = []
        var waiting = models.filter { !($0 is any JoinModel.Type) }[...]
        while let model = waiting.popFirst() {
            guard known.insert(ObjectIdentifier(model)).inserted else { continue }
            let managed = model as? any ManagedModel.Type
            if let managed, managed.modelClass != managed {
                strangers.append("\(model)")
                continue
            }
            all.append(model)
            waiting += model.modelAttributes.compactMap(\.reference?.target)
            if let managed {
                // Of a relationship to a protocol the classes are those that are given.
                waiting += managed.modelRelationships.filter { $0.part == nil }.map(\.target)
                waiting += managed.modelSuperclass.map { [$0] } ?? []
            }
        }
        let relationships = ModelRelationships(all)
        all += relationships.joinTables as [any Model.Type]
        func isSubclass(_ model: any Model.Type) -> Bool {
            (model as? any ManagedModel.Type)?.modelSuperclass != nil
        }
        func binding(_ model: any Model.Type) -> EntityBinding {
            EntityBinding(model, relationships, roundsDates: roundsDates(model))
        }
        let entities = all.filter { !isSubclass($0) }.map(binding)
        let positions = Dictionary(
            entities.enumerated().map { (ObjectIdentifier($1.type), $0) },
            uniquingKeysWith: { first, _ in first }
        )
        bindings = entities
        tablePositions = Dictionary(
            entities.enumerated().map { ($1.table, $0) },
            uniquingKeysWith: { first, _ in first }
        )
        subclasses = all.filter(isSubclass).map(binding)
        subclassPositions = Dictionary(
            subclasses.enumerated().map { (ObjectIdentifier($1.type), $0) },
            uniquingKeysWith: { first, _ in first }
        )
        problem = relationships.problem
        self.version = version
        self.strangers = strangers
        self.positions = positions
        deletionSources = Self.deletionSources(entities)
    }

    /// The same schema with further models, at its end.
    ///
    /// - Complexity: linear in the number of attributes.
    package func adding(_ models: [any Model.Type]) -> Schema {
        guard models.contains(where: { (try? entity($0)) == nil }) else { return self }
        return Schema(
            (bindings + subclasses).map(\.type) + models,
            version: version,
            strangers: strangers
        )
    }

    /// The same schema for stores of which some keep whole microseconds of dates.
    ///
    /// - Parameter roundsDates: Whether the store of a model does.
    /// - Complexity: linear in the number of attributes.
    package func roundingDates(where roundsDates: (any Model.Type) -> Bool) -> Schema {
        guard bindings.contains(where: { roundsDates($0.type) }) else { return self }
        return Schema(
            (bindings + subclasses).map(\.type),
            version: version,
            strangers: strangers,
            roundsDates: roundsDates
        )
    }

    /// Follows the delete rules of references from each model to those that it refers to.
    private static func deletionSources(
        _ entities: [EntityBinding]
    ) -> [ObjectIdentifier: Set<ObjectIdentifier>] {
        func parents(_ entity: EntityBinding, _ rules: Set<DeleteRule>) -> [ObjectIdentifier] {
            entity.attributes.compactMap(\.reference).filter { rules.contains($0.deleteRule) }
                .map { $0.target.tableIdentifier }
        }
        var cascades: [ObjectIdentifier: [ObjectIdentifier]] = [:]
        for entity in entities {
            cascades[ObjectIdentifier(entity.type)] = parents(entity, [.cascade])
        }
        var sources: [ObjectIdentifier: Set<ObjectIdentifier>] = [:]
        for entity in entities {
            var waiting = parents(entity, [.cascade, .nullify])
            var found: Set<ObjectIdentifier> = []
            while let parent = waiting.popLast() {
                if found.insert(parent).inserted { waiting += cascades[parent] ?? [] }
            }
            if !found.isEmpty { sources[ObjectIdentifier(entity.type)] = found }
        }
        return sources
    }

    /// Whether deleting a row of `source` may change or delete rows of `model`, by the delete rules
    /// of references.
    ///
    /// - Complexity: O(1).
    package func isDeletion(of source: any Model.Type, seenIn model: any Model.Type) -> Bool {
        deletionSources[model.tableIdentifier]?.contains(source.tableIdentifier) == true
    }

    /// The entities, those first that others refer to. Where some refer to each other, they stay in
    /// their order.
    ///
    /// - Complexity: linear in the number of attributes.
    package var inReferenceOrder: [EntityBinding] { inOrder { _ in true } }

    /// The same, where some references count only.
    package func inOrder(of counts: (AttributeReference) -> Bool) -> [EntityBinding] {
        var ordered: [EntityBinding] = []
        var seen: Set<ObjectIdentifier> = []
        // Schemas are small; the depth is at most their number of entities.
        func visit(_ entity: EntityBinding) {
            guard seen.insert(ObjectIdentifier(entity.type)).inserted else { return }
            for reference in entity.attributes.compactMap(\.reference) where counts(reference) {
                let position = positions[reference.target.tableIdentifier]
                if let position { visit(bindings[position]) }
            }
            ordered.append(entity)
        }
        bindings.forEach(visit)
        return ordered
    }

    /// Checks that the models can be stored together. A container does this before it opens its
    /// store.
    ///
    /// - Complexity: linear in the number of attributes.
    /// - Throws: ``StoreError`` of kind `invalidSchema` when ``EntityBinding/validate()`` refuses a
    ///   model, when the names of two tables are equal or differ in upper and lower case only, when two classes of
    ///   objects have one type name, or when a ``VersionedSchema`` lists a type that is no model.
    public func validate() throws {
        if let stranger = strangers.first {
            throw StoreError(
                .invalidSchema,
                explanation: "\(stranger) is no model; only types with @Model can be stored"
            )
        }
        if let problem { throw problem }
        var tables: [String: any Model.Type] = [:]
        var classes: [String: any Model.Type] = [:]
        for entity in bindings {
            try entity.validate()
            if let other = tables.updateValue(entity.type, forKey: entity.table.lowercased()) {
                throw StoreError(
                    .invalidSchema,
                    table: entity.table,
                    explanation: "\(String(reflecting: other)) and "
                        + "\(String(reflecting: entity.type)) have this name; give one of them "
                        + "another with @Model(typeName:)"
                )
            }
            // The identifiers of objects say their class by it.
            if entity.type is any ManagedModel.Type,
                let other = classes.updateValue(entity.type, forKey: entity.type.typeName)
            {
                throw StoreError(
                    .invalidSchema,
                    table: entity.table,
                    explanation: "\(String(reflecting: other)) and "
                        + "\(String(reflecting: entity.type)) are both named "
                        + "\(entity.type.typeName); give one of them another with "
                        + "@Model(typeName:)"
                )
            }
            var names: [String: any Model.Type] = [:]
            for model in entity.classTable?.classes ?? [] {
                for name in model.typeAliases + [model.typeName] {
                    guard let other = names.updateValue(model, forKey: name) else { continue }
                    throw StoreError(
                        .invalidSchema,
                        table: entity.table,
                        explanation: "\(String(reflecting: other)) and "
                            + "\(String(reflecting: model)) are named \(name), by which rows say "
                            + "their class; give one of them another with @Model(typeName:)"
                    )
                }
            }
        }
    }

    /// Whether a model is among those of the schema.
    ///
    /// - Complexity: O(1).
    package func contains(_ model: any Model.Type) -> Bool {
        positions[ObjectIdentifier(model)] != nil
            || subclassPositions[ObjectIdentifier(model)] != nil
    }

    /// The types that are kept: ``bindings`` and the classes that share a table with one.
    package var models: [any Model.Type] { (bindings + subclasses).map(\.type) }

    /// The entity, or the join table, whose rows are in a table; nil where there is none. Classes that
    /// share a table with the one above them are in its.
    ///
    /// - Complexity: O(1).
    package func entity(ofTable table: String) -> EntityBinding? {
        tablePositions[table].map { bindings[$0] }
    }

    /// The entity of a model.
    ///
    /// - Complexity: O(1).
    /// - Throws: ``StoreError`` of kind `invalidSchema` when the schema was made without the model.
    public func entity(_ model: any Model.Type) throws -> EntityBinding {
        if let position = positions[ObjectIdentifier(model)] { return bindings[position] }
        if let position = subclassPositions[ObjectIdentifier(model)] { return subclasses[position] }
        let above = (model as? any ManagedModel.Type)?.modelClass
        throw StoreError(
            .invalidSchema,
            table: model.typeName,
            explanation: above.map { $0 == model } ?? true
                ? "the container was made without \(model); name it in ModelContainer(for:)"
                : "\(model) inherits from a class with @Model and has none itself; write @Model "
                    + "before it"
        )
    }
}
