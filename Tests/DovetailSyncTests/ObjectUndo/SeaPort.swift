import Dovetail
import DovetailTesting
import Foundation
import StoreTestSupport

/// What a port holds of several classes.
@ModelProtocol protocol Goods: AnyObject {
    var code: String { get set }
    var port: SeaPort? { get set }
}

/// A graph with all kinds of relationships: lists, one on both sides, pairs, to protocols, to subclasses, and
/// some that lead nowhere back; some of its rows are marked when they are deleted.
@Model final class SeaPort {
    @Attribute(.unique) var code: String
    var title: String
    @Relationship(deleteRule: .cascade, inverse: \Ship.port) var ships: [Ship] = []
    @Relationship(deleteRule: .cascade, inverse: \(any Goods).port) var goods: [any Goods] = []
    @Relationship(deleteRule: .cascade, inverse: \Tower.port) var tower: Tower?
    var twin: SeaPort?
    @Relationship var pride: (any Goods)?

    init(_ code: String, title: String) {
        self.code = code
        self.title = title
    }
}

@Model class Ship {
    @Attribute(.unique) var number: Int
    var depth: Int
    var port: SeaPort?
    @Relationship(inverse: \Seaman.ships) var crew: [Seaman] = []

    init(number: Int, depth: Int) {
        self.number = number
        self.depth = depth
    }
}

@Model final class Tanker: Ship {
    var barrels: Int

    init(number: Int, depth: Int, barrels: Int) {
        self.barrels = barrels
        super.init(number: number, depth: depth)
    }
}

@Model final class Tower {
    @Attribute(.unique) var name: String
    var port: SeaPort
    init(_ name: String, port: SeaPort) {
        self.name = name
        self.port = port
    }
}

@Model final class Crate: Goods {
    @Attribute(.primaryKey) var code: String
    var weight: Int
    var port: SeaPort?
    init(_ code: String, weight: Int) {
        self.code = code
        self.weight = weight
    }
}

@Model(deletion: .mark) final class Barrel: Goods {
    @Attribute(.primaryKey) var code: String
    var litres: Int
    var port: SeaPort?
    init(_ code: String, litres: Int) {
        self.code = code
        self.litres = litres
    }
}

@Model(deletion: .mark) final class Seaman {
    @Attribute(.unique) var name: String
    var rank: Int
    var ships: [Ship] = []
    init(_ name: String, rank: Int) {
        self.name = name
        self.rank = rank
    }
}

extension SeaPort {
    static let models: [any Model.Type] = [
        SeaPort.self, Ship.self, Tanker.self, Tower.self, Crate.self, Barrel.self, Seaman.self,
    ]
}

/// What an object is, with its identifier and all that it refers to.
func portText(_ object: any PersistentModel) -> String {
    let text: String
    switch object {
    case let port as SeaPort:
        text =
            "\(port.title) \(port.ships.map(\.number)) \(port.goods.map(\.code)) "
            + "\(port.tower?.name ?? "-") \(port.twin?.code ?? "-") \(port.pride?.code ?? "-")"
    case let ship as Ship:
        text =
            "\(ship.number) \(ship.depth) \((ship as? Tanker)?.barrels ?? -1) "
            + "\(ship.port?.code ?? "-") \(ship.crew.map(\.name))"
    case let tower as Tower: text = "\(tower.name) \(tower.port.code)"
    case let crate as Crate: text = "\(crate.weight) \(crate.port?.code ?? "-")"
    case let barrel as Barrel: text = "\(barrel.litres) \(barrel.port?.code ?? "-")"
    case let seaman as Seaman:
        text = "\(seaman.name) \(seaman.rank) \(seaman.ships.map(\.number))"
    default: text = "?"
    }
    return "\(object.persistentModelID) \(text)"
}

extension ModelContext {
    /// All objects of the graph.
    func portObjects() throws -> [any PersistentModel] {
        func all<Object: PersistentModel>(_ type: Object.Type) throws -> [any PersistentModel] {
            try fetch(FetchDescriptor<Object>())
        }
        return try all(SeaPort.self) + all(Ship.self) + all(Tower.self) + all(Crate.self)
            + all(Barrel.self) + all(Seaman.self)
    }

    /// What all of them are.
    func ports() throws -> [String] { try portObjects().map(portText).sorted() }

    /// Brings the ports of a document, and saves.
    func bringPorts(_ text: String) throws {
        try synchronize([SeaPort].self, from: Data(text.utf8), as: .json)
        try save()
    }
}

extension ModelContainer {
    /// Each row of the store, in words; with its deletion mark, or without the marked ones.
    func rowTexts(_ deleted: DeletedValues) throws -> Set<String> {
        try store.withReadConnection { connection in
            var texts: Set<String> = []
            for entity in schema.bindings {
                let cursor = try connection.rows(of: Query(entity, deleted))
                defer { cursor.close() }
                while try cursor.next() {
                    texts.insert("\(entity.table) \(try entity.values(of: cursor))")
                }
            }
            return texts
        }
    }
}

/// A store as it was, in all of its rows, places in lists and marks among them.
struct PortState {
    private let live: Set<String>
    private let marked: Set<String>
    private let objects: [String]

    init(_ context: ModelContext) throws {
        live = try context.container.rowTexts(.excluded)
        marked = try context.container.rowTexts(.only)
        objects = try context.ports()
    }

    /// What is different by now, seen by some contexts and a new one; empty for nothing. Rows that have come
    /// since may be marked.
    func differences(_ contexts: ModelContext...) throws -> [String] {
        let container = contexts[0].container
        var found = try container.rowTexts(.excluded).symmetricDifference(live)
            .union(marked.subtracting(container.rowTexts(.only)))
        for context in contexts + [ModelContext(container)] {
            found.formUnion(Set(try context.ports()).symmetricDifference(objects))
        }
        return found.sorted()
    }
}
