import Dovetail
import Foundation
import StoreTestSupport
import Testing

@Model final class Studio {
    @Attribute(.unique) var code: String
    var title: String
    var city: String = "-"
    @Relationship(deleteRule: .cascade, inverse: \Disc.studio) var discs: [Disc] = []
    @Relationship(inverse: \Singer.studio) var singers: [Singer] = []
    @Relationship(deleteRule: .cascade, inverse: \Plaque.studio) var plaque: Plaque?
    @Attribute(name: "partner_code") var partner: Studio?

    init(_ code: String, _ title: String) {
        self.code = code
        self.title = title
    }
}

@Model final class Disc {
    @Attribute(.unique) var number: Int
    var title: String
    var studio: Studio

    init(_ number: Int, _ title: String, in studio: Studio) {
        self.number = number
        self.title = title
        self.studio = studio
    }
}

@Model final class Singer {
    @Attribute(.unique) var name: String
    var rank: Int = 0
    var studio: Studio?
    init(_ name: String) { self.name = name }
}

@Model final class Plaque {
    @Attribute(.unique) var serial: Int
    var text: String
    var studio: Studio?

    init(_ serial: Int, _ text: String) {
        self.serial = serial
        self.text = text
    }
}

extension StoreKind {
    /// A context over a new store with studios, which a document has brought.
    func studios(_ document: String) throws -> ModelContext {
        let models: [any Model.Type] = [
            Studio.self, Disc.self, Singer.self, Plaque.self, MergeConflict.self,
            MissingReference.self,
        ]
        let context = ModelContext(try following(models))
        try context.bring(document, .replace)
        return context
    }
}

extension ModelContext {
    /// Brings a document of studios, and saves.
    @discardableResult
    func bring(
        _ document: String,
        _ policy: LocalChangePolicy<Studio> = .merge()
    ) throws -> SynchronizeResult<Studio> {
        let result = try synchronize(
            [Studio].self,
            from: Data(document.utf8),
            as: .json,
            localChanges: policy
        )
        try save()
        return result
    }

    func studio(_ code: String) throws -> Studio {
        try #require(
            fetch(FetchDescriptor<Studio>(predicate: #Predicate { $0.code == code })).first
        )
    }

    func disc(_ number: Int) throws -> Disc {
        try #require(
            fetch(FetchDescriptor<Disc>(predicate: #Predicate { $0.number == number })).first
        )
    }

    /// All studios with what is inside of them, on one line each.
    func studioLines() throws -> [String] {
        try fetch(FetchDescriptor<Studio>(sortBy: [SortDescriptor(\.code)])).map { studio in
            let discs = studio.discs.map { "\($0.number)\($0.title)" }.joined(separator: " ")
            let partner = studio.partner.map { ">" + $0.code } ?? ""
            return "\(studio.code) \(studio.title) \(studio.city)\(partner) [\(discs)]"
        }
    }

    /// What the backend has to be told, one line for each change.
    func told() throws -> [String] {
        try told(Studio.self) + told(Disc.self)
    }

    /// What it has to be told of one class, in alphabetic order.
    func told<Object: PersistentModel>(_ type: Object.Type) throws -> [String] {
        try localChanges(of: type).map { change in
            switch change.kind {
            case .inserted: "+\(change.name.plain)"
            case .updated(_, let patch):
                "~\(change.name.plain) "
                    + String(decoding: try patch.encoded(as: .json), as: UTF8.self)
            case .deleted: "-\(change.name.plain)"
            }
        }
        .sorted()
    }

    /// The kept conflicts, one line for each.
    func disputes() throws -> [String] {
        try fetch(FetchDescriptor<MergeConflict>()).map { "\($0)" }.sorted()
    }

    /// Resolves all of them and saves.
    func resolveAll(taking side: MergeConflict.Side) throws {
        for conflict in try fetch(FetchDescriptor<MergeConflict>()) {
            try resolve(conflict, taking: side)
        }
        try save()
    }
}

extension QueryValue {
    /// The value alone.
    var plain: String {
        switch self {
        case .text(let text): text
        case .integer(let number): "\(number)"
        default: "\(self)"
        }
    }
}
