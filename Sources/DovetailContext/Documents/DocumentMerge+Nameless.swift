import DovetailModel
import DovetailStore

extension DocumentMerge {
    /// Lets objects inside of others, of a class that has names and without one of their own, be those that are inside
    /// already, one after the other: nothing else tells them from new ones.
    ///
    /// - Complexity: linear in the number of objects; a query for each list with such objects that was not loaded.
    /// - Throws: what a fetch throws, and ``ModelEncodingError`` for a name that has no form in a column.
    func findNameless() throws {
        var taken = Set(nodes.lazy.map { ObjectIdentifier($0.object) })
        for node in nodes where node.object !== node.alone {
            for case (let index, .owned(let children)) in node.fields {
                let nameless = try children.filter { child in
                    try child.object === child.alone && isNamed(type(of: child.alone))
                        && context.documentKey(of: child.alone) == nil
                }
                if nameless.isEmpty { continue }
                var free = try ObjectGraph.held(by: node.object, index).filter { object in
                    try !taken.contains(ObjectIdentifier(object)) && wasNameless(object)
                }
                for child in nameless {
                    let place = free.firstIndex { type(of: $0) == type(of: child.alone) }
                    guard let place else { continue }
                    child.object = free.remove(at: place)
                    taken.insert(ObjectIdentifier(child.object))
                }
            }
        }
    }

    private func isNamed(_ type: any PersistentModel.Type) -> Bool {
        ObjectShape.of(type).reference != nil
    }

    /// Whether an object had no name when a document brought it last.
    private func wasNameless(_ object: any PersistentModel) throws -> Bool {
        guard isNamed(type(of: object)) else { return false }
        if let name = try context.rowName(of: object), let base = bases?[name] {
            return isNameless(base, in: name.table)
        }
        return try context.documentKey(of: object) == nil
    }

    /// Whether a row is one of a class that has names, and had none itself.
    func isNameless(_ base: BaseRow, in table: String) -> Bool {
        guard let type = entity(of: table)?.type as? any PersistentModel.Type,
            let column = try? context.nameColumn(of: type)
        else { return false }
        return base.values.map { $0[column] == .null } ?? false
    }
}
