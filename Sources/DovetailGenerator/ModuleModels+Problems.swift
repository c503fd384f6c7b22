extension ModuleModels {
    /// A mistake at a place.
    struct Mistake: CustomStringConvertible {
        let place: Place
        let message: String

        var description: String { "\(place): error: \(message)" }
    }

    /// Two conformers of a protocol with one name in documents, and conformers that a closed list
    /// misses. A program would find them when it reads or writes such a document.
    ///
    /// - Complexity: linear in the models, for each protocol.
    var problems: [Mistake] {
        var found: [Mistake] = []
        for (name, known) in protocols.sorted(by: { $0.key < $1.key }) {
            let conformers = models.filter { conforms($0, to: name) }
            found += repeated(conformers, of: name) + missed(conformers, by: known, name)
        }
        // Of a protocol and one that it refines, one mistake is enough.
        var places: Set<String> = []
        return found.filter { places.insert($0.place.description).inserted }
    }

    private func repeated(_ conformers: [Model], of name: String) -> [Mistake] {
        var owners: [String: Model] = [:]
        return conformers.flatMap { model in
            model.names.compactMap { documentName in
                guard let owner = owners.updateValue(model, forKey: documentName) else {
                    return nil
                }
                owners[documentName] = owner
                return Mistake(
                    place: model.place,
                    message: "two conformers of \(name) are called \"\(documentName)\" in "
                        + "documents: \(owner.name) at \(owner.place) is the "
                        + "other one; give one of them @Model(typeName:)"
                )
            }
        }
    }

    private func missed(_ conformers: [Model], by known: Declared, _ name: String) -> [Mistake] {
        guard let list = known.conformers else { return [] }
        let listed = list.map { entry in
            // `Shop.Box<Int>.self`
            let type = entry.hasSuffix(".self") ? String(entry.dropLast(5)) : entry
            return type.prefix { $0 != "<" }.split(separator: ".").map(String.init)
        }
        return conformers.compactMap { model in
            let isListed = listed.contains { entry in
                // Either may say more of what is around the type.
                zip(model.path.reversed(), entry.reversed()).allSatisfy { $0 == $1 }
            }
            if isListed { return nil }
            return Mistake(
                place: model.place,
                message: "\(model.name) conforms to \(name), whose list of conformers misses it; "
                    + "add \(model.name).self there"
            )
        }
    }

    /// Whether a model conforms to a protocol, itself or through one that refines it.
    private func conforms(_ model: Model, to name: String) -> Bool {
        var open = Array(conformances[model.name] ?? [])
        var seen: Set<String> = []
        while let next = open.popLast() {
            if next == name { return true }
            // What conforms to a level has its name there, and not in the protocols above.
            guard seen.insert(next).inserted, protocols[next]?.isLevel != true else { continue }
            open += protocols[next]?.parents ?? []
        }
        return false
    }
}
