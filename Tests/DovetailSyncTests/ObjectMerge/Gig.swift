import Dovetail
import Foundation
import StoreTestSupport
import Testing

/// Who may play at gigs.
@ModelProtocol protocol GigPlayer: AnyObject {
    var name: String { get set }
    var gigs: [Gig] { get set }
}

/// With lists that others lead back from: of a class whose rows are marked, of a protocol, and one that leads
/// back to itself.
@Model final class Gig {
    @Attribute(.unique) var code: String
    var title: String
    @Relationship(inverse: \GigMark.gigs) var marks: [GigMark] = []
    @Relationship var players: [any GigPlayer] = []
    @Relationship(inverse: .itself) var friends: [Gig] = []

    init(_ code: String, _ title: String) {
        self.code = code
        self.title = title
    }
}

@Model(deletion: .mark) final class GigMark {
    @Attribute(.unique) var name: String
    var rank = 0
    var gigs: [Gig] = []
    init(name: String) { self.name = name }
}

@Model final class Pianist: GigPlayer {
    @Attribute(.primaryKey) var name: String
    var gigs: [Gig] = []
    init(name: String) { self.name = name }
}

@Model final class Drummer: GigPlayer {
    @Attribute(.unique) var name: String
    var gigs: [Gig] = []
    init(name: String) { self.name = name }
}

extension StoreKind {
    /// A context over a new store with gigs, which a document has brought: marks x, y and z, the pianist Ada and
    /// the drummer Ben.
    func gigs(_ document: String) throws -> ModelContext {
        let models: [any Model.Type] = [
            Gig.self, GigMark.self, Pianist.self, Drummer.self, MergeConflict.self,
        ]
        let context = ModelContext(try following(models))
        for name in ["x", "y", "z"] { context.insert(GigMark(name: name)) }
        context.insert(Pianist(name: "ada"))
        context.insert(Drummer(name: "ben"))
        try context.save()
        let marks = #"[{"name":"x"},{"name":"y"},{"name":"z"}]"#
        try context.synchronize([GigMark].self, from: Data(marks.utf8), as: .json)
        try context.save()
        try context.bring(gigs: document, .replace)
        return context
    }
}

extension ModelContext {
    /// Brings a document of gigs, and saves.
    @discardableResult
    func bring(
        gigs document: String,
        _ policy: LocalChangePolicy<Gig> = .merge()
    ) throws -> SynchronizeResult<Gig> {
        let data = Data(document.utf8)
        let result = try synchronize([Gig].self, from: data, as: .json, localChanges: policy)
        try save()
        return result
    }

    func gig(_ code: String) throws -> Gig {
        try #require(fetch(FetchDescriptor<Gig>(predicate: #Predicate { $0.code == code })).first)
    }

    func mark(_ name: String) throws -> GigMark {
        let found = try fetch(FetchDescriptor<GigMark>(predicate: #Predicate { $0.name == name }))
        return try #require(found.first)
    }

    func player(_ name: String) throws -> any GigPlayer {
        let first = try fetch(FetchDescriptor<Pianist>(predicate: #Predicate { $0.name == name }))
        let other = try fetch(FetchDescriptor<Drummer>(predicate: #Predicate { $0.name == name }))
        return try #require(first.first ?? other.first)
    }

    /// All gigs with their lists, on one line each.
    func gigLines() throws -> [String] {
        try fetch(FetchDescriptor<Gig>(sortBy: [SortDescriptor(\.code)])).map { gig in
            let marks = gig.marks.map(\.name).joined(separator: " ")
            let players = gig.players.map(\.name).joined(separator: " ")
            let friends = gig.friends.map(\.code).joined(separator: " ")
            return "\(gig.code) \(gig.title) [\(marks)] [\(players)] [\(friends)]"
        }
    }

    /// The pairs that the backend has to be told of gigs, one line for each list.
    func toldOfPairs() throws -> [String] {
        func names(_ documents: [ModelDocument]) -> [String] {
            documents.map { $0.stringValue ?? $0[key: "name"]?.stringValue ?? "?" }
        }
        return try localChanges(of: Gig.self).flatMap { change in
            change.lists.map { list in
                "\(change.name.plain).\(list.name) +\(names(list.added)) -\(names(list.removed))"
            }
        }
    }
}
