import DovetailModel

/// The objects of a relationship to a protocol that holds several, in their order, as `any P`.
///
/// The lists of its parts say what it holds. It is made of them anew where one of them has changed.
final class UnionList<Value>: ObjectListBase {
    private(set) var values: [Value] = []
    /// The same once more, while they are handed out and after that, to compare what comes back with;
    /// nil until then.
    private var known: [Value]?
    /// The same as a set; nil until somebody asks.
    private var members: Set<ObjectIdentifier>?
    /// The lists of the parts, and their versions when this one was made of them.
    private var sources: [(list: ObjectListBase, version: Int)] = []

    override var count: Int { values.count }
    override var all: [any PersistentModel] { (known ?? values).compactMap(UnionList.object) }

    /// A value as the object that it is; nil for what is none.
    static func object(_ value: Value) -> (any PersistentModel)? { value as? any PersistentModel }

    /// Whether it was made of lists as they are now.
    func isCurrent(_ lists: [ObjectListBase]) -> Bool {
        guard sources.count == lists.count else { return false }
        return zip(sources, lists).allSatisfy { $0.list === $1 && $0.version == $1.version }
    }

    /// Takes other objects, which are those of some lists.
    func reset(_ values: [Value], of lists: [ObjectListBase]) {
        self.values = values
        known = nil
        members = nil
        sources = lists.map { ($0, $0.version) }
    }

    /// Takes the objects back that it has handed out, with others at their end.
    func append(_ values: [Value], _ added: [any PersistentModel], of lists: [ObjectListBase]) {
        let count = known?.count ?? self.values.count
        self.values = values
        known?.append(contentsOf: values[count...])
        for object in added { members?.insert(ObjectIdentifier(object)) }
        sources = lists.map { ($0, $0.version) }
    }

    /// Hands the objects out to be changed in place. The list is empty until it takes others.
    func take() -> [Value] {
        if known == nil { known = values.map { $0 } }
        return exchange(&values, with: [])
    }

    /// How many objects at the beginning of other ones are those of the list, in their order; and
    /// whether these are all that it has.
    func common(with new: [Value]) -> (count: Int, isAll: Bool) {
        let old = known ?? values
        let count = old[...].countOfSame(as: new[...], atEnd: false)
        return (count, count == old.count)
    }

    /// Whether an object is there.
    ///
    /// - Complexity: linear the first time, then O(1).
    override func contains(_ object: any PersistentModel) -> Bool {
        let known = exchange(&members, with: nil) ?? Set(all.lazy.map { ObjectIdentifier($0) })
        defer { members = known }
        return known.contains(ObjectIdentifier(object))
    }
}
