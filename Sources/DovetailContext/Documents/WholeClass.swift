import DovetailModel
import DovetailStore

/// What a merge has to know of a class whose objects are inside of a whole.
struct WholeClass {
    /// The table.
    let entity: EntityBinding
    /// The columns by which two objects are the same: attributes, and references to others.
    let columns: [Int]
    /// The columns of those references, with the tables that they lead to.
    let references: [(column: Int, table: String)]
    /// The columns that refer to the object around it.
    let holders: [Int]
    /// Its relationships to what is inside of it.
    let lists: [WholeList]
}

/// A relationship to objects that are inside of another one.
struct WholeList {
    /// One class that it leads to: of one to a protocol there are several.
    struct Target {
        let entity: EntityBinding
        /// The relationship, or its part.
        let index: Int
        /// The column of the rows inside that has the key of the one around them; nil where that has theirs.
        let member: Int?
        /// The column of the object around it that has the key of the one inside.
        let own: Int?
        /// The column of the place in its order.
        let order: Int?
    }

    /// The relationship; of one to a protocol the first part.
    let index: Int
    let targets: [Target]

    func target(_ table: String) -> Target? { targets.first { $0.entity.table == table } }
}

extension ModelContext {
    /// Whether what a relationship owns is merged as a whole: it leads to a class that documents have no name for.
    func isWhole(_ index: Int, of shape: ObjectShape) -> Bool {
        guard shape.relationships[index].isOwning else { return false }
        return (shape.union(of: index)?.parts ?? index..<index + 1).contains { part in
            // A protocol may have conformers that the container was made without.
            let table = try? table(of: shape.relationships[part].target)
            return table?.objectTypes.contains { ObjectShape.of($0).reference == nil } ?? false
        }
    }

    /// The relationships of a class that are merged as a whole; of one to a protocol the first part.
    func wholes(of type: any PersistentModel.Type) -> [Int] {
        let shape = ObjectShape.of(type)
        return shape.relationships.indices.filter {
            !shape.isLaterPart($0) && isWhole($0, of: shape)
        }
    }

    /// What is known of a relationship to objects inside of others.
    ///
    /// - Throws: ``StoreError`` of kind `unsupported` for one whose objects may be inside of several.
    func wholeList(_ index: Int, of type: any PersistentModel.Type) throws -> WholeList {
        let shape = ObjectShape.of(type)
        let own = try entity(of: type)
        let indexes = shape.union(of: index)?.parts ?? index..<index + 1
        let targets = try indexes.compactMap { index -> WholeList.Target? in
            let relationship = shape.relationships[index]
            guard let table = try? table(of: relationship.target) else { return nil }
            if relationship.join != nil {
                throw Self.unmergeable(
                    table.table,
                    "may be inside of several objects, by `\(relationship.name)` of \(type)"
                )
            }
            var (member, order, key): (Int?, Int?, Int?)
            for part in try entity(of: relationship.target).relationshipColumns {
                switch part {
                case .key(let inverse, let column) where inverse == relationship.inverse:
                    member = column
                case .member(let owner, index, let column, let place)
                where ObjectIdentifier(owner) == ObjectIdentifier(relationship.owner):
                    order = place
                    if let column { member = column }
                default: continue
                }
            }
            for case .key(index, let column) in own.relationshipColumns { key = column }
            return WholeList.Target(
                entity: table,
                index: index,
                member: key == nil ? member : nil,
                own: key,
                order: order
            )
        }
        return WholeList(index: index, targets: targets)
    }

    /// What is known of a class whose objects are inside of a whole.
    ///
    /// - Throws: ``StoreError`` of kind `unsupported` for one with relationships that have no meaning there.
    func wholeClass(_ type: any PersistentModel.Type) throws -> WholeClass {
        let shape = ObjectShape.of(type)
        let entity = try entity(of: type)
        var lists: [WholeList] = []
        for (index, relationship) in shape.relationships.enumerated()
        where !shape.isLaterPart(index) {
            if relationship.isOwning {
                lists.append(try wholeList(index, of: type))
            } else if !relationship.holdsKey && !relationship.isOwned {
                throw Self.unmergeable(
                    type.modelTable,
                    "have others in `\(relationship.name)` whose rows refer to them"
                )
            }
        }
        var columns = ColumnSet(entity.classColumns)
        var references: [(column: Int, table: String)] = []
        for case .key(let index, let column) in entity.relationshipColumns {
            let relationship = shape.relationships[index]
            if relationship.isOwned || relationship.isOwning { continue }
            columns.insert(column)
            references.append((column, try table(of: relationship.target).table))
        }
        let table = try table(of: type)
        return WholeClass(
            entity: table,
            columns: Array(columns),
            references: references,
            holders: Array(ColumnSet(try ownedColumns(of: table).map(\.column))),
            lists: lists
        )
    }

    /// The error of what cannot be merged as a whole.
    static func unmergeable(_ table: String, _ explanation: String) -> StoreError {
        StoreError(
            .unsupported,
            table: table,
            explanation:
                "objects that documents have no name for, and what is inside of them, cannot be merged "
                + "where they \(explanation)"
        )
    }
}
