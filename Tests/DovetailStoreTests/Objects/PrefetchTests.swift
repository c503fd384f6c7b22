import Dovetail
import StoreTestSupport
import Testing

/// What `relationshipKeyPathsForPrefetching` loads, and with how many statements.
struct PrefetchTests {
    private typealias Path = any PartialKeyPath<FaultShelf> & Sendable

    /// How many statements a fetch of 100 shelves takes with key paths, and reading them after it.
    private func statements(
        _ paths: [Path],
        read: (FaultShelf) -> Void
    ) throws -> [Int] {
        let log = StatementLog()
        let container = try log.shelves()
        try container.fill(100)
        let context = ModelContext(container)
        var shelves: [FaultShelf] = []
        let fetched = try log.reads {
            shelves = try context.shelves { $0.relationshipKeyPathsForPrefetching = paths }
        }
        let later = log.reads { shelves.forEach(read) }
        #expect(shelves.count == 100 && shelves.areFull)
        return [fetched.statements, later.statements]
    }

    @Test func `each relationship is one more statement, and one for a join table`() throws {
        #expect(try statements([\.things]) { _ = $0.things.count } == [2, 0])
        #expect(try statements([\.lamps]) { _ = $0.lamps.count } == [2, 0])
        #expect(try statements([\.plate]) { _ = $0.plate?.text } == [2, 0])
        #expect(try statements([\.room]) { _ = $0.room?.name } == [2, 0])
        #expect(try statements([\.tags]) { _ = $0.tags.count } == [3, 0])
        let all: [Path] = [\.things, \.tags, \.lamps, \.plate, \.room]
        #expect(try statements(all) { _ = $0.isFull } == [7, 0])
    }

    @Test func `a key path may have several steps`() throws {
        let log = StatementLog()
        let container = try log.shelves()
        try container.fill(100)
        let context = ModelContext(container)
        var things = FetchDescriptor<FaultThing>()
        things.relationshipKeyPathsForPrefetching = [\.shelf?.room?.parent, \.shelf?.plate]
        var found: [FaultThing] = []
        // The rooms have no parents, so nobody has to be asked.
        #expect(try log.reads { found = try context.fetch(things) }.statements == 4)
        var count = 0
        let read = log.reads {
            count = found.count { $0.shelf?.room?.parent == nil && $0.shelf?.plate != nil }
        }
        #expect(count == 300 && read.statements == 0)
        var plates = FetchDescriptor<FaultPlate>()
        plates.relationshipKeyPathsForPrefetching = [\.shelf.room, \.shelf.things]
        let other = ModelContext(container)
        var texts: [FaultPlate] = []
        #expect(try log.reads { texts = try other.fetch(plates) }.statements == 4)
        let more = log.reads { count = texts.count { $0.shelf.room != nil } }
        #expect(count == 100 && more.statements == 0)
    }

    @Test(arguments: StoreKind.allCases)
    func `what is no relationship is an error`(_ kind: StoreKind) throws {
        let context = ModelContext(try kind.shelves())
        for path in [\FaultShelf.number, \.things.count, \.room?.name] as [Path] {
            #expect(throws: QueryError.self) {
                try context.shelves { $0.relationshipKeyPathsForPrefetching = [path] }
            }
        }
        #expect(try context.shelves().isEmpty)
    }

    @Test func `an empty result asks nothing more`() throws {
        let log = StatementLog()
        let context = ModelContext(try log.shelves())
        var shelves: [FaultShelf] = []
        let read = try log.reads {
            let all: [Path] = [\.things, \.tags, \.lamps, \.plate, \.room]
            shelves = try context.shelves { $0.relationshipKeyPathsForPrefetching = all }
        }
        #expect(shelves.isEmpty)
        #expect(read.statements == 1)
    }

    @Test(arguments: StoreKind.allCases)
    func `predicate, order, limit and offset say of which objects`(_ kind: StoreKind) throws {
        let container = try kind.shelves()
        try container.fill(60)
        let context = ModelContext(container)
        let shelves = try context.shelves {
            $0.predicate = #Predicate { $0.number >= 10 }
            $0.sortBy = [SortDescriptor(\.number, order: .reverse)]
            $0.fetchOffset = 3
            $0.fetchLimit = 20
            $0.relationshipKeyPathsForPrefetching = [\.things, \.tags]
        }
        #expect(shelves.map(\.number) == (37...56).reversed())
        #expect(shelves.areFull)
        // The things of these, and of no others.
        let known = try context.fetchIdentifiers(FetchDescriptor<FaultThing>()).count {
            (context.registeredModel(for: $0) as FaultThing?) != nil
        }
        #expect(known == 60)
    }

    @Test(arguments: StoreKind.allCases)
    func `what waits is respected, and lists keep their order`(_ kind: StoreKind) throws {
        let container = try kind.shelves()
        try container.fill(12)
        let context = ModelContext(container)
        var things = try context.fetch(
            FetchDescriptor<FaultThing>(sortBy: [SortDescriptor(\.name, comparator: .lexical)])
        )
        things = ["a0", "c0", "b1", "a2"].compactMap { name in things.first { $0.name == name } }
        let shelf = try #require(
            try context.fetch(
                FetchDescriptor<FaultShelf>(predicate: #Predicate { $0.number == 5 })
            ).first
        )
        context.delete(things[0])
        things[1].shelf = shelf
        things[2].shelf = nil
        things[3].name = "changed"
        let new = FaultThing("new")
        new.shelf = shelf
        let empty = FaultShelf(12)
        context.insert(empty)
        let shelves = try context.shelves {
            $0.relationshipKeyPathsForPrefetching = [\.things, \.lamps, \.tags, \.plate, \.room]
        }
        let names = shelves.map { $0.things.map(\.name) }
        #expect(names[0] == ["b0"] && names[1] == ["a1", "c1"])
        #expect(names[2] == ["changed", "b2", "c2"])
        #expect(names[5] == ["a5", "b5", "c5", "c0", "new"] && shelf.things.last === new)
        #expect(shelves[12] === empty && names[12].isEmpty && empty.tags.isEmpty)
        shelf.things.swapAt(0, 4)
        try context.save()
        let other = ModelContext(container)
        let again = try other.shelves { $0.relationshipKeyPathsForPrefetching = [\.things] }
        #expect(again[5].things.map(\.name) == ["new", "b5", "c5", "c0", "a5"])
        #expect(again[0].things.map(\.name) == ["b0"])
        // Asks what is stored for the objects, and shows what this context has of them.
        shelf.things.removeFirst()
        let stored = try context.shelves {
            $0.includePendingChanges = false
            $0.relationshipKeyPathsForPrefetching = [\.things]
        }
        #expect(stored[5].things.map(\.name) == ["b5", "c5", "c0", "a5"])
    }

    @Test(arguments: StoreKind.allCases)
    func `what others save later is seen`(_ kind: StoreKind) throws {
        let container = try kind.shelves()
        try container.fill(10)
        let mine = ModelContext(container), theirs = ModelContext(container)
        let all: [Path] = [\.things, \.lamps, \.tags, \.plate, \.room]
        let shelves = try mine.shelves { $0.relationshipKeyPathsForPrefetching = all }
        let others = try theirs.shelves { $0.relationshipKeyPathsForPrefetching = all }
        others[1].things.append(FaultThing("late"))
        others[2].things.reverse()
        others[3].things[0].shelf = others[4]
        others[5].tags.removeLast()
        others[6].plate?.text = "changed"
        others[7].lamps = []
        others[8].room?.name = "hall"
        theirs.delete(others[9])
        try theirs.save()
        mine.processPendingChanges()
        let names = shelves.map { $0.things.map(\.name) }
        #expect(names[1] == ["a1", "b1", "c1", "late"] && names[2] == ["c2", "b2", "a2"])
        #expect(names[3] == ["b3", "c3"] && names[4] == ["a4", "b4", "c4", "a3"])
        #expect(shelves[5].tags.map(\.name) == ["tag 5"] && shelves[6].plate?.text == "changed")
        #expect(shelves[7].lamps.isEmpty && shelves[8].room?.name == "hall")
        #expect(shelves[9].isDeleted)
        let tag = try #require(shelves[0].tags.first)
        #expect(tag.shelves.map(\.number).sorted() == [0, 4, 7])
    }

    @Test(arguments: StoreKind.allCases)
    func `more objects than a statement has parameters`(_ kind: StoreKind) throws {
        let container = try kind.shelves()
        let writer = ModelContext(container)
        let count = 33_000
        for number in 0..<count {
            let shelf = FaultShelf(number)
            shelf.things.append(FaultThing("\(number)"))
            writer.insert(shelf)
        }
        try writer.save()
        let context = ModelContext(container)
        let shelves = try context.shelves { $0.relationshipKeyPathsForPrefetching = [\.things] }
        #expect(shelves.count == count)
        #expect(shelves.count { $0.things.map(\.name) == ["\($0.number)"] } == count)
    }

    @Test(arguments: StoreKind.allCases)
    func `each batch of an enumeration is prefetched`(_ kind: StoreKind) throws {
        let container = try kind.shelves()
        try container.fill(25)
        let context = ModelContext(container)
        var descriptor = FetchDescriptor<FaultShelf>(sortBy: [SortDescriptor(\.number)])
        descriptor.relationshipKeyPathsForPrefetching = [\.things, \.tags]
        var numbers: [Int] = []
        try context.enumerate(descriptor, batchSize: 10) { shelf in
            #expect(shelf.isFull)
            numbers.append(shelf.number)
        }
        #expect(numbers == Array(0..<25))
    }

    @Test func `an enumeration takes a statement for each batch`() throws {
        let log = StatementLog()
        let container = try log.shelves()
        try container.fill(25)
        let context = ModelContext(container)
        var descriptor = FetchDescriptor<FaultShelf>(sortBy: [SortDescriptor(\.number)])
        descriptor.relationshipKeyPathsForPrefetching = [\.things]
        let read = try log.reads {
            try context.enumerate(descriptor, batchSize: 10) { shelf in
                #expect(shelf.things.count == 3)
            }
        }
        #expect(read.statements == 4)
    }

    /// How many statements fetches with a key path take, and what is read after them.
    private func statements<Object: PersistentModel>(
        _ path: any PartialKeyPath<Object> & Sendable,
        read: ([Object]) throws -> Void
    ) throws -> [Int] {
        let log = StatementLog()
        var configuration = ModelConfiguration(isStoredInMemoryOnly: true)
        configuration.trace = log.trace()
        let container = try ModelContainer(
            for: [TankLorry.self, Bicycle.self, Vehicle.self],
            configuration: configuration
        )
        let filling = ModelContext(container)
        for number in 0..<20 {
            let vehicles = [
                Vehicle("v\(number)"), TankLorry("t\(number)", liquid: "milk", bay: number),
            ]
            for vehicle in vehicles {
                vehicle.owner = VehicleOwner("of \(vehicle.plate)")
                vehicle.trips = [VehicleTrip(number), VehicleTrip(-number)]
                filling.insert(vehicle)
            }
            let lorry = Lorry("l\(number)", load: 1, bay: number)
            (vehicles[1] as? TankLorry)?.partner = lorry
            lorry.owner = VehicleOwner("of \(lorry.plate)")
            lorry.crates = [LorryCrate(1)]
            lorry.drivers = [VehicleOwner("driver")]
        }
        try filling.save()
        _ = log.take()
        let context = ModelContext(container)
        var descriptor = FetchDescriptor<Object>()
        descriptor.relationshipKeyPathsForPrefetching = [path]
        let objects = try context.fetch(descriptor)
        let fetched = log.takeReads().count
        #expect(!objects.isEmpty)
        try read(objects)
        return [fetched, log.takeReads().count]
    }

    @Test func `a key path goes on after a class with subclasses`() throws {
        let owners = try statements(\VehicleTrip.vehicle?.owner) { trips in
            #expect(trips.count == 80)
            for trip in trips {
                let vehicle = try #require(trip.vehicle)
                #expect(vehicle.owner?.name == "of \(vehicle.plate)")
            }
        }
        #expect(owners == [3, 0])
        let trips = try statements(\VehicleTrip.vehicle?.trips) { trips in
            #expect(trips.allSatisfy { $0.vehicle?.trips.count == 2 })
        }
        #expect(trips == [3, 0])
        // What the class inherits, and what it declares itself.
        let inherited = try statements(\LorryCrate.truck?.owner) { crates in
            #expect(crates.allSatisfy { $0.truck?.owner?.name.hasPrefix("of l") == true })
        }
        #expect(inherited == [3, 0])
        let own = try statements(\LorryCrate.truck?.drivers) { crates in
            #expect(crates.allSatisfy { $0.truck?.drivers.count == 1 })
        }
        #expect(own == [4, 0])
        // From a class that inherits.
        let partners = try statements(\TankLorry.partner?.owner) { tanks in
            #expect(tanks.count == 20)
            #expect(tanks.allSatisfy { $0.partner?.owner?.name.hasPrefix("of l") == true })
        }
        #expect(partners == [3, 0])
        let first = try statements(\TankLorry.owner?.trucks) { tanks in
            #expect(tanks.allSatisfy { $0.owner?.trucks.isEmpty == true })
        }
        #expect(first == [3, 0])
        #expect(throws: QueryError.self) { try statements(\VehicleTrip.vehicle?.name) { _ in } }
    }
}
