import DovetailModel
import DovetailStore

// Relationships to objects of all classes that conform to a protocol. Each of their parts, one for each
// class, is a relationship like others; what follows makes one of them.

extension ObjectGraph {
    // MARK: One

    /// The object that a relationship to one holds.
    static func one(
        _ object: any PersistentModel,
        _ union: ObjectShape.Union
    ) -> (any PersistentModel)? {
        for part in union.parts {
            if let other = one(object, part) { return other }
        }
        return nil
    }

    /// Whether a relationship to one holds an object, which is not read for that.
    static func isEmpty(_ object: any PersistentModel, _ union: ObjectShape.Union) -> Bool {
        union.parts.allSatisfy { part in
            switch object.persistentBacking.slots[part] {
            case .nothing: true
            case .unloaded: one(object, part) == nil
            case .key, .one, .many, .stranger: false
            }
        }
    }

    /// Puts an object, or none, into a relationship to one.
    static func set(
        _ object: any PersistentModel,
        _ union: ObjectShape.Union,
        to new: (any PersistentModel)?
    ) {
        let backing = object.persistentBacking
        let shape = backing.shape(of: object)
        let place = new.flatMap { shape.part(of: union, to: type(of: $0)) }
        if let new, place == nil { return refuse(type(of: new), object, union) }
        backing.slots[union.place] = .nothing
        for part in union.parts where part != place { clear(object, part) }
        if let place { set(object, place, to: new) }
    }

    /// Notes that a relationship was given what it cannot hold.
    static func refuse(
        _ type: Any.Type,
        _ object: any PersistentModel,
        _ union: ObjectShape.Union
    ) {
        let backing = object.persistentBacking
        guard let context = backing.context else {
            // It is told when the object is inserted.
            backing.slots[union.place] = .stranger(type)
            return
        }
        let problem = ObjectError.stranger(type, union, object)
        context.registry.problem = context.registry.problem ?? problem
    }

    /// Takes the object out of a relationship, if it holds one.
    private static func clear(_ object: any PersistentModel, _ index: Int) {
        if case .nothing = object.persistentBacking.slots[index] { return }
        set(object, index, to: nil)
    }

    /// Takes the objects out of the other parts of a relationship to one, of which one part gets an
    /// object.
    static func clearOthers(of index: Int, of object: any PersistentModel) {
        let shape = object.persistentBacking.shape(of: object)
        let relationship = shape.relationships[index]
        guard let union = relationship.union, !relationship.isToMany else { return }
        for part in shape.unions[union].parts where part != index { clear(object, part) }
    }

    // MARK: Several

    /// The objects that a relationship to several holds.
    ///
    /// - Complexity: at most one query for each class, the first time. Later it is O(number of
    ///   classes), and linear in the number of objects where they have changed.
    static func list<Value>(
        _ object: any PersistentModel,
        _ union: ObjectShape.Union,
        of type: Value.Type
    ) -> UnionList<Value> {
        let lists = union.parts.map { ObjectGraph.list(object, $0) }
        var known: UnionList<Value>?
        if case .many(let list) = object.persistentBacking.slots[union.place] {
            // Invariant: the union has the type of the property, of which the list was made.
            let list = unsafeDowncast(list, to: UnionList<Value>.self)
            if list.isCurrent(lists) || addAppended(to: list, lists, object, union) { return list }
            known = list
        }
        let list = known ?? UnionList<Value>()
        let backing = object.persistentBacking
        let ended = backing.context == nil ? backing.batch?.ended : nil
        let order = known?.all ?? ended?.members(of: object, union, type)
        let all = merged(object, union, lists, known: order ?? [])
        list.reset(all.compactMap { $0 as? Value }, of: lists)
        object.persistentBacking.slots[union.place] = .many(list)
        return list
    }

    /// Puts what the parts have got at their ends where its place is in the list of all: to make that anew takes as
    /// long as all of it.
    ///
    /// - Returns: false where something else has changed, or an object has no place yet.
    /// - Complexity: logarithmic in the number of objects for each new one, but for moving those behind it.
    private static func addAppended<Value>(
        to list: UnionList<Value>,
        _ lists: [ObjectListBase],
        _ object: any PersistentModel,
        _ union: ObjectShape.Union
    ) -> Bool {
        guard let added = list.appended(in: lists) else { return false }
        let shape = object.persistentBacking.shape(of: object)
        let first = union.parts.lowerBound
        for (offset, member) in added {
            let part = first + offset
            guard let value = member as? Value, let place = place(of: member, object, part) else {
                return false
            }
            var (low, high) = (0, list.values.count)
            while low < high {
                let middle = (low + high) / 2
                guard let other = UnionList.object(list.values[middle]),
                    let otherPart = shape.part(of: union, to: type(of: other)),
                    let otherPlace = Self.place(of: other, object, otherPart)
                else { return false }
                if (otherPlace, otherPart) <= (place, part) {
                    low = middle + 1
                } else {
                    high = middle
                }
            }
            list.insert(value, at: low, of: member)
        }
        list.didTake(lists)
        return true
    }

    /// The objects of the parts in one order: that of their places. Those that have none, as in a join
    /// table of which no context knows yet, stay in the order in which they were.
    private static func merged(
        _ object: any PersistentModel,
        _ union: ObjectShape.Union,
        _ lists: [ObjectListBase],
        known: [any PersistentModel]
    ) -> [any PersistentModel] {
        let filled = lists.filter { $0.count > 0 }
        if filled.count < 2 { return filled.first?.all ?? [] }
        var all: [(member: any PersistentModel, place: Int64?)] = []
        for (part, list) in zip(union.parts, lists) {
            for member in list.all { all.append((member, place(of: member, object, part))) }
        }
        if all.allSatisfy({ $0.place != nil }) {
            let order = all.indices.sorted { left, right in
                let places = (all[left].place ?? .min, all[right].place ?? .min)
                return places.0 == places.1 ? left < right : places.0 < places.1
            }
            return order.map { all[$0].member }
        }
        var order: [ObjectIdentifier: Int] = [:]
        for (position, member) in known.enumerated() { order[ObjectIdentifier(member)] = position }
        let positions = all.enumerated().map { index, part in
            order[ObjectIdentifier(part.member)] ?? known.count + index
        }
        return all.indices.sorted { positions[$0] < positions[$1] }.map { all[$0].member }
    }

    /// The place of an object in a part of a relationship to several; nil where it has none yet.
    private static func place(
        of member: any PersistentModel,
        _ object: any PersistentModel,
        _ part: Int
    ) -> Int64? {
        let backing = object.persistentBacking
        let relationship = backing.shape(of: object).relationships[part]
        guard let join = relationship.join else {
            return member.persistentBacking.order(relationship.owner, part)
        }
        return backing.context?.registry.joins.link(join, object, member)
            .flatMap { join.place($0.places) }
    }

    /// Puts objects into a relationship to several, in the place of those that it holds.
    static func set<Value>(
        _ object: any PersistentModel,
        _ union: ObjectShape.Union,
        toAll values: [Value]
    ) {
        let backing = object.persistentBacking
        let shape = backing.shape(of: object)
        let list = ObjectGraph.list(object, union, of: Value.self)
        // As in a relationship to one class.
        if OpenInitializers.current != nil {
            for value in values[list.common(with: values).count...] {
                UnionList.object(value)?.linkOnce()
            }
        }
        let common = list.common(with: values)
        var (once, added): ([Value], [any PersistentModel]) = ([], [])
        if common.isAll {
            var parts: [Int: [any PersistentModel]] = [:]
            var seen: Set<ObjectIdentifier> = []
            for value in values[common.count...] {
                guard let (member, part) = Self.member(value, object, union, shape) else {
                    continue
                }
                guard !list.contains(member), seen.insert(ObjectIdentifier(member)).inserted else {
                    continue
                }
                parts[part, default: []].append(member)
                added.append(member)
                once.append(value)
            }
            for part in union.parts {
                if let new = parts[part] { append(new, to: object, part) }
            }
            let all = common.count + once.count
            once = all == values.count ? values : Array(values[..<common.count]) + once
        } else {
            var parts: [Int: [any PersistentModel]] = [:]
            var seen: Set<ObjectIdentifier> = []
            for value in values {
                guard let (member, part) = Self.member(value, object, union, shape),
                    seen.insert(ObjectIdentifier(member)).inserted
                else { continue }
                parts[part, default: []].append(member)
                once.append(value)
            }
            for part in union.parts { replace(with: parts[part] ?? [], of: object, part) }
        }
        let lists = union.parts.map { ObjectGraph.list(object, $0) }
        if common.isAll {
            list.append(once, added, of: lists)
        } else {
            list.reset(once, of: lists)
        }
        backing.slots[union.place] = .many(list)
        let all = list.values
        arrange(object, union, all.count, from: common.count) { UnionList.object(all[$0]) }
    }

    /// The object that a value is, and the part of the relationship that holds such; nil for what is
    /// none.
    private static func member<Value>(
        _ value: Value,
        _ object: any PersistentModel,
        _ union: ObjectShape.Union,
        _ shape: ObjectShape
    ) -> (any PersistentModel, Int)? {
        if let member = UnionList.object(value),
            let part = shape.part(of: union, to: type(of: member))
        {
            return isGone(member) && !isGone(object) ? nil : (member, part)
        }
        refuse(type(of: value as Any), object, union)
        return nil
    }

    /// Puts objects into one part, in the place of those that it holds.
    private static func replace(
        with members: [any PersistentModel],
        of object: any PersistentModel,
        _ part: Int
    ) {
        func typed<Object: PersistentModel>(_ type: Object.Type) {
            // Invariant: the caller has chosen the part by the class of the objects.
            set(object, part, toAll: members.map { unsafeDowncast($0, to: Object.self) })
        }
        let target = object.persistentBacking.shape(of: object).relationships[part].target
        _openExistential(target, do: typed)
    }

    /// Adds objects to one part.
    private static func append(
        _ members: [any PersistentModel],
        to object: any PersistentModel,
        _ part: Int
    ) {
        func typed<Object: PersistentModel>(_ type: Object.Type) {
            // Invariant: as above, and the shape has the class of the part's list.
            let list = unsafeDowncast(
                ObjectGraph.list(object, part),
                to: ObjectList<Object>.self
            )
            let new = members.map { unsafeDowncast($0, to: Object.self) }
            set(object, part, toAll: list.objects + new)
        }
        let target = object.persistentBacking.shape(of: object).relationships[part].target
        _openExistential(target, do: typed)
    }

    /// Gives the objects of all parts places that are in one order.
    ///
    /// - Parameters:
    ///   - start: The first one that may have moved.
    ///   - member: The object at a position.
    private static func arrange(
        _ object: any PersistentModel,
        _ union: ObjectShape.Union,
        _ count: Int,
        from start: Int,
        member: (Int) -> (any PersistentModel)?
    ) {
        let shape = object.persistentBacking.shape(of: object)
        func found(_ position: Int) -> (object: any PersistentModel, part: Int)? {
            guard let member = member(position),
                let part = shape.part(of: union, to: type(of: member))
            else { return nil }
            return (member, part)
        }
        RelationOrder.arrange(count, from: start) { position in
            found(position).flatMap { place(of: $0.object, object, $0.part) }
        } place: { position, place in
            guard let (member, part) = found(position) else { return }
            guard let join = shape.relationships[part].join else {
                markChanged(member)
                return member.persistentBacking.setOrder(place, union.first.owner, part)
            }
            guard let registry = object.persistentBacking.context?.registry,
                let link = registry.joins.link(join, object, member)
            else { return }
            markChanged(object)
            registry.joins.touch(link, join)
            join.setPlace(place, of: link)
        }
    }

    /// The lists of an object over several classes in their order, of those that have a join table. It
    /// is known before links are made, which have places of their own.
    static func joinedOrders(
        of object: any PersistentModel
    ) -> [(union: ObjectShape.Union, members: [any PersistentModel])] {
        let backing = object.persistentBacking
        let shape = backing.shape(of: object)
        return shape.unions.compactMap { union in
            guard union.first.isToMany,
                union.parts.contains(where: { shape.relationships[$0].join != nil })
            else { return nil }
            var known: [any PersistentModel] = []
            if case .many(let list) = backing.slots[union.place] { known = list.all }
            let lists = union.parts.map { ObjectGraph.list(object, $0) }
            return (union, merged(object, union, lists, known: known))
        }
    }

    /// Gives the objects of such lists places that are in their order.
    static func arrange(
        _ object: any PersistentModel,
        _ orders: [(union: ObjectShape.Union, members: [any PersistentModel])]
    ) {
        for (union, members) in orders {
            arrange(object, union, members.count, from: 0) { members[$0] }
        }
    }
}
