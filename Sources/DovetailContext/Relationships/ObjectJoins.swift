import DovetailModel
import DovetailStore

/// One row of a join table: a pair of objects that are in each other's lists.
final class JoinLink {
    /// The places of both objects in each other's lists; nil where there is none.
    struct Places: Equatable {
        var ofMember: Int64?
        var ofOwner: Int64?
    }

    /// The object whose key is in the first column.
    let owner: any PersistentModel
    /// The object whose key is in the second column.
    let member: any PersistentModel
    /// Whether the objects are in each other's lists.
    var isWanted = true
    /// Whether the pair was made or removed here since the last save. The save does so whatever others have
    /// made of it meanwhile.
    var isSet = false
    /// The places as they shall be.
    var places = Places()
    /// The places in the row; nil where there is none.
    var stored: Places?
    /// Whether it is on the list of those that may differ from their rows.
    fileprivate var isTouched = false

    init(_ owner: any PersistentModel, _ member: any PersistentModel) {
        self.owner = owner
        self.member = member
    }

    /// Whether it differs from its row.
    var isChanged: Bool { isSet || isWanted && stored != places }

    /// Whether both objects have rows, or will have.
    var isAlive: Bool { owner.persistentBacking.isAlive && member.persistentBacking.isAlive }
}

extension ObjectBacking {
    /// Whether it has a row, or will have one.
    fileprivate var isAlive: Bool { state == .inserted || state == .stored }
}

/// The rows of join tables that a context knows: those of the lists that were read, and those that wait
/// to be written. The lists of its objects are made of them, so a list can be forgotten and read again
/// at any time.
struct ObjectJoins {
    /// Links by an object, and then by the other one. The links hold the objects.
    private typealias Index = [ObjectIdentifier: [ObjectIdentifier: JoinLink]]

    /// The links of one table.
    private struct Table {
        var byOwner: Index = [:]
        var byMember: Index = [:]

        mutating func remove(_ link: JoinLink) {
            let (owner, member) = (ObjectIdentifier(link.owner), ObjectIdentifier(link.member))
            // Another one may be in its place.
            guard byOwner[owner]?[member] === link else { return }
            byOwner[owner]?[member] = nil
            byMember[member]?[owner] = nil
        }
    }

    private var tables: [ObjectIdentifier: Table] = [:]
    /// The links that may differ from their rows, in the order in which they were changed.
    private var touched: [(join: JoinColumns, link: JoinLink)] = []
    /// What waited when a transaction began; nil outside of one that has to give it back.
    private var start: Start?

    /// The links that waited when a transaction began.
    private struct Start {
        /// How many are the first ones of ``touched``.
        let count: Int
        /// These; nil until a save or a rollback has emptied the list.
        var touched: [(join: JoinColumns, link: JoinLink)]?
        /// What those were that have changed since.
        var before: [ObjectIdentifier: State] = [:]
    }

    private struct State {
        let isWanted: Bool
        let isSet: Bool
        let places: JoinLink.Places
        let stored: JoinLink.Places?
    }

    /// The link of two objects; nil where the context knows none.
    func link(
        _ join: JoinColumns,
        _ object: any PersistentModel,
        _ other: any PersistentModel
    ) -> JoinLink? {
        let (owner, member) = join.isOwner ? (object, other) : (other, object)
        return tables[ObjectIdentifier(join.table)]?
            .byOwner[ObjectIdentifier(owner)]?[ObjectIdentifier(member)]
    }

    /// The link of two objects, made where there is none.
    mutating func makeLink(
        _ join: JoinColumns,
        _ object: any PersistentModel,
        _ other: any PersistentModel
    ) -> JoinLink {
        if let known = link(join, object, other) { return known }
        let link = join.isOwner ? JoinLink(object, other) : JoinLink(other, object)
        put(link, join)
        return link
    }

    private mutating func put(_ link: JoinLink, _ join: JoinColumns) {
        let (owner, member) = (ObjectIdentifier(link.owner), ObjectIdentifier(link.member))
        let table = ObjectIdentifier(join.table)
        tables[table, default: Table()].byOwner[owner, default: [:]][member] = link
        tables[table, default: Table()].byMember[member, default: [:]][owner] = link
    }

    /// Notes that a link may differ from its row.
    mutating func touch(_ link: JoinLink, _ join: JoinColumns) {
        guard !link.isTouched else { return note(link) }
        link.isTouched = true
        touched.append((join, link))
    }

    /// Forgets a link that is as its row.
    mutating func remove(_ link: JoinLink, _ join: JoinColumns) {
        tables[ObjectIdentifier(join.table)]?.remove(link)
    }

    /// The links of an object of one side.
    ///
    /// - Complexity: linear in their number.
    func links(_ join: JoinColumns, of object: any PersistentModel) -> [JoinLink] {
        let table = tables[ObjectIdentifier(join.table)]
        let index = join.isOwner ? table?.byOwner : table?.byMember
        return index?[ObjectIdentifier(object)].map { Array($0.values) } ?? []
    }

    /// Forgets the links of an object that has no row.
    mutating func remove(_ object: any PersistentModel) {
        let object = ObjectIdentifier(object)
        // No table is held while it is changed: all links of the other side would be copied each time.
        for identifier in Array(tables.keys) {
            let links = [\Table.byOwner, \Table.byMember].flatMap { index in
                tables[identifier]?[keyPath: index][object].map { Array($0.values) } ?? []
            }
            for link in links {
                note(link)
                (link.isWanted, link.isSet) = (false, false)
                tables[identifier]?.remove(link)
            }
        }
    }

    /// The links that differ from their rows, in the order in which they were changed.
    var changed: [(join: JoinColumns, link: JoinLink)] { touched.filter(\.link.isChanged) }

    /// Notes that everything was saved.
    ///
    /// - Parameter deleted: The objects whose rows are gone, and with them their links.
    mutating func didSave(deleting deleted: [any PersistentModel]) {
        noteAll()
        for (join, link) in touched {
            link.isTouched = false
            link.isSet = false
            if link.isWanted, link.isAlive {
                link.stored = link.places
            } else {
                remove(link, join)
            }
        }
        touched = []
        for object in deleted { remove(object) }
    }

    /// Begins a transaction that gives back what waits when it throws, or ends it.
    mutating func keepStart(_ isKept: Bool) {
        start = isKept ? Start(count: touched.count) : nil
    }

    /// Makes what waits what it was when the transaction began. Where no link has changed, nothing is done.
    ///
    /// - Parameter moved: Whose other links are asked for again.
    /// - Returns: The objects whose lists have to be read again; where it may be any, they are not all.
    /// - Complexity: linear in the number of links of these objects, and in that of those that waited.
    mutating func restore(of moved: MovedObjects) -> [any PersistentModel] {
        guard let known = start else { return [] }
        if known.touched == nil, known.before.isEmpty, known.count == touched.count {
            start = nil
            return []
        }
        noteAll()
        guard let start else { return [] }
        self.start = nil
        var ends: [any PersistentModel] = []
        if moved.isAny {
            for (_, link) in touched { link.isTouched = false }
            (tables, touched) = ([:], [])
        } else {
            ends = removeLinks(of: moved.objects)
        }
        for (join, link) in start.touched ?? [] {
            if let state = start.before[ObjectIdentifier(link)] {
                (link.isWanted, link.isSet) = (state.isWanted, state.isSet)
                (link.places, link.stored) = (state.places, state.stored)
            }
            link.isTouched = false
            ends += [link.owner, link.member]
            guard link.isChanged else { continue }
            put(link, join)
            touch(link, join)
        }
        return ends
    }

    /// Notes what a link is before it changes, which may have waited when the transaction began.
    private mutating func note(_ link: JoinLink) {
        guard start != nil, start?.before[ObjectIdentifier(link)] == nil else { return }
        start?.before[ObjectIdentifier(link)] = State(
            isWanted: link.isWanted,
            isSet: link.isSet,
            places: link.places,
            stored: link.stored
        )
    }

    /// Notes all that waited when the transaction began, which is about to be saved or forgotten.
    private mutating func noteAll() {
        guard let start, start.touched == nil else { return }
        let waiting = Array(touched.prefix(start.count))
        self.start?.touched = waiting
        for (_, link) in waiting { note(link) }
    }

    /// Forgets everything, with what waits.
    mutating func removeAll() {
        noteAll()
        tables = [:]
        touched = []
    }

    /// What waits, and the links of some objects.
    private func links(of objects: some Sequence<any PersistentModel>) -> [JoinLink] {
        var links = touched.map(\.link)
        for object in objects {
            let object = ObjectIdentifier(object)
            for table in tables.values {
                if let own = table.byOwner[object] { links += own.values }
                if let own = table.byMember[object] { links += own.values }
            }
        }
        return links
    }

    /// The objects whose lists ``removeLinks(of:)`` changes.
    func ends(of objects: some Sequence<any PersistentModel>) -> [any PersistentModel] {
        links(of: objects).flatMap { [$0.owner, $0.member] }
    }

    /// Forgets what waits, and the links of some objects.
    ///
    /// - Returns: The objects whose lists have to be read again.
    /// - Complexity: linear in the number of links that are forgotten.
    mutating func removeLinks(
        of objects: some Sequence<any PersistentModel>
    ) -> [any PersistentModel] {
        noteAll()
        let links = links(of: objects)
        for link in links {
            link.isTouched = false
            for table in Array(tables.keys) { tables[table]?.remove(link) }
        }
        touched = []
        return links.flatMap { [$0.owner, $0.member] }
    }
}

extension JoinColumns {
    /// The object of the other side.
    func other(_ link: JoinLink) -> any PersistentModel { isOwner ? link.member : link.owner }

    /// The place of the other object in the list of this side.
    func place(_ places: JoinLink.Places?) -> Int64? {
        isOwner ? places?.ofMember : places?.ofOwner
    }

    func setPlace(_ place: Int64, of link: JoinLink) {
        if isOwner { link.places.ofMember = place } else { link.places.ofOwner = place }
    }
}
