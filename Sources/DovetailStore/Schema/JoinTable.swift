package import DovetailModel

/// The type that stands for a join table: one for each pair of relationships to several objects that
/// lead back to each other.
///
/// A table belongs to a type, by which writers, cursors, histories and copies name it. So a join table
/// is an entity like others, of a type that has no values.
package protocol JoinModel: Model {
    /// The class of the side that the table is named after.
    static var owner: any ManagedModel.Type { get }
    /// What the table was called where a class or a relationship had the older name that it declares. Where it was
    /// named after the other side, its columns were those of the other side, too.
    static var formerNames: [(table: String, isSwapped: Bool)] { get }
}

/// The join table of one relationship of a class.
///
/// Invariant: only ``JoinColumns`` names such types, for relationships that exist and have an inverse.
package enum JoinTable<Owner: ManagedModel, Position: JoinPosition>: JoinModel {
    package static var owner: any ManagedModel.Type { Owner.self }

    /// `Book$tags`
    package static var typeName: String {
        "\(Owner.ownTable)$\(Owner.modelRelationships[Position.index].columnName)"
    }

    package static var modelAttributes: [ModelAttribute] {
        let relationship = Owner.modelRelationships[Position.index]
        // What is wrong with the relationships is an error of the schema.
        guard let links = try? ModelRelationships.links(of: Owner.self),
            let inverse = links[Position.index].inverse
        else { return [] }
        let back = relationship.target.modelRelationships[inverse]
        return JoinColumns.attributes(of: relationship, from: Owner.self, back)
    }

    package static var formerNames: [(table: String, isSwapped: Bool)] {
        let relationship = Owner.modelRelationships[Position.index]
        guard let links = try? ModelRelationships.links(of: Owner.self),
            let inverse = links[Position.index].inverse
        else { return [] }
        let back = relationship.target.modelRelationships[inverse]
        func names(_ type: any ManagedModel.Type, _ relationship: ModelRelationship) -> [String] {
            let ends = [relationship.columnName, relationship.originalName].compactMap { $0 }
            return ([type.ownTable] + type.typeAliases).flatMap { table in
                ends.map { "\(table)$\($0)" }
            }
        }
        let own = names(Owner.self, relationship).map { (table: $0, isSwapped: false) }
        let others = names(relationship.target, back).map { (table: $0, isSwapped: true) }
        return (own + others).filter { $0.table != typeName }
    }

    /// No document and no row is one.
    package init(modelValue reader: inout ModelReader) throws {
        throw reader.rejected(expected: "a model, which a join table has none of")
    }

    /// There is nothing to write.
    package func encode(to writer: inout ModelWriter) throws {
        switch self {}
    }
}

/// A number as a type.
package protocol JoinPosition: SendableMetatype {
    static var index: Int { get }
}

/// 0.
package enum FirstPosition: JoinPosition {
    package static var index: Int { 0 }
}

/// One more than another one.
package enum NextPosition<Previous: JoinPosition>: JoinPosition {
    package static var index: Int { Previous.index + 1 }
}

/// Where a join table keeps a relationship, as one of its two sides sees it.
///
/// The table has a row for each pair: the keys of both objects, and the place of each in the list of the
/// other. A relationship that is its own inverse has two rows for a pair, each with one place, so that
/// both objects are found in the same way.
package struct JoinColumns: Sendable {
    /// The type that stands for the table.
    package let table: any JoinModel.Type
    /// Whether this side is the one that the table is named after.
    package let isOwner: Bool
    /// Whether the relationship is its own inverse.
    package let isOwnInverse: Bool

    /// The column of the key of an object of this side.
    package var own: Int { isOwner ? 0 : 1 }
    /// The column of the key of an object in its list.
    package var other: Int { isOwner ? 1 : 0 }
    /// The column of the place in its list.
    package var order: Int { isOwner ? 2 : 3 }

    /// Describes one side.
    init(
        _ model: any ManagedModel.Type,
        _ index: Int,
        _ relationship: ModelRelationship,
        inverse: Int
    ) {
        let back = relationship.target.modelRelationships[inverse]
        let mine = (model.ownTable, relationship.name)
        let theirs = (relationship.target.ownTable, back.name)
        isOwner = mine <= theirs
        isOwnInverse = relationship.target == model && inverse == index
        table =
            isOwner ? Self.table(of: model, index) : Self.table(of: relationship.target, inverse)
    }

    private static func table(
        of owner: any ManagedModel.Type,
        _ index: Int
    ) -> any JoinModel.Type {
        func next<Previous: JoinPosition>(_ type: Previous.Type) -> any JoinPosition.Type {
            NextPosition<Previous>.self
        }
        func table<Owner: ManagedModel, Position: JoinPosition>(
            _ owner: Owner.Type,
            _ position: Position.Type
        ) -> any JoinModel.Type {
            JoinTable<Owner, Position>.self
        }
        var position: any JoinPosition.Type = FirstPosition.self
        for _ in 0..<index { position = next(position) }
        return table(owner, position)
    }

    /// The columns of the table.
    static func attributes(
        of relationship: ModelRelationship,
        from owner: any ManagedModel.Type,
        _ back: ModelRelationship
    ) -> [ModelAttribute] {
        func key(
            _ name: String,
            _ type: any ManagedModel.Type,
            _ rule: DeleteRule
        ) -> ModelAttribute {
            ModelAttribute(
                hidden: name,
                \Never.self,
                type: type.keyColumn?.columnType ?? .integer,
                isOptional: false,
                primaryKey: true,
                reference: AttributeReference(
                    target: type,
                    deleteRule: rule == .deny ? .deny : .cascade
                )
            )
        }
        func place(_ name: String) -> ModelAttribute {
            ModelAttribute(hidden: name, \Never.self, type: .integer, isOptional: true)
        }
        let keys = [
            key("owner", owner, relationship.deleteRule),
            key("member", relationship.target, back.deleteRule),
        ]
        let isOwnInverse =
            relationship.target == owner
            && relationship.keyPath as AnyKeyPath == back.keyPath as AnyKeyPath
        return keys + [place("member$order")] + (isOwnInverse ? [] : [place("owner$order")])
    }
}
