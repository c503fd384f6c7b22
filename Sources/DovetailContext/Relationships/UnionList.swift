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
    /// The lists of the parts, and what they were when this one was made of them.
    private var sources: [Source] = []

    private struct Source {
        let list: ObjectListBase
        let version: Int
        let appendCount: Int

        init(_ list: ObjectListBase) {
            self.list = list
            (version, appendCount) = (list.version, list.appendCount)
        }

        /// How many objects the list has got at its end; nil where that is not all that happened.
        var appended: Int? {
            let count = list.appendCount - appendCount
            return list.version - version == count ? count : nil
        }
    }

    override var count: Int { values.count }
    override var all: [any PersistentModel] { (known ?? values).compactMap(UnionList.object) }

    /// A value as the object that it is; nil for what is none.
    static func object(_ value: Value) -> (any PersistentModel)? { value as? any PersistentModel }

    /// Whether it was made of lists as they are now.
    func isCurrent(_ lists: [ObjectListBase]) -> Bool {
        guard sources.count == lists.count else { return false }
        return zip(sources, lists).allSatisfy { $0.list === $1 && $0.version == $1.version }
    }

    /// What the lists have got at their ends since this one was made of them; nil where anything else happened, and
    /// while the objects are handed out.
    func appended(in lists: [ObjectListBase]) -> [(part: Int, object: any PersistentModel)]? {
        guard sources.count == lists.count, known.map({ $0.count == values.count }) ?? true else {
            return nil
        }
        var added: [(part: Int, object: any PersistentModel)] = []
        for (part, (source, list)) in zip(sources, lists).enumerated() {
            guard source.list === list, let count = source.appended else { return nil }
            added += list.suffix(count).map { (part, $0) }
        }
        return added
    }

    /// Puts an object among the others.
    func insert(_ value: Value, at position: Int, of object: any PersistentModel) {
        values.insert(value, at: position)
        known?.insert(value, at: position)
        members?.insert(ObjectIdentifier(object))
    }

    /// Notes that it is made of the lists as they are now.
    func didTake(_ lists: [ObjectListBase]) { sources = lists.map(Source.init) }

    /// Takes other objects, which are those of some lists.
    func reset(_ values: [Value], of lists: [ObjectListBase]) {
        self.values = values
        known = nil
        members = nil
        sources = lists.map(Source.init)
    }

    /// Takes the objects back that it has handed out, with others at their end.
    func append(_ values: [Value], _ added: [any PersistentModel], of lists: [ObjectListBase]) {
        let count = known?.count ?? self.values.count
        self.values = values
        known?.append(contentsOf: values[count...])
        for object in added { members?.insert(ObjectIdentifier(object)) }
        sources = lists.map(Source.init)
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
