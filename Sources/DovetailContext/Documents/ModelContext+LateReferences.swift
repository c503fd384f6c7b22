import DovetailModel
package import DovetailStore

extension ModelContext {
    /// Lets objects refer to others that were not there when their document was read: those that are by now.
    ///
    /// A relationship to one that holds another object by then stays; one to several gets the object at its
    /// end.
    ///
    /// - Parameters:
    ///   - pairs: What names an object, and what names the one that it refers to.
    ///   - source: The class of the first ones.
    ///   - relationship: The name of their relationship in documents.
    ///   - target: The class of the others.
    /// - Returns: The positions of those for which nothing is left to be done, and how many of them lead to
    ///   their objects now.
    /// - Complexity: two queries, one for the objects that are referred to and one for those that refer to one
    ///   of these.
    /// - Throws: what a fetch throws.
    package func resolve(
        _ pairs: [(source: QueryValue, target: QueryValue)],
        of source: any PersistentModel.Type,
        _ relationship: String,
        to target: any PersistentModel.Type
    ) throws -> (settled: [Int], count: Int) {
        try enter()
        defer { leave() }
        try beginUse()
        let shape = ObjectShape.of(source)
        guard let index = shape.relationships.firstIndex(where: { $0.name == relationship }) else {
            return ([], 0)
        }
        let targets = try named(target, by: pairs.map(\.target))
        let found = pairs.indices.filter { targets[pairs[$0].target] != nil }
        let sources = try named(source, by: found.map { pairs[$0].source })
        var count = 0
        for place in found {
            guard let object = sources[pairs[place].source],
                let other = targets[pairs[place].target]
            else { continue }
            let parts = shape.union(of: index)?.parts ?? index..<index + 1
            for part in parts where isUnloaded(object, part) { try load(part, of: [object]) }
            let held = ObjectGraph.held(by: object, index)
            let isToMany = shape.relationships[index].isToMany
            if held.contains(where: { $0 === other }) || (!isToMany && !held.isEmpty) { continue }
            if let union = shape.union(of: index), shape.part(of: union, to: type(of: other)) == nil
            {
                continue
            }
            ObjectGraph.replace(object, index, with: isToMany ? held + [other] : [other])
            count += 1
        }
        return (found, count)
    }

    /// The objects that some values name, by these.
    private func named<Object: PersistentModel>(
        _ type: Object.Type,
        by keys: [QueryValue]
    ) throws -> [QueryValue: any PersistentModel] {
        let entity = try entity(of: type)
        guard let attribute = ObjectShape.of(type).reference,
            let column = entity.column(of: attribute.keyPath), !keys.isEmpty
        else { return [:] }
        let filter = entity.filter(of: Set(keys).map { [$0] }, in: [column])
        var named: [QueryValue: any PersistentModel] = [:]
        for object in try objects(of: Query(entity, filter: filter)) as [Object] {
            if let key = try documentKey(of: object) { named[key] = object }
        }
        return named
    }
}
