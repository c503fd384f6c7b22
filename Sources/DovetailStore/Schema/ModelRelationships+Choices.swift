import DovetailModel

extension ModelRelationships {
    /// The columns of each relationship to a protocol, in a table of some classes.
    ///
    /// - Parameters:
    ///   - parts: Where the rows keep the relationships of the classes.
    ///   - classes: The classes, that at the top first.
    /// - Returns: nil for none.
    func choices(
        of parts: [Part],
        in classes: [any ManagedModel.Type]
    ) -> [EntityDescription.Choice]? {
        struct Name: Equatable {
            let owner: ObjectIdentifier
            let slot: Int
        }
        var choices: [EntityDescription.Choice] = []
        var last: Name?
        for part in parts {
            guard case .key(let index, let column) = part.columns else { continue }
            let relationship = links(of: part.model)[index].relationship
            guard relationship.part != nil else { continue }
            let name = Name(owner: ObjectIdentifier(part.model), slot: relationship.slot)
            if last == name {
                choices[choices.count - 1].columns.append(column)
                continue
            }
            last = name
            choices.append(choice(relationship, column, of: part.model, in: classes))
        }
        return choices.isEmpty ? nil : choices
    }

    /// The columns of the relationships to protocols of a class, for its indexes; one whose inverse holds a
    /// key instead is left out.
    ///
    /// - Parameter parts: Where the rows keep the relationships.
    func propertyColumns(
        of model: any ManagedModel.Type,
        in parts: [Part]
    ) -> [EntityDescription.PropertyColumns] {
        var found: [EntityDescription.PropertyColumns] = []
        let links = links(of: model)
        let isElsewhere = { (link: Link) in !link.holdsKey && !link.isStranger }
        for (index, link) in links.enumerated() {
            let relationship = link.relationship
            guard relationship.part != nil, !relationship.isToMany,
                !links.contains(where: {
                    $0.relationship.name == relationship.name && isElsewhere($0)
                })
            else { continue }
            let columns = parts.compactMap { part -> Int? in
                guard case .key(index, let column) = part.columns, part.model == link.owner else {
                    return nil
                }
                return column
            }
            if found.last?.property == relationship.name {
                found[found.count - 1].columns += columns
            } else {
                found.append((columns, relationship.name))
            }
        }
        return found
    }

    /// The first column of a relationship to a protocol.
    private func choice(
        _ relationship: ModelRelationship,
        _ column: Int,
        of owner: any ManagedModel.Type,
        in classes: [any ManagedModel.Type]
    ) -> EntityDescription.Choice {
        // Another object may hold the key of this one instead.
        let isAlwaysHere = links(of: owner).allSatisfy { link in
            link.owner != owner || link.relationship.slot != relationship.slot
                || link.holdsKey || link.isStranger
        }
        var choice = EntityDescription.Choice(
            columns: [column],
            isRequired: isAlwaysHere && !relationship.isOptional
        )
        if choice.isRequired, let root = classes.first, root != owner {
            choice.classes = classes.filter { $0.inherits(from: owner) }.map { $0.typeName }
        }
        return choice
    }
}
