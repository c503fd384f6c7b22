import DovetailModel
import DovetailStore
import Synchronization

/// The relationships of a class, as far as its objects need them without a container: which leads
/// where, and which leads back.
final class ObjectShape: Sendable {
    /// One relationship.
    struct Relationship: Sendable {
        let name: String
        /// The property, as one of the class that declares it: so it is tracked.
        let keyPath: any AnyKeyPath & Sendable
        /// The class that declares it.
        let owner: any PersistentModel.Type
        let target: any PersistentModel.Type
        let isToMany: Bool
        let isOptional: Bool
        let deleteRule: DeleteRule
        /// The relationship of the target that leads back, by its index.
        let inverse: Int?
        /// Whether the rows of the class hold the key of the other object.
        let holdsKey: Bool
        /// The join table, where both sides hold several objects; nil for others.
        let join: JoinColumns?
        /// Whether its objects are part of this one: they are deleted with it.
        var isOwning: Bool { deleteRule == .cascade }
        /// Whether this object is part of the one that it leads to, whose documents have it.
        let isOwned: Bool
        /// How few objects it may hold when it is saved; nil for any number.
        let minimumModelCount: Int?
        /// How many objects it may hold when it is saved; nil for any number.
        let maximumModelCount: Int?
        /// Whether a save asks how many it holds.
        var isCounted: Bool { minimumModelCount != nil || maximumModelCount != nil }
        /// The relationship to a protocol that it is a part of, by its index in ``ObjectShape/unions``.
        let union: Int?
        /// Whether its rows always hold the key of another object.
        var isRequired: Bool { holdsKey && !isOptional && union == nil }
    }

    /// A relationship to objects of all classes that conform to a protocol: one relationship for each.
    struct Union: Sendable {
        /// The protocol.
        let coding: any ProtocolCoding.Type
        /// The type of the objects in Swift, `any Owner`.
        let type: Any.Type
        /// The first of its parts, which says what all of them have in common.
        let first: Relationship
        /// The indexes of the parts.
        let parts: Range<Int>
        /// The slot of its list.
        let place: Int
        var name: String { first.name }
        /// Whether it has to hold an object.
        var isRequired: Bool { !first.isToMany && !first.isOptional }
    }

    let type: any PersistentModel.Type
    /// All relationships; of one to a protocol its parts.
    let relationships: [Relationship]
    /// The relationships to protocols.
    let unions: [Union]
    /// How many slots an object has: those of its relationships, and then of the unions.
    var slotCount: Int { relationships.count + unions.count }
    /// The attribute by which documents name an object of the class: the declared key, or else the
    /// first unique one. Nil where there is none.
    let reference: ModelAttribute?
    /// Whether no two objects have the same `id`.
    let hasUniqueID: Bool
    /// Whether its rows hold the key of an object that has to be there.
    let hasRequired: Bool
    /// Whether a save asks how many objects a relationship holds.
    let isCounted: Bool
    /// The index of the relationship by the slot of its property, of those that the class itself
    /// declares; -1 for an attribute.
    private let indexes: [Int]

    /// The relationship at the slot of a property; the first part of one to a protocol. What a class
    /// inherits has the index that it has in the class above.
    ///
    /// Invariant: generated code asks for the slots of relationships only, all of which are listed.
    func index(at slot: Int, declaredBy owner: any PersistentModel.Type) -> Int {
        owner == type ? indexes[slot] : ObjectShape.of(owner).indexes[slot]
    }

    /// The relationship to a protocol at the slot of a property; nil where no class of the program
    /// conforms.
    func union(at slot: Int, declaredBy owner: any PersistentModel.Type) -> Union? {
        let indexes = owner == type ? indexes : ObjectShape.of(owner).indexes
        guard indexes.indices.contains(slot), indexes[slot] >= 0 else { return nil }
        return relationships[indexes[slot]].union.map { unions[$0] }
    }

    /// The relationship to a protocol that a relationship is a part of; nil for others.
    func union(of index: Int) -> Union? { relationships[index].union.map { unions[$0] } }

    /// Whether a relationship is part of one to a protocol, and not the first one.
    func isLaterPart(_ index: Int) -> Bool {
        union(of: index).map { $0.parts.lowerBound != index } ?? false
    }

    /// The part of a union that leads to a class, or to the one above it that conforms; nil where the class
    /// is none of those that conform.
    func part(of union: Union, to type: any PersistentModel.Type) -> Int? {
        union.parts.first { relationships[$0].target == type }
            ?? union.parts.first { type.inherits(from: relationships[$0].target) }
    }

    /// Whether a relationship has a join table.
    let hasJoins: Bool

    /// Whether objects may be deleted with others of their table, at any depth: those of a tree.
    var deletesItsOwn: Bool {
        var seen: Set<ObjectIdentifier> = []
        func leadsBack(_ shape: ObjectShape, _ path: Set<ObjectIdentifier>) -> Bool {
            let table = shape.type.rootIdentifier
            if path.contains(table) { return true }
            guard seen.insert(table).inserted else { return false }
            return shape.relationships.contains {
                $0.deleteRule == .cascade && leadsBack(.of($0.target), path.union([table]))
            }
        }
        return leadsBack(self, [])
    }

    /// Whether a rule says what becomes of the object whose key a deleted one holds, or a join table, of
    /// this class or of one that is deleted with it, or how many others it may hold. The database knows
    /// the rules for those that hold the key only.
    ///
    /// - Parameter schema: The models among which the classes below a class are.
    func hasRulesOfHolders(in schema: Schema) -> Bool {
        var waiting = [self]
        var seen: Set<ObjectIdentifier> = []
        while let shape = waiting.popLast() {
            let table = (try? schema.entity(shape.type))?.classTable
            for case let below as any PersistentModel.Type in table?.classes ?? []
            where below.inherits(from: shape.type) && seen.insert(ObjectIdentifier(below)).inserted
            {
                waiting.append(.of(below))
            }
            for relationship in shape.relationships {
                if let inverse = relationship.inverse,
                    ObjectShape.of(relationship.target).relationships[inverse].isCounted
                {
                    return true
                }
                if relationship.deleteRule == .nullify { continue }
                let isUnknown = relationship.holdsKey || relationship.join != nil
                if isUnknown, relationship.deleteRule != .noAction { return true }
                let target = ObjectIdentifier(relationship.target)
                if relationship.deleteRule == .cascade, seen.insert(target).inserted {
                    waiting.append(.of(relationship.target))
                }
            }
        }
        return false
    }

    private static let known = Mutex<[ObjectIdentifier: ObjectShape]>([:])

    /// The shape of a class.
    ///
    /// - Complexity: O(1) after the first time.
    static func of(_ type: any PersistentModel.Type) -> ObjectShape {
        let identifier = ObjectIdentifier(type)
        if let shape = known.withLock({ $0[identifier] }) { return shape }
        let shape = ObjectShape(type)
        known.withLock { $0[identifier] = shape }
        return shape
    }

    private init(_ type: any PersistentModel.Type) {
        self.type = type
        let attributes = type.modelAttributes
        hasUniqueID = attributes.contains {
            $0.property == "id" && ($0.isUnique || $0.isPrimaryKey)
        }
        let key = attributes.filter(\.isPrimaryKey)
        reference = key.count == 1 ? key[0] : attributes.first(where: \.isUnique)
        // What is wrong with them is an error of the container. Until then nothing leads back.
        let links = try? ModelRelationships.links(of: type)
        let all = type.modelRelationships
        let inherited = (type.modelSuperclass as? any PersistentModel.Type).map {
            ObjectShape.of($0)
        }
        // Each class counts the slots of its own properties.
        let unionNames = all.reduce(into: [UnionName]()) { names, relationship in
            guard relationship.part != nil else { return }
            let name = UnionName(relationship, in: type)
            if names.last != name { names.append(name) }
        }
        let relationships = all.enumerated().compactMap { index, relationship -> Relationship? in
            // Every class with `@Model` that is a `ManagedModel` is a `PersistentModel`: the macro
            // writes both.
            guard let target = relationship.target as? any PersistentModel.Type else { return nil }
            let link = links?[index]
            return Relationship(
                name: relationship.name,
                keyPath: inherited.flatMap {
                    index < $0.relationships.count ? $0.relationships[index].keyPath : nil
                } ?? relationship.keyPath,
                owner: relationship.owner(in: type) as? any PersistentModel.Type ?? type,
                target: target,
                isToMany: relationship.isToMany,
                isOptional: relationship.isOptional,
                deleteRule: relationship.deleteRule,
                inverse: link?.inverse,
                holdsKey: link?.holdsKey ?? !relationship.isToMany,
                join: link?.join,
                isOwned: relationship.deleteRule != .cascade
                    && link?.inverse.map {
                        target.modelRelationships[$0].deleteRule == .cascade
                    } ?? false,
                minimumModelCount: relationship.minimumModelCount,
                maximumModelCount: relationship.maximumModelCount,
                union: relationship.part == nil
                    ? nil : unionNames.firstIndex(of: UnionName(relationship, in: type))
            )
        }
        self.relationships = relationships
        unions = unionNames.indices.compactMap { index in
            let parts = relationships.indices.filter { relationships[$0].union == index }
            guard let first = parts.first, let part = all[first].part else { return nil }
            return Union(
                coding: part.coding,
                type: part.type,
                first: relationships[first],
                parts: first..<first + parts.count,
                place: relationships.count + index
            )
        }
        hasJoins = relationships.contains { $0.join != nil }
        isCounted = relationships.contains(where: \.isCounted)
        hasRequired =
            relationships.contains(where: \.isRequired) || unions.contains(where: \.isRequired)
        var indexes = Array(repeating: -1, count: (all.map(\.slot).max() ?? -1) + 1)
        for (index, relationship) in all.enumerated().reversed()
        where relationship.owner(in: type) == type.modelClass {
            indexes[relationship.slot] = index
        }
        self.indexes = indexes
    }
}

/// What tells a relationship to a protocol from others: the class that declares it, and its slot there.
private struct UnionName: Equatable {
    let owner: ObjectIdentifier
    let slot: Int

    init(_ relationship: ModelRelationship, in type: any ManagedModel.Type) {
        owner = ObjectIdentifier(relationship.owner(in: type))
        slot = relationship.slot
    }
}

/// What a relationship of an object holds.
enum RelationSlot {
    /// No object.
    case nothing
    /// What the rows of others say, which were not asked.
    case unloaded
    /// The object of a row that was not looked for.
    case key(RowKey)
    /// One object.
    case one(any PersistentModel)
    /// Several objects.
    case many(ObjectListBase)
    /// What is no object that a relationship to a protocol can hold, which a save tells.
    case stranger(Any.Type)
}

/// The place of an object in a relationship that holds several.
struct RelationPlace {
    /// The class of the relationship.
    let owner: ObjectIdentifier
    /// The relationship among those of the class.
    let index: Int
    /// Which object holds it, where no property of this one says so.
    var holder: RelationSlot
    /// Its place in the order; nil before it has one.
    var order: Int64?
}
