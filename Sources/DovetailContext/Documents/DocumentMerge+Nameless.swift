import DovetailModel

extension DocumentMerge {
    /// Lets objects inside of others, of a class that has names and without one of their own, be those that are inside
    /// already, one after the other: nothing else tells them from new ones.
    ///
    /// - Complexity: linear in the number of objects; a query for each list with such objects that was not loaded.
    /// - Throws: what a fetch throws, and ``ModelEncodingError`` for a name that has no form in a column.
    func findNameless() throws {
        for node in nodes where node.object !== node.alone {
            for case (let index, .owned(let children)) in node.fields {
                let nameless = try children.filter(isNameless)
                if nameless.isEmpty { continue }
                var free = try ObjectGraph.held(by: node.object, index).filter { object in
                    try isNameless(object)
                }
                for child in nameless {
                    let place = free.firstIndex { type(of: $0) == type(of: child.alone) }
                    if let place { child.object = free.remove(at: place) }
                }
            }
        }
    }

    private func isNameless(_ node: Node) throws -> Bool {
        try node.object === node.alone && isNameless(node.alone)
    }

    private func isNameless(_ object: any PersistentModel) throws -> Bool {
        try ObjectShape.of(type(of: object)).reference != nil
            && context.documentKey(of: object) == nil
    }
}
