import Dovetail
import Foundation
import StoreTestSupport
import Testing

/// Who fixes things in a hall. Two classes that conform share a table with one that does not, and one of
/// them has a subclass.
@ModelProtocol protocol HallFixer: AnyObject {
    var name: String { get set }
    var hall: FixHall? { get set }
    var jobs: [FixJob] { get set }
}

@Model class HallPerson {
    @Attribute(.unique) var name: String
    var hand: FixHall?

    init(_ name: String) { self.name = name }
}

@Model class HallPlumber: HallPerson, HallFixer {
    var pipes = 2
    var hall: FixHall?
    var jobs: [FixJob] = []

    override init(_ name: String) { super.init(name) }
}

@Model final class MasterPlumber: HallPlumber {
    var rank: Int

    init(_ name: String, rank: Int) {
        self.rank = rank
        super.init(name)
    }
}

@Model final class HallPainter: HallPerson, HallFixer {
    var color: String?
    var hall: FixHall?
    var jobs: [FixJob] = []

    override init(_ name: String) { super.init(name) }
}

@Model final class HallRobot: HallFixer {
    @Attribute(.primaryKey) var name: String
    var hall: FixHall?
    var jobs: [FixJob] = []

    init(_ name: String) { self.name = name }
}

@Model final class FixHall {
    @Attribute(.unique) var title: String
    @Relationship(deleteRule: .cascade, inverse: \(any HallFixer).hall) var fixers:
        [any HallFixer] = []
    /// Nothing leads back.
    @Relationship var guests: [any HallFixer] = []

    init(_ title: String) { self.title = title }
}

@Model class FixJob {
    @Attribute(.unique) var title: String
    @Relationship var fixer: (any HallFixer)?

    init(_ title: String) { self.title = title }
}

/// A subclass that has to have an object of a protocol.
@Model final class HardJob: FixJob {
    var effort = 3
    @Relationship var helper: any HallFixer

    init(_ title: String, helper: any HallFixer) {
        self.helper = helper
        super.init(title)
    }
}

/// Protocols to which classes conform that inherit from each other.
struct ProtocolClassTests {
    private static let classes: [any Model.Type] = [
        FixHall.self, HallPerson.self, HallPlumber.self, MasterPlumber.self, HallPainter.self,
        HallRobot.self, FixJob.self, HardJob.self,
    ]

    /// A hall with fixers of four classes, the second two of which are guests, too, and jobs.
    private func filled(_ kind: StoreKind) throws -> ModelContainer {
        let container = try kind.container(Self.classes)
        let context = ModelContext(container)
        let hall = FixHall("hall")
        let (ann, bob) = (HallPlumber("ann"), MasterPlumber("bob", rank: 7))
        let (eve, robot) = (HallPainter("eve"), HallRobot("r2"))
        eve.color = "red"
        hall.fixers = [robot, bob, eve, ann]
        hall.guests = [bob, robot, eve]
        for (title, fixer) in [("a", ann), ("b", bob), ("c", eve), ("d", robot)]
            as [(String, any HallFixer)]
        {
            let job = FixJob(title)
            job.fixer = fixer
            context.insert(job)
        }
        let hard = HardJob("hard", helper: bob)
        hard.fixer = eve
        context.insert(hard)
        context.insert(HallPerson("nobody"))
        try context.save()
        return container
    }

    private func hall(_ context: ModelContext) throws -> FixHall {
        try #require(try context.fetch(FetchDescriptor<FixHall>()).first)
    }

    private func titles(
        _ context: ModelContext,
        _ predicate: Predicate<FixJob>
    ) throws -> [String] {
        let all = FetchDescriptor(predicate: predicate, sortBy: [SortDescriptor(\.title)])
        let found = try context.fetch(all).map(\.title)
        #expect(try context.fetchCount(all) == found.count)
        return found
    }

    @Test(arguments: StoreKind.allCases)
    func `relationships hold objects below a class that conforms`(_ kind: StoreKind) throws {
        let container = try filled(kind)
        let context = ModelContext(container)
        let hall = try hall(context)
        #expect(hall.fixers.map(\.name) == ["r2", "bob", "eve", "ann"])
        #expect(hall.guests.map(\.name) == ["bob", "r2", "eve"])
        let bob = try #require(hall.fixers[1] as? MasterPlumber)
        #expect(bob.rank == 7 && bob.hall === hall && hall.guests[0] === bob)
        #expect(bob.jobs.map(\.title) == ["b"] && bob.jobs[0].fixer === bob)
        let hard = try #require(
            try context.fetch(FetchDescriptor<HardJob>()).first
        )
        #expect(hard.helper === bob && (hard.fixer as? HallPainter)?.color == "red")

        // From one part to another one, within the table and out of it.
        hard.fixer = bob
        #expect(bob.jobs.map(\.title).sorted() == ["b", "hard"])
        hard.helper = hall.fixers[0]
        hall.fixers.swapAt(0, 3)
        hall.guests.removeFirst()
        try context.save()
        let other = ModelContext(container)
        let same = try self.hall(other)
        #expect(same.fixers.map(\.name) == ["ann", "bob", "eve", "r2"])
        #expect(same.guests.map(\.name) == ["r2", "eve"])
        let changed = try #require(try other.fetch(FetchDescriptor<HardJob>()).first)
        #expect(changed.helper is HallRobot && changed.fixer is MasterPlumber)

        // The rule of the list holds for each of them.
        other.delete(same)
        changed.fixer = nil
        other.delete(changed)
        try other.save()
        #expect(try other.fetch(FetchDescriptor<HallPerson>()).map(\.name) == ["nobody"])
        #expect(try other.fetchCount(FetchDescriptor<HallRobot>()) == 0)
        #expect(try other.fetch(FetchDescriptor<FixJob>()).allSatisfy { $0.fixer == nil })
    }

    @Test func `the parts are columns of one table`() throws {
        let schema = Schema(Self.classes)
        try schema.validate()
        let job = try #require(schema.bindings.first { $0.table == "FixJob" }).description
        let choices = try #require(job.choices)
        let names = choices.map { $0.columns.map { job.columns[$0].name } }
        let classes = ["HallPainter", "HallPlumber", "HallRobot"]
        #expect(
            names.map { $0.sorted() }
                == ["fixer", "helper"].map { name in classes.map { "\(name)$\($0)" } }
        )
        #expect(choices.map(\.isRequired) == [false, true])
        #expect(choices[0].classes == nil && choices[1].classes == ["HardJob"])
        let again = try EntityDescription(json: job.json())
        #expect(again == job && again.differences(from: job).isEmpty)
        #expect(schema.entities.first { $0.name == "HardJob" }?.relationships.count == 2)
    }

    @Test(arguments: StoreKind.allCases)
    func `predicates ask what a relationship to a protocol holds for its class`(
        _ kind: StoreKind
    ) throws {
        let context = ModelContext(try filled(kind))
        #expect(try titles(context, #Predicate { $0.fixer?.name == "bob" }) == ["b"])
        #expect(try titles(context, #Predicate { $0.fixer is HallPlumber }) == ["a", "b"])
        #expect(try titles(context, #Predicate { $0.fixer is MasterPlumber }) == ["b"])
        #expect(
            try titles(context, #Predicate { $0.fixer is HallPerson }) == ["a", "b", "c", "hard"]
        )
        #expect(
            try titles(context, #Predicate { !($0.fixer is HallPlumber) }) == ["c", "d", "hard"]
        )
        #expect(
            try titles(context, #Predicate { ($0.fixer as? MasterPlumber)?.rank == 7 }) == ["b"]
        )
        #expect(
            try titles(context, #Predicate { ($0.fixer as? HallPlumber)?.pipes == 2 })
                == ["a", "b"]
        )
        #expect(
            try titles(context, #Predicate { ($0.fixer as? HallPerson)?.name == "eve" })
                == ["c", "hard"]
        )
        #expect(try titles(context, #Predicate { $0.fixer?.hall?.title == "hall" }).count == 5)
        #expect(
            try titles(context, #Predicate { ($0 as? HardJob)?.helper.name == "bob" }) == ["hard"]
        )
        let halls = #Predicate<FixHall> { $0.fixers.contains { $0 is MasterPlumber } }
        #expect(try context.fetchCount(FetchDescriptor(predicate: halls)) == 1)
        let none = #Predicate<FixHall> {
            $0.guests.contains { ($0 as? HallPlumber)?.name == "ann" }
        }
        #expect(try context.fetchCount(FetchDescriptor(predicate: none)) == 0)
        let all = #Predicate<any HallFixer> { $0.jobs.count > 0 && $0.hall != nil }
        let found = try context.fetch(FetchDescriptor(predicate: all))
        #expect(found.map(\.name).sorted() == ["ann", "bob", "eve", "r2"])
        #expect(found.contains { $0 is MasterPlumber })
        let masters = #Predicate<any HallFixer> { $0 is MasterPlumber }
        let names = try context.fetch(FetchDescriptor(predicate: masters)).map(\.name)
        #expect(names == ["bob"])
    }

    @Test(arguments: StoreKind.allCases)
    func `a row has at most one key, and what its class requires`(_ kind: StoreKind) throws {
        let context = ModelContext(try filled(kind))
        let bob = try #require(try context.fetch(FetchDescriptor<MasterPlumber>()).first)
        context.delete(bob)
        // The hard job has to have its helper.
        #expect(throws: StoreError.self) { try context.save() }
        context.rollback()
        #expect(try context.fetchCount(FetchDescriptor<MasterPlumber>()) == 1)
        let hard = try #require(try context.fetch(FetchDescriptor<HardJob>()).first)
        hard.helper = HallRobot("r3")
        context.delete(bob)
        try context.save()
        #expect(hard.helper.name == "r3")
        #expect(try titles(context, #Predicate { $0.fixer == nil }) == ["b"])
    }

    @Test(arguments: StoreKind.allCases)
    func `two contexts that choose objects of two classes are in conflict`(
        _ kind: StoreKind
    ) throws {
        let container = try filled(kind)
        let contexts = [ModelContext(container), ModelContext(container)]
        let jobs = try contexts.map { context in
            try #require(try context.fetch(FetchDescriptor<HardJob>()).first)
        }
        let painter = try #require(try contexts[0].fetch(FetchDescriptor<HallPainter>()).first)
        let robot = try #require(try contexts[1].fetch(FetchDescriptor<HallRobot>()).first)
        jobs[0].helper = painter
        jobs[1].helper = robot
        try contexts[0].save()
        let error = try #require(throws: ConflictError.self) { try contexts[1].save() }
        #expect(error.conflicts.map(\.attributes) == [["helper"]])
        #expect(error.conflicts[0].identifier.entityName == "HardJob")
        #expect(jobs[0].helper === painter)
    }

    @Test(arguments: StoreKind.allCases, [ModelFormat.json, .binaryPlist])
    func `documents name the classes of objects`(_ kind: StoreKind, _ format: ModelFormat) throws {
        let hall = FixHall("x")
        hall.fixers = [MasterPlumber("bob", rank: 3), HallRobot("r"), HallPlumber("ann")]
        let data = try hall.encoded(as: format)
        let container = try kind.container(Self.classes)
        let context = ModelContext(container)
        let read = try context.decode(FixHall.self, from: data, as: format)
        #expect(read.fixers.map(\.name) == ["bob", "r", "ann"])
        #expect((read.fixers[0] as? MasterPlumber)?.rank == 3)
        try context.save()
        // The same again finds what is there.
        let again = try context.decode(FixHall.self, from: data, as: format)
        #expect(again === read && again.fixers[0] === read.fixers[0])
        #expect(!context.hasChanges || context.insertedModelsArray.isEmpty)
        let job = HardJob("j", helper: read.fixers[0])
        job.fixer = read.fixers[2]
        context.insert(job)
        try context.save()
        let text = try job.encoded(as: .json)
        #expect(
            String(decoding: text, as: UTF8.self).contains(
                #""helper":{"$type":"MasterPlumber","name":"bob"}"#
            )
        )
        let other = ModelContext(container)
        let same = try other.decode(FixJob.self, from: text, as: .json)
        #expect((same as? HardJob)?.helper is MasterPlumber && same.fixer?.name == "ann")
    }
}

/// Relationships to a class that hold objects of its subclasses: loaded together, and followed.
struct InheritedLoadingTests {
    private func fill(_ container: ModelContainer) throws {
        let context = ModelContext(container)
        for number in 0..<60 {
            let vehicle: Vehicle =
                switch number % 3 {
                case 0: Vehicle("v\(number)")
                case 1: Lorry("t\(number)", load: 1, bay: number)
                default: TankLorry("k\(number)", liquid: "milk", bay: number)
                }
            vehicle.owner = VehicleOwner("o\(number)")
            for trip in 0..<2 {
                let trip = VehicleTrip(number * 2 + trip)
                trip.vehicle = vehicle
                context.insert(trip)
            }
            if let lorry = vehicle as? Lorry { lorry.crates = [LorryCrate(Double(number))] }
            context.insert(vehicle)
        }
        try context.save()
    }

    private func container(_ log: StatementLog) throws -> ModelContainer {
        var configuration = ModelConfiguration(isStoredInMemoryOnly: true)
        configuration.trace = log.trace()
        return try ModelContainer(
            for: Vehicle.self,
            TankLorry.self,
            Bicycle.self,
            configurations: configuration
        )
    }

    @Test func `what a class inherits is loaded for objects of all classes at once`() throws {
        let log = StatementLog()
        let container = try container(log)
        try fill(container)
        let context = ModelContext(container)
        let vehicles = try context.fetch(
            FetchDescriptor<Vehicle>(sortBy: [SortDescriptor(\.plate)])
        )
        var count = 0
        let trips = log.reads { count = vehicles.count { $0.trips.count == 2 } }
        #expect(count == 60 && trips.statements <= 3)
        let owners = log.reads { count = vehicles.count { $0.owner?.name.isEmpty == false } }
        #expect(count == 60 && owners.statements <= 3)
        // What a subclass has, for those alone that are of it.
        let crates = log.reads {
            count = vehicles.count { ($0 as? Lorry)?.crates.count == 1 }
        }
        #expect(count == 40 && crates.statements <= 3)
        for vehicle in vehicles {
            #expect(vehicle.trips.allSatisfy { $0.vehicle === vehicle })
            if let lorry = vehicle as? Lorry { #expect(lorry.crates[0].truck === lorry) }
        }
    }

    @Test func `prefetching loads objects of subclasses, and what a class inherits`() throws {
        let log = StatementLog()
        let container = try container(log)
        try fill(container)
        let context = ModelContext(container)
        var trips = FetchDescriptor<VehicleTrip>()
        trips.relationshipKeyPathsForPrefetching = [\.vehicle]
        var found: [VehicleTrip] = []
        #expect(try log.reads { found = try context.fetch(trips) }.statements == 2)
        var plates: Set<String> = []
        let read = log.reads {
            for trip in found { plates.formUnion([trip.vehicle?.plate ?? ""]) }
        }
        #expect(read.statements == 0 && plates.count == 60 && !plates.contains(""))
        #expect(found.contains { $0.vehicle is TankLorry })
        let other = ModelContext(container)
        var lorries = FetchDescriptor<Lorry>()
        lorries.relationshipKeyPathsForPrefetching = [\.crates, \.trips, \.owner]
        var all: [Lorry] = []
        #expect(try log.reads { all = try other.fetch(lorries) }.statements == 4)
        var count = 0
        let later = log.reads {
            count = all.count { $0.crates.count + $0.trips.count == 3 && $0.owner != nil }
        }
        #expect(count == 40 && later.statements == 0)
    }

    @Test(arguments: StoreKind.allCases)
    func `changes of a class are those of its subclasses, too`(_ kind: StoreKind) async throws {
        let container = try kind.container(TankLorry.self, Bicycle.self, Vehicle.self)
        let context = ModelContext(container), other = ModelContext(container)
        let tank = TankLorry("k", liquid: "milk", bay: 2)
        context.insert(tank)
        context.insert(Vehicle("v"))
        try context.save()
        let all = try context.changes(of: FetchDescriptor<Vehicle>()).makeAsyncIterator()
        let lorries = try context.changes(of: FetchDescriptor<Lorry>()).makeAsyncIterator()
        let first = try #require(try await all.next())
        #expect(Set(first.inserted.map(\.entityName)) == ["TankLorry", "Vehicle"])
        #expect(try await lorries.next()?.inserted == [tank.persistentModelID])

        let bicycle = Bicycle("b"), lorry = Lorry("t", load: 5, bay: 1)
        other.insert(bicycle)
        other.insert(lorry)
        try other.save()
        let second = try #require(try await all.next())
        #expect(
            Set(second.inserted) == [bicycle.persistentModelID, lorry.persistentModelID]
        )
        #expect(try await lorries.next()?.inserted == [lorry.persistentModelID])

        tank.liquid = "oil"
        tank.partner = context.model(for: lorry.persistentModelID) as? Lorry
        tank.owner = VehicleOwner("Ann")
        try context.save()
        for changes in [all, lorries] {
            let change = try #require(try await changes.next())
            #expect(change.updated.map(\.item) == [tank.persistentModelID])
            #expect(
                Set(change.updated.first?.attributes ?? []) == ["liquid", "partner", "owner"]
            )
        }
        // A bicycle is no lorry: its change is told to the one only.
        bicycle.note = 8
        try other.save()
        #expect(try await all.next()?.updated.first?.attributes == ["note"])
        other.delete(bicycle)
        other.delete(lorry)
        try other.save()
        #expect(try await all.next()?.deleted.count == 2)
        #expect(try await lorries.next()?.deleted == [lorry.persistentModelID])
    }
}
