public import DovetailModel

/// The models that a container keeps.
public struct Schema: Sendable {
    /// The entities, in the order in which they were given.
    public let entities: [EntitySchema]
    private let positions: [ObjectIdentifier: Int]

    /// Describes models. A model that is given twice counts once.
    ///
    /// - Throws: ``StoreError`` of kind `invalidSchema` when a model cannot be stored or two have
    ///   the same name.
    public init(_ models: [any Model.Type]) throws {
        var entities: [EntitySchema] = []
        var positions: [ObjectIdentifier: Int] = [:]
        var tables: [String: any Model.Type] = [:]
        for model in models where positions[ObjectIdentifier(model)] == nil {
            let entity = try EntitySchema(model)
            if let other = tables.updateValue(model, forKey: entity.table.lowercased()) {
                throw StoreError(
                    .invalidSchema,
                    table: entity.table,
                    explanation: "\(String(reflecting: other)) and \(String(reflecting: model)) "
                        + "have this name; give one of them another with @Model(typeName:)"
                )
            }
            positions[ObjectIdentifier(model)] = entities.count
            entities.append(entity)
        }
        self.entities = entities
        self.positions = positions
    }

    /// The entity of a model.
    ///
    /// - Throws: ``StoreError`` of kind `invalidSchema` when the container was made without it.
    public func entity(_ model: any Model.Type) throws -> EntitySchema {
        guard let position = positions[ObjectIdentifier(model)] else {
            throw StoreError(
                .invalidSchema,
                table: model.typeName,
                explanation: "the container was made without \(model); name it in "
                    + "ModelContainer(for:)"
            )
        }
        return entities[position]
    }
}
