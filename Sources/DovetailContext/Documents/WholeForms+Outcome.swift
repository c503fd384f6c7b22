import DovetailModel
package import DovetailStore

/// What a merge has to know of the rows of wholes, when it is decided what becomes of these.
package struct WholeOutcome {
    /// The objects that go.
    package var leaving: [any PersistentModel] = []
    /// The names of their rows.
    package var gone: [RowName] = []
    /// The rows that stay inside.
    package var staying: [RowName] = []
    /// Those of them that were changed here and are what the document says when it is there, with what they are now.
    package var settled: [(name: RowName, row: RowImage)] = []
    /// What the other side has of rows; nil for none.
    package var given: [RowName: [QueryValue]?] = [:]
    /// The keys that the other side has in columns of the objects around, and the rows of these as they are here.
    package var keys: [(name: RowName, column: Int, key: QueryValue, row: [QueryValue]?)] = []
}

/// What the context has to change where wholes become those of the document.
struct TakenWholes {
    /// What relationships will hold, each after the one around it.
    var links: [DocumentMerge.Link] = []
    /// The same of those of objects that are the same on both sides, which come into the order of the document. Each has
    /// the position of the whole that it is in: that tells it.
    fileprivate(set) var orders: [(link: DocumentMerge.Link, whole: Int)] = []
    /// The objects to be inserted.
    var new: [DocumentGraph.Node] = []
    /// Those that are there, and get what the document says.
    var known: [DocumentGraph.Node] = []
    /// Objects that are inside of others now, and will not be, with these and the relationships.
    fileprivate(set) var leaving: [DocumentMerge.Link] = []
    /// The objects of the context that stay inside of wholes.
    fileprivate(set) var kept: Set<ObjectIdentifier> = []
    /// The positions of the objects here that stay or go.
    fileprivate var candidates: [Int] = []
}

/// A relationship on both sides, by the positions of the objects in it.
private struct Relation {
    let object: any PersistentModel
    let index: Int
    let there: [Int]
    let here: [Int]
    let whole: Int
    /// Whether both have the same, but for the order.
    var isSame = false
}

extension WholeForms {
    /// What is to be done where some wholes become those of the document. Objects that are the same on both sides, with
    /// all inside of them, stay the objects that they are, and so do those with a name.
    ///
    /// - Parameter inOrder: Whether what is inside of those that stay comes into the order of the document, too.
    /// - Complexity: linear in the number of the objects of both sides.
    func taken(_ places: Set<Int>, inOrder: Bool = false) -> TakenWholes {
        var all = TakenWholes()
        var waiting: [Relation] = []
        for place in places.sorted() {
            let link = wholes[place].link
            all.candidates += here.members[place]
            waiting.append(
                Relation(
                    object: link.object,
                    index: link.index,
                    there: there.roots[place],
                    here: here.roots[place],
                    whole: place
                )
            )
        }
        var next = 0
        while next < waiting.count {
            let relation = waiting[next]
            next += 1
            /// Goes on with what is inside of an object.
            func goInside(_ object: any PersistentModel, _ position: Int, _ own: Int?, isSame: Bool)
            {
                for case (let index, .owned) in nodes[position].fields {
                    waiting.append(
                        Relation(
                            object: object,
                            index: index,
                            there: there.children(of: position, in: index),
                            here: own.map { here.children(of: $0, in: index) } ?? [],
                            whole: relation.whole,
                            isSame: isSame
                        )
                    )
                }
            }
            var free: [Int: [Int]] = [:]
            for position in relation.here.reversed() {
                free[here.parts[position].number, default: []].append(position)
            }
            var others: [any PersistentModel] = []
            for position in relation.there {
                let same = free[there.parts[position].number]?.popLast()
                if let same, let object = here.parts[same].object {
                    others.append(object)
                    keep(same, &all)
                    if inOrder { goInside(object, position, same, isSame: true) }
                    continue
                }
                let node = nodes[position]
                others.append(node.object)
                let own = positions[ObjectIdentifier(node.object)]
                if node.object === node.alone {
                    all.new.append(node)
                } else {
                    all.known.append(node)
                    all.kept.insert(ObjectIdentifier(node.object))
                    if let own { stay(own, there.parts[position].silent, &all) }
                }
                goInside(node.object, position, own, isSame: false)
            }
            let link = DocumentMerge.Link(
                object: relation.object,
                index: relation.index,
                others: others
            )
            if relation.isSame {
                all.orders.append((link, relation.whole))
            } else {
                all.links.append(link)
            }
        }
        for position in all.candidates {
            let part = here.parts[position]
            guard let object = part.object, !all.kept.contains(ObjectIdentifier(object)),
                let parent = part.parent.flatMap({ here.parts[$0].object })
            else { continue }
            let link = DocumentMerge.Link(object: parent, index: part.index, others: [object])
            all.leaving.append(link)
        }
        return all
    }

    private func keep(_ position: Int, _ all: inout TakenWholes) {
        for inside in here.all(inside: position) {
            if let object = here.parts[inside].object { all.kept.insert(ObjectIdentifier(object)) }
        }
    }

    /// Keeps an object with a name, and what it has in lists of which the document says nothing.
    private func stay(_ position: Int, _ silent: Set<Int>, _ all: inout TakenWholes) {
        if here.parts[position].whole == nil { all.candidates += here.all(inside: position) }
        for child in here.parts[position].children where silent.contains(here.parts[child].index) {
            keep(child, &all)
        }
    }

    /// What is to be known of rows.
    ///
    /// - Parameter others: The objects of the document that are not inside of wholes.
    /// - Complexity: linear in the number of the objects of all forms.
    /// - Throws: ``ModelEncodingError`` for an attribute that has no form in a column.
    func outcome(
        _ choices: WholeChoices,
        _ merge: DocumentMerge,
        besides others: Set<RowName>
    ) throws -> WholeOutcome {
        var all = taken(choices.taken)
        var outcome = WholeOutcome()
        var names: Set<RowName> = []
        for place in choices.same {
            for position in here.roots[place] { keep(position, &all) }
            all.candidates += here.members[place]
        }
        // What is in lists of which the document says nothing is left as it is known.
        var silent: Set<Int> = []
        var gone = choices.same.union(choices.taken).flatMap { before.members[$0] }
        for node in all.known + all.new {
            guard let name = try merge.name(of: node.object),
                let position = before.positions[name], let said = there[name]
            else { continue }
            let part = before.parts[position]
            for child in part.children where said.silent.contains(before.parts[child].index) {
                silent.formUnion(before.all(inside: child))
            }
            if part.whole == nil { gone += before.all(inside: position) }
        }
        for position in gone where !silent.contains(position) {
            names.insert(before.parts[position].name)
        }
        for position in Set(all.candidates).sorted() {
            let part = here.parts[position]
            names.insert(part.name)
            guard let object = part.object, !all.kept.contains(ObjectIdentifier(object)) else {
                continue
            }
            if others.contains(part.name) {
                for holder in try reader.about(part.type).holders
                where part.row[holder] != .null {
                    outcome.keys.append((part.name, holder, .null, nil))
                }
                continue
            }
            outcome.leaving.append(object)
            outcome.gone.append(part.name)
        }
        for name in names { outcome.given[name] = .some(nil) }
        for place in choices.noted { try note(place, merge, &outcome) }
        for part in here.parts {
            guard let object = part.object, all.kept.contains(ObjectIdentifier(object)) else {
                continue
            }
            outcome.given[part.name] = nil
            outcome.staying.append(part.name)
            if merge.bases?[part.name] != nil {
                outcome.settled.append((part.name, RowImage(part.row)))
            }
        }
        // Those that come back have the rows that they had.
        for node in all.new {
            if let name = try merge.name(of: node.object) { outcome.given[name] = nil }
        }
        for name in others { outcome.given[name] = nil }
        for (place, link) in zip(choices.taken.sorted(), all.links) {
            try setKey(place, to: link.others.first.flatMap(merge.name), nil, &outcome)
        }
        for place in choices.same {
            setKey(place, to: here.roots[place].first.map { here.parts[$0].name }, nil, &outcome)
        }
        return outcome
    }

    /// Notes what the other side has in a whole that stays what it is here: rows that are not here, with the keys
    /// that they would have.
    private func note(
        _ place: Int,
        _ merge: DocumentMerge,
        _ outcome: inout WholeOutcome
    ) throws {
        var free: [Int: [Int]] = [:]
        for position in before.roots[place].reversed() {
            // What has another row by now is noted by that.
            let isReplaced =
                !merge.replaced.isEmpty
                && before.all(inside: position).contains {
                    merge.replaced[before.parts[$0].name] != nil
                }
            if isReplaced { continue }
            free[before.parts[position].number, default: []].append(position)
        }
        let same = there.roots[place].map { free[there.parts[$0].number]?.popLast() }
        let orders = same.map { $0.flatMap { order(of: before.parts[$0], place) } }
        // New ones come after the one before them, and first ones before all others.
        var last = (orders.lazy.compactMap { $0 }.min() ?? 0) &- Int64(orders.count)
        var stays: Set<Int> = []
        var elsewhere: [Int] = []
        var given: [RowName: [QueryValue]] = [:]
        for ((root, same), order) in zip(zip(there.roots[place], same), orders) {
            if let same {
                stays.formUnion(before.all(inside: same))
                last = order ?? last
                continue
            }
            for position in there.all(inside: root) {
                let part = there.parts[position]
                given[part.name] = part.row
                guard let known = before.positions[part.name] else { continue }
                for child in before.parts[known].children {
                    let inside = before.all(inside: child)
                    if part.silent.contains(before.parts[child].index) {
                        stays.formUnion(inside)
                    } else if before.parts[known].whole == nil {
                        elsewhere += inside
                    }
                }
            }
            last &+= 1
            let name = there.parts[root].name
            if let column = lists[place].target(name.table)?.order {
                given[name]?[column] = .integer(last)
            }
        }
        for position in before.members[place] + elsewhere where !stays.contains(position) {
            outcome.given[before.parts[position].name] = .some(nil)
        }
        for (name, row) in given { outcome.given[name] = row }
        let owner = wholes[place].link.object
        var row: [QueryValue]?
        if owner.persistentBacking.context === merge.context {
            row = try merge.context.table(of: type(of: owner))
                .values(of: merge.context.image(of: owner))
        }
        let first = there.roots[place].first.map { there.parts[$0].name }
        let known = same.first.flatMap { $0 }.map { before.parts[$0].name }
        setKey(place, to: known ?? first, row, &outcome)
    }

    /// The place of an outermost part among the others.
    private func order(of part: WholeForest.Part, _ place: Int) -> Int64? {
        guard let column = lists[place].target(part.name.table)?.order,
            case .integer(let order) = part.row[column]
        else { return nil }
        return order
    }

    /// Notes which key the other side has in the row of the object around a whole, where that holds one.
    private func setKey(
        _ place: Int,
        to name: RowName?,
        _ row: [QueryValue]?,
        _ outcome: inout WholeOutcome
    ) {
        for target in lists[place].targets {
            guard let own = target.own else { continue }
            let key = name?.table == target.entity.table ? name?.key.values.first : nil
            outcome.keys.append((owners[place], own, key ?? .null, row))
        }
    }
}
