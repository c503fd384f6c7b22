package import DovetailModel

/// The table of several classes: one at the top, and those that inherit from it.
///
/// Each row has the name of its class in a column `$type`. The columns of a subclass are NULL in rows of
/// other classes, and those of its attributes that are always there are checked by a condition of the
/// table. A column is named like its attribute, unless two classes have one of that name: then that of
/// a subclass has the class's name before it, `BusinessTrip$note`.
package final class ClassTable: Sendable {
    /// The column of the class's name.
    package static let typeColumnName = "$type"

    /// The class at the top first, each other one after the one above it.
    package let classes: [any ManagedModel.Type]
    /// The columns, with the key paths of the classes that declare them.
    let attributes: [ModelAttribute]
    /// How many of the columns attributes of classes stand for.
    let declaredCount: Int
    /// The position of the column of the class's name.
    package let typeColumn: Int
    let description: EntityDescription
    /// The classes by the names that rows have.
    private let names: [String: any ManagedModel.Type]
    /// The columns of the attributes that each class declares.
    private let own: [ObjectIdentifier: [Int]]
    private let relationshipKeys: [(column: Int, model: any ManagedModel.Type, index: Int)]
    private let parts: [ModelRelationships.Part]

    init(_ classes: [any ManagedModel.Type], _ relationships: ModelRelationships) {
        self.classes = classes
        let root = classes[0]
        let declared = classes.map { model in
            Array(
                model.modelAttributes.dropFirst(model.modelSuperclass?.modelAttributes.count ?? 0)
            )
        }
        let declaredCount = declared.map(\.count).reduce(0, +)
        self.declaredCount = declaredCount
        let hidden = relationships.columns(of: classes, after: declaredCount)
        // A name that two classes have is nobody's.
        var holders: [String: Set<ObjectIdentifier>] = [:]
        for (model, attributes) in zip(classes, declared) {
            for attribute in attributes {
                holders[attribute.name.lowercased(), default: []].insert(ObjectIdentifier(model))
            }
        }
        for column in hidden.columns {
            holders[column.attribute.name.lowercased(), default: []]
                .insert(ObjectIdentifier(column.model))
        }
        func inTable(_ attribute: ModelAttribute, of model: any ManagedModel.Type) -> ModelAttribute
        {
            if model == root { return attribute }
            let isShared = holders[attribute.name.lowercased(), default: []].count > 1
            return attribute.inTable(
                named: isShared ? "\(model.typeName)$\(attribute.name)" : attribute.name,
                isOptional: true
            )
        }
        var attributes: [ModelAttribute] = []
        var own: [ObjectIdentifier: [Int]] = [:]
        var required: [ObjectIdentifier: [Int]] = [:]
        for (model, declared) in zip(classes, declared) {
            let identifier = ObjectIdentifier(model)
            own[identifier] = Array(attributes.count..<attributes.count + declared.count)
            required[identifier] = model.modelSuperclass.flatMap { required[ObjectIdentifier($0)] }
            for attribute in declared {
                if model != root, !attribute.isOptional {
                    required[identifier, default: []].append(attributes.count)
                }
                attributes.append(inTable(attribute, of: model))
            }
        }
        for column in hidden.columns {
            if column.model != root, !column.attribute.isOptional {
                for model in classes where model.inherits(from: column.model) {
                    required[ObjectIdentifier(model), default: []].append(attributes.count)
                }
            }
            attributes.append(inTable(column.attribute, of: column.model))
        }
        typeColumn = attributes.count
        attributes.append(
            ModelAttribute(
                hidden: Self.typeColumnName,
                \Never.self,
                type: .text,
                isOptional: false
            )
        )
        if let key = root.hiddenKey { attributes.append(key) }
        let isMarked = root.modelDeletion == .mark
        if isMarked { attributes.append(.deletionMark) }
        self.attributes = attributes
        self.own = own
        let properties = attributes.map(\.property)
        parts = hidden.parts
        relationshipKeys = hidden.parts.compactMap { part in
            guard case .key(let index, let column) = part.columns else { return nil }
            return (column, part.model, index)
        }
        names = Dictionary(
            classes.flatMap { model in (model.typeAliases + [model.typeName]).map { ($0, model) } },
            uniquingKeysWith: { first, _ in first }
        )
        var description = EntityDescription(
            root,
            attributes,
            indexes: classes.flatMap { model in
                let inherited = model.modelSuperclass?.modelIndexes.count ?? 0
                let columns =
                    Self.columns(of: model, own).map { ([$0], properties[$0]) }
                    + hidden.columns.enumerated().compactMap { position, column in
                        model.inherits(from: column.model)
                            ? ([declaredCount + position], column.attribute.property) : nil
                    } + relationships.propertyColumns(of: model, in: hidden.parts)
                return model.modelIndexes.dropFirst(inherited).map { ($0, columns) }
            }
        )
        description.classes = EntityDescription.Classes(
            column: typeColumn,
            required: Dictionary(
                classes.dropFirst().map { ($0.typeName, required[ObjectIdentifier($0)] ?? []) },
                uniquingKeysWith: { first, _ in first }
            )
        )
        description.choices = relationships.choices(of: hidden.parts, in: classes)
        description.mark = isMarked ? attributes.count - 1 : nil
        self.description = description
    }

    /// The class of a row.
    ///
    /// - Parameter column: The column of its name; nil for that of a whole row.
    /// - Throws: ``StoreError`` of kind `invalidSchema` for a class that the schema was made without.
    package func model(
        of row: any RowSource,
        at column: Int? = nil
    ) throws -> any ManagedModel.Type {
        let name = row.text(column ?? typeColumn).map { String(decoding: $0, as: UTF8.self) }
        guard let name, let model = names[name] else {
            throw StoreError(
                .invalidSchema,
                table: description.table,
                column: Self.typeColumnName,
                explanation: "a row is of a class that the container was made without; name all "
                    + "subclasses of \(classes[0]) in ModelContainer(for:)"
            )
        }
        return model
    }

    /// The class of a name in rows and documents; nil for another name.
    package func model(named name: String) -> (any ManagedModel.Type)? { names[name] }

    /// The names of a class and of those below it, in rows; nil for the one at the top, which all rows
    /// are of.
    func names(of model: any ManagedModel.Type) -> [String]? {
        if model == classes[0] { return nil }
        return classes.filter { $0.inherits(from: model) }.flatMap {
            $0.typeAliases + [$0.typeName]
        }
    }

    /// The columns of the attributes of a class, in their order.
    func columns(of model: any ManagedModel.Type) -> [Int] { Self.columns(of: model, own) }

    private static func columns(
        of model: any ManagedModel.Type,
        _ own: [ObjectIdentifier: [Int]]
    ) -> [Int] {
        (model.modelSuperclass.map { columns(of: $0, own) } ?? [])
            + (own[ObjectIdentifier(model)] ?? [])
    }

    /// The columns of the attributes that a class and those above it declare, its own first.
    func levels(of model: any ManagedModel.Type) -> [[Int]] {
        [own[ObjectIdentifier(model)] ?? []] + (model.modelSuperclass.map { levels(of: $0) } ?? [])
    }

    /// The columns as a class sees them: with its own key paths, where it has the properties.
    func attributes(of model: any ManagedModel.Type) -> [ModelAttribute] {
        if model == classes[0] { return attributes }
        var attributes = attributes
        func put(_ attribute: ModelAttribute, at column: Int) {
            attributes[column] = attribute.inTable(
                named: attributes[column].name,
                isOptional: attributes[column].isOptional
            )
        }
        for (column, attribute) in zip(columns(of: model), model.modelAttributes) {
            put(attribute, at: column)
        }
        let relationships = model.modelRelationships
        for (column, owner, index) in relationshipKeys
        where model.inherits(from: owner) && relationships[index].part == nil {
            attributes[column] = attributes[column].at(relationships[index].keyPath)
        }
        return attributes
    }

    /// The relationship whose key is in a column, of whichever class; nil for other columns.
    package func relationshipName(of column: Int) -> String? {
        relationshipKeys.first { $0.column == column }
            .map { $0.model.modelRelationships[$0.index].name }
    }

    /// The columns of the places in lists, of all classes.
    package var orderColumns: [Int] {
        parts.compactMap { part in
            if case .member(_, _, _, let order) = part.columns { order } else { nil }
        }
    }

    /// Where the rows of a class keep their relationships.
    func parts(of model: any ManagedModel.Type) -> [ModelRelationshipColumns] {
        parts.filter { model.inherits(from: $0.model) }.map(\.columns)
    }
}

extension ManagedModel {
    /// Whether it is a class or inherits from it.
    package static func inherits(from model: any ManagedModel.Type) -> Bool {
        modelClass == model || modelSuperclass?.inherits(from: model) ?? false
    }
}

extension Model {
    /// What tells the table of a model from others: that of the class at the top, where classes share one.
    package static var tableIdentifier: ObjectIdentifier {
        let root = (Self.self as? any ManagedModel.Type)?.modelRoot
        return root.map { ObjectIdentifier($0) } ?? ObjectIdentifier(Self.self)
    }
}
