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
    }

    let type: any PersistentModel.Type
    let relationships: [Relationship]
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

    /// The relationship at the slot of a property. What a class inherits has the index that it has in the
    /// class above.
    ///
    /// Invariant: generated code asks for the slots of relationships only, all of which are listed.
    func index(at slot: Int, declaredBy owner: any PersistentModel.Type) -> Int {
        owner == type ? indexes[slot] : ObjectShape.of(owner).indexes[slot]
    }

    /// Whether a relationship has a join table.
    let hasJoins: Bool

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
        relationships = all.enumerated().compactMap { index, relationship in
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
                maximumModelCount: relationship.maximumModelCount
            )
        }
        hasJoins = relationships.contains { $0.join != nil }
        isCounted = relationships.contains(where: \.isCounted)
        hasRequired = relationships.contains { $0.holdsKey && !$0.isOptional }
        var indexes = Array(repeating: -1, count: (all.map(\.slot).max() ?? -1) + 1)
        for (index, relationship) in all.enumerated()
        where relationship.owner(in: type) == type.modelClass {
            indexes[relationship.slot] = index
        }
        self.indexes = indexes
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
