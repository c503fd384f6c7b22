import SwiftSyntax

/// What `@Model(shardedBy: \.tenant)` says: the property that decides on which server a row is.
struct ShardArgument {
    /// The name of the property, without backticks.
    let property: String
    /// Where it is said.
    let place: ExprSyntax

    /// Reads the argument; nil, and a problem, for what names no property.
    init?(_ expression: ExprSyntax, _ problems: inout Problems) {
        let path = expression.as(KeyPathExprSyntax.self)
        guard let path, path.root == nil, path.components.count == 1,
            case .property(let component)? = path.components.first?.component
        else {
            problems.add(.shardIsNoProperty, at: expression)
            return nil
        }
        property = component.declName.baseName.text.replacingBackticks
        place = expression
    }

    /// The properties of a model, the named one as a part of the key.
    func inKey(of properties: [StoredProperty]) -> [StoredProperty] {
        properties.map { $0.plainName == property ? $0.inKey() : $0 }
    }

    /// Reports what no row of one server can keep true.
    func check(
        _ shape: ModelDeclaration.Shape,
        _ indexes: [IndexDeclaration],
        ofManaged isManaged: Bool,
        _ problems: inout Problems
    ) {
        guard case .structure(let attributes) = shape else {
            return problems.add(.shardedEnum, at: place)
        }
        if isManaged { return problems.add(.shardedClass, at: place) }
        guard let own = attributes.first(where: { $0.property.plainName == property }) else {
            return problems.add(.unknownShard(property), at: place)
        }
        if own.property.isOptional { problems.add(.optionalShard, at: own.property.pattern) }
        if attributes.count(where: \.isPrimaryKey) < 2 { problems.add(.shardWithoutKey, at: place) }
        for attribute in attributes where attribute.property.attribute.table.isUnique {
            let name = attribute.property.plainName
            guard name != property else { continue }
            problems.add(.uniqueAcrossShards(name, property), at: attribute.property.pattern)
        }
        for group in indexes where group.isUnique && !group.properties.contains(property) {
            let names = group.properties.joined(separator: ", ")
            problems.add(.uniqueAcrossShards(names, property), at: place)
        }
    }
}
