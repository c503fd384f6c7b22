import DovetailModel

// Relationships of any kind: to one or to several, of a class or of a protocol.

extension ObjectGraph {
    /// What a relationship holds, to one or to several.
    static func held(by object: any PersistentModel, _ index: Int) -> [any PersistentModel] {
        let shape = object.persistentBacking.shape(of: object)
        guard let union = shape.union(of: index) else {
            return shape.relationships[index].isToMany
                ? list(object, index).all
                : one(object, index).map { [$0] } ?? []
        }
        func all<Coding: ProtocolCoding>(_ coding: Coding.Type) -> [any PersistentModel] {
            list(object, union, of: Coding.Value.self).all
        }
        return union.first.isToMany
            ? all(union.coding) : union.parts.compactMap { one(object, $0) }
    }

    /// Takes an object out of the list of a class that it is in, where none of its own properties says so.
    static func leaveList(
        _ object: any PersistentModel,
        of owner: any PersistentModel.Type,
        _ index: Int
    ) {
        guard let holder = object.persistentBacking.holder(owner, index) else { return }
        replace(holder, index, with: held(by: holder, index).filter { $0 !== object })
    }

    /// Puts objects into a relationship, in the place of those that it holds.
    static func replace(
        _ object: any PersistentModel,
        _ index: Int,
        with others: [any PersistentModel]
    ) {
        func setAll<Object: PersistentModel>(_ type: Object.Type) {
            set(
                object,
                index,
                toAll: others.compactMap { $0 as? Object }
            )
        }
        func setAll<Coding: ProtocolCoding>(of union: ObjectShape.Union, _ coding: Coding.Type) {
            let values = others.compactMap { $0 as? Coding.Value }
            set(object, union, toAll: values)
        }
        let shape = object.persistentBacking.shape(of: object)
        let relationship = shape.relationships[index]
        changing(object, relationship) {
            if let union = shape.union(of: index) {
                if relationship.isToMany {
                    setAll(of: union, union.coding)
                } else {
                    set(object, union, to: others.first)
                }
            } else if relationship.isToMany {
                setAll(relationship.target)
            } else {
                set(object, index, to: others.first)
            }
        }
    }
}
