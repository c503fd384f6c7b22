public import DovetailModel
public import DovetailStore
import Foundation

extension ModelContext {
    /// Adds an object when the context is saved, and everything that it leads to.
    ///
    /// ```swift
    /// let box = Box(title: "tools")
    /// box.items.append(Item(name: "hammer"))
    /// context.insert(box)
    /// try context.save()      // INSERT INTO "Box" …; INSERT INTO "Item" …
    /// ```
    ///
    /// The object has its ``PersistentModel/persistentModelID`` from then on. One that waits to be
    /// deleted is kept; one that belongs to another context makes the next save throw. One that was deleted,
    /// of a class with `@Model(deletion: .mark)`, brings its row back, with the key that it had. One of this
    /// context whose row others have deleted is new again.
    ///
    /// - Complexity: linear in the number of objects that come with it. Of an object that this context has, and
    ///   whose row others have written since, a look into the index of the key.
    public func insert<Object: PersistentModel>(_ object: Object) {
        guard mayEnter() else { return }
        defer { leave() }
        insertGiven(object)
    }

    /// Deletes an object when the context is saved, and what its delete rules say. It leaves the
    /// relationships that lead back to it at once, and its values can still be read.
    ///
    /// ```swift
    /// context.delete(box)
    /// box.isDeleted           // true
    /// try context.save()      // DELETE FROM "Box" WHERE "$id" = ?1
    /// ```
    ///
    /// - Complexity: linear in the number of objects that refer to it, which are read.
    public func delete<Object: PersistentModel>(_ object: Object) {
        guard mayEnter() else { return }
        defer { leave() }
        if let context = object.persistentBacking.context, context !== self {
            registry.problem = registry.problem ?? ObjectError.ofOtherContext(object)
        }
        deleteObject(object)
    }

    /// The object that has an identifier, if this context has it already. The store is not asked.
    ///
    /// - Complexity: O(number of classes).
    public func registeredModel<Object: PersistentModel>(
        for id: PersistentIdentifier
    ) -> Object? {
        guard let key = id.key, let object = registry.object(Object.self, key) as? Object else {
            return nil
        }
        return type(of: object).isMeant(by: id) ? object : nil
    }

    /// The object that has an identifier: the one of this context, or one made of its row; nil where
    /// there is no row.
    ///
    /// ```swift
    /// let box = context.model(for: id) as? Box
    /// ```
    ///
    /// A row that cannot be read gives nil, and the next fetch or save throws why.
    ///
    /// - Complexity: O(number of classes), and a look into the index of the key.
    public func model(for id: PersistentIdentifier) -> (any PersistentModel)? {
        guard let key = id.key else { return nil }
        processPendingChanges()
        let schema = container.schema
        let types = [schema.bindings, schema.subclasses].lazy.joined().compactMap {
            $0.type as? any PersistentModel.Type
        }
        // An older name may be that of another class by now.
        let named = types.first { $0.typeName == id.entityName }
        guard let type = named ?? types.first(where: { $0.isMeant(by: id) }) else { return nil }
        let found = object(type, key)
        // A key is that of one class.
        return found.flatMap { Swift.type(of: $0).isMeant(by: id) ? $0 : nil }
    }

    /// The objects that wait to be inserted, in the order in which they came.
    public var insertedModelsArray: [any PersistentModel] { registry.insertedObjects }

    /// The objects that were changed since the last save.
    public var changedModelsArray: [any PersistentModel] { registry.changedObjects }

    /// The objects that wait to be deleted.
    public var deletedModelsArray: [any PersistentModel] { registry.deletedObjects }

    // MARK: Inserting and deleting

    /// Inserts, keeps or deletes objects whose class is known at run time only; false for other
    /// models. What a registered object has is saved without further ado.
    @usableFromInline
    func enqueueObjects<Value: Model>(_ verb: WriteVerb, _ values: some Sequence<Value>) -> Bool {
        guard Value.self is any PersistentModel.Type else { return false }
        for case let object as any PersistentModel in values {
            if verb == .delete { deleteObject(object) } else { insertGiven(object) }
        }
        return true
    }

    /// Inserts an object that a program gives. Others may have deleted its row, which makes it a new one.
    private func insertGiven(_ object: any PersistentModel) {
        let backing = object.persistentBacking
        guard backing.context === self, backing.state == .stored || backing.state == .deleted else {
            return insertObject(object)
        }
        // Of other objects nothing is noticed here: a program may be about to change what it has seen of them.
        let isGone = registry.isRowGone(of: object)
        if isGone { processPendingChanges() }
        // One that waited to be deleted is kept, and read as others have left it.
        insertObject(object)
        registry.rereadKept(object)
        if !isGone { return }
        processPendingChanges()
        registry.giveUpRow(of: object)
        insertObject(object)
    }

    /// Inserts an object, and those that it leads to.
    ///
    /// - Parameter key: The key that it gets; nil for a new one.
    func insertObject(_ first: any PersistentModel, _ key: RowKey? = nil) {
        var waiting = [first]
        var new: [(object: any PersistentModel, isAgain: Bool)] = []
        let registry = registry
        while let object = waiting.popLast() {
            let backing = object.persistentBacking
            if let context = backing.context {
                if context !== self {
                    registry.problem = ObjectError.ofOtherContext(object)
                } else if backing.state == .deleted {
                    registry.keep(object)
                    ObjectGraph.restore(object)
                }
                continue
            }
            do {
                try requireLargeValues(of: object)
            } catch {
                registry.problem = registry.problem ?? error
                continue
            }
            let isAgain = backing.key != nil
            let marked = backing.batch?.marked?.container == container ? backing.batch : nil
            if marked == nil { backing.forgetRow() }
            do {
                let known = marked == nil ? object === first ? key : nil : backing.key
                registry.insert(object, try newKey(of: object, known: known))
                if let marked {
                    backing.batch = marked
                    ObjectGraph.bringBack(object, in: self)
                }
            } catch {
                registry.problem = registry.problem ?? error
                continue
            }
            // What leads to it is found by no setter.
            if isAgain || marked != nil { registry.moved.noteAny() }
            let shape = backing.shape(of: object)
            if isAgain || shape.hasJoins { new.append((object, isAgain)) }
            for slot in backing.slots {
                switch slot {
                case .one(let other):
                    registry.noteMoved(other)
                    // Most others are the object that this one was reached from.
                    let known = other.persistentBacking
                    if known.context !== self || known.state == .deleted { waiting.append(other) }
                case .many(let list):
                    for member in list.all.reversed() {
                        registry.noteMoved(member)
                        waiting.append(member)
                    }
                // Who has it is found by no setter.
                case .key: registry.moved.noteAny()
                case .nothing, .unloaded, .stranger: break
                }
            }
            for union in shape.unions {
                if case .stranger(let type) = backing.slots[union.place] {
                    registry.problem = registry.problem ?? ObjectError.stranger(type, union, object)
                }
            }
        }
        for (object, isAgain) in new {
            if isAgain, object.persistentBacking.batch?.marked == nil {
                ObjectGraph.relink(object)
            }
            ObjectGraph.linkLists(of: object, isAgain: isAgain)
        }
    }

    /// The key that the row of a new object will have.
    ///
    /// - Parameter known: That of its row which is marked, and comes back.
    func newKey<Object: PersistentModel>(of object: Object, known: RowKey? = nil) throws -> RowKey {
        let entity = try entity(of: type(of: object))
        if entity.hasHiddenKey {
            if let known { return known }
            return .integer(container.hiddenKeys.next())
        }
        // The class of the object may be below the one that it is seen as here.
        let row = try entity.classTable == nil ? entity.keyRow(of: object) : row(of: object)
        return try RowKey(row: row, entity: entity)
    }

    /// Deletes an object whose class is known at run time only, when the context is saved.
    ///
    /// - Parameter kept: Objects that are not deleted with it, whatever the rules say: they leave it.
    package func delete(
        anyObject object: any PersistentModel,
        keeping kept: Set<ObjectIdentifier> = []
    ) {
        deleteObject(object, keeping: kept)
    }

    func deleteObject(_ object: any PersistentModel, keeping kept: Set<ObjectIdentifier> = []) {
        var waiting = [object]
        while let object = waiting.popLast() {
            let backing = object.persistentBacking
            guard backing.context === self, !backing.state.isDeleted else { continue }
            readLargeValues(of: [object])
            let shape = backing.shape(of: object)
            // What leads to the object, while it can still be found.
            var members: [(relationship: Int, objects: [any PersistentModel])] = []
            for (index, relationship) in shape.relationships.enumerated() {
                if relationship.isToMany {
                    members.append((index, ObjectGraph.list(object, index).all))
                } else if relationship.inverse != nil || relationship.deleteRule == .cascade {
                    let other = ObjectGraph.one(object, index)
                    let rivals = ObjectGraph.rivals(of: object, index).filter { $0 !== other }
                    members.append((index, (other.map { [$0] } ?? []) + rivals))
                }
            }
            // A new one leaves the context.
            let holders = ObjectGraph.holders(of: object)
            registry.delete(object)
            for (holder, index) in holders {
                ObjectGraph.forget(object, in: holder, index)
            }
            for (index, all) in members {
                let objects = all.filter { $0 !== object }
                let relationship = shape.relationships[index]
                switch relationship.deleteRule {
                // What is deleted with it still says where it was.
                case .cascade:
                    var going = objects
                    if !kept.isEmpty {
                        going.removeAll { kept.contains(ObjectIdentifier($0)) }
                        for other in objects where kept.contains(ObjectIdentifier(other)) {
                            ObjectGraph.leave(other, index, of: object)
                        }
                    }
                    readLargeValues(of: going)
                    waiting += going
                case .nullify:
                    for other in objects {
                        ObjectGraph.leave(other, index, of: object)
                        if relationship.join != nil { continue }
                        registry.noteRelease(other, index, of: object)
                    }
                // A join table keeps nothing of what is deleted.
                case .noAction where relationship.join != nil:
                    for other in objects { ObjectGraph.leave(other, index, of: object) }
                // Whether there are still some is asked when it is saved.
                case .deny, .noAction: break
                }
            }
        }
    }

    // MARK: Finding

    /// The object of a key, if this context has it.
    func registeredObject(
        _ type: any PersistentModel.Type,
        _ key: RowKey
    ) -> (any PersistentModel)? {
        registry.object(type, key)
    }

    /// The object of a key, read where this context does not have it. An error is thrown by the next
    /// fetch or save.
    func object(_ type: any PersistentModel.Type, _ key: RowKey) -> (any PersistentModel)? {
        if let known = registry.object(type, key) { return known }
        func read<Object: PersistentModel>(_ type: Object.Type) throws -> Object? {
            let entity = try entity(of: type)
            let query = Query(entity, filter: entity.filter(of: [key.values]))
            return try (objects(of: query, deferring: true) as [Object]).first
        }
        do {
            return try read(type)
        } catch {
            registry.problem = registry.problem ?? error
            return nil
        }
    }

    /// The objects of the rows of a query.
    ///
    /// - Parameter isDeferring: Whether they may be without large values until these are read.
    /// - Throws: what a fetch throws.
    func objects<Object: PersistentModel>(
        of query: Query,
        deferring isDeferring: Bool = false
    ) throws -> [Object] {
        var query = query
        if isDeferring { query.deferLargeValues() }
        return try withRows(of: query, Object.self) { cursor, entity in
            var objects: [Object] = []
            try readRows(of: Object.self, from: cursor, entity, into: &objects)
            return objects
        }
    }
}

extension PersistentModel {
    /// Whether an identifier is one of the class: it has its name, or an older one, since programs keep identifiers.
    fileprivate static func isMeant(by id: PersistentIdentifier) -> Bool {
        typeName == id.entityName || typeAliases.contains(id.entityName)
    }
}
