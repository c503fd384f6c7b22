import Dovetail
import Foundation
import StoreTestSupport
import Testing

/// What a yard has of several classes.
@ModelProtocol protocol YardHauler: AnyObject {
    var name: String { get set }
    var load: Int { get set }
    var yard: Yard? { get set }
}

/// Who may keep yards.
@ModelProtocol protocol YardKeeper: AnyObject {
    var name: String { get set }
    var yards: [Yard] { get set }
}

@ModelProtocol protocol YardGate: AnyObject {
    var number: Int { get set }
    var yard: Yard? { get set }
}

/// All kinds of relationships to protocols: to one whose key it holds, to one that holds its key, a list of what
/// it owns, and a list that nothing leads back from.
@Model final class Yard {
    @Attribute(.unique) var code: String
    var title: String
    @Relationship var keeper: (any YardKeeper)?
    @Relationship(deleteRule: .cascade, inverse: \(any YardHauler).yard) var haulers:
        [any YardHauler] = []
    @Relationship var guests: [any YardHauler] = []
    @Relationship(deleteRule: .cascade, inverse: \(any YardGate).yard) var gate: (any YardGate)?

    init(_ code: String, _ title: String) {
        self.code = code
        self.title = title
    }
}

@Model final class Truck: YardHauler {
    @Attribute(.unique) var name: String
    var load = 0
    var yard: Yard?
    init(name: String) { self.name = name }
}

@Model(deletion: .mark) final class Mule: YardHauler {
    @Attribute(.primaryKey) var name: String
    var load = 0
    var yard: Yard?
    init(name: String) { self.name = name }
}

@Model final class Watchman: YardKeeper {
    @Attribute(.unique) var name: String
    var yards: [Yard] = []
    init(name: String) { self.name = name }
}

@Model final class Firm: YardKeeper {
    @Attribute(.primaryKey) var name: String
    var yards: [Yard] = []
    init(name: String) { self.name = name }
}

@Model final class IronGate: YardGate {
    @Attribute(.unique) var number: Int
    var yard: Yard?
    init(number: Int) { self.number = number }
}

@Model final class WoodGate: YardGate {
    @Attribute(.unique) var number: Int
    var yard: Yard?
    init(number: Int) { self.number = number }
}

extension StoreKind {
    /// A context over a new store with yards, which a document has brought, and with keepers: Ann and Bob are
    /// watchmen, Acme and Bolt are firms.
    func yards(_ document: String) throws -> ModelContext {
        let models: [any Model.Type] = [
            Yard.self, Truck.self, Mule.self, Watchman.self, Firm.self, IronGate.self,
            WoodGate.self, MergeConflict.self,
        ]
        let context = ModelContext(try following(models))
        for name in ["ann", "bob"] { context.insert(Watchman(name: name)) }
        for name in ["acme", "bolt"] { context.insert(Firm(name: name)) }
        try context.save()
        try context.bring(yards: document, .replace)
        return context
    }
}

extension ModelContext {
    /// Brings a document of yards, and saves.
    @discardableResult
    func bring(
        yards document: String,
        _ policy: LocalChangePolicy<Yard> = .merge()
    ) throws -> SynchronizeResult<Yard> {
        let result = try synchronize(
            [Yard].self,
            from: Data(document.utf8),
            as: .json,
            localChanges: policy
        )
        try save()
        return result
    }

    func yard(_ code: String) throws -> Yard {
        try #require(
            fetch(FetchDescriptor<Yard>(predicate: #Predicate { $0.code == code })).first
        )
    }

    func hauler(_ name: String) throws -> any YardHauler {
        let trucks = try fetch(FetchDescriptor<Truck>(predicate: #Predicate { $0.name == name }))
        let mules = try fetch(FetchDescriptor<Mule>(predicate: #Predicate { $0.name == name }))
        return try #require(trucks.first ?? mules.first)
    }

    func keeper(_ name: String) throws -> any YardKeeper {
        let men = try fetch(FetchDescriptor<Watchman>(predicate: #Predicate { $0.name == name }))
        let firms = try fetch(FetchDescriptor<Firm>(predicate: #Predicate { $0.name == name }))
        return try #require(men.first ?? firms.first)
    }

    /// All yards with what they hold, on one line each.
    func yardLines() throws -> [String] {
        try fetch(FetchDescriptor<Yard>(sortBy: [SortDescriptor(\.code)])).map { yard in
            let haulers = yard.haulers.map { "\($0.name)\($0.load)" }.joined(separator: " ")
            let guests = yard.guests.map(\.name).joined(separator: " ")
            let gate = yard.gate.map { "\(type(of: $0))\($0.number)" } ?? "-"
            return "\(yard.code) \(yard.title) \(yard.keeper?.name ?? "-") [\(haulers)] "
                + "(\(guests)) \(gate)"
        }
    }

    /// What the backend has to be told of yards and of what is inside of them.
    func toldOfYards() throws -> [String] {
        try told(Yard.self) + told(Truck.self) + told(Mule.self) + told(IronGate.self)
            + told(WoodGate.self)
    }
}
