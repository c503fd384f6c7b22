import Dovetail
import Foundation
import Observation
import StoreTestSupport
import Synchronization
import Testing

/// Classes that inherit from a class with `@Model`, and share its table.
struct InheritanceTests {
    private static let classes: [any Model.Type] = [
        TankLorry.self, Bicycle.self, Scooter.self, Vehicle.self,
    ]

    /// A context with one vehicle of each class, which is saved.
    private func fleet(_ kind: StoreKind) throws -> ModelContext {
        let context = ModelContext(try kind.container(Self.classes))
        let (ann, bob) = (VehicleOwner("Ann"), VehicleOwner("Bob"))
        let vehicle = Vehicle("v", name: "car")
        let truck = Lorry("t", load: 5, bay: 1)
        let tank = TankLorry("k", liquid: "milk", bay: 2)
        let bicycle = Bicycle("b")
        vehicle.owner = ann
        tank.owner = ann
        vehicle.trips = [VehicleTrip(1)]
        truck.trips = [VehicleTrip(2), VehicleTrip(3)]
        truck.crates = [LorryCrate(1), LorryCrate(2)]
        tank.crates = [LorryCrate(3)]
        truck.drivers = [ann, bob]
        bob.trucks.append(tank)
        tank.partner = truck
        bicycle.basket = BicycleBasket(3)
        bicycle.bell = BicycleBell(4)
        for object in [vehicle, truck, tank, bicycle, Scooter("s")] { context.insert(object) }
        try context.save()
        return context
    }

    private func plates(
        _ context: ModelContext,
        _ predicate: Predicate<Vehicle>? = nil
    ) throws -> [String] {
        let descriptor = FetchDescriptor(predicate: predicate, sortBy: [SortDescriptor(\.plate)])
        let found = try context.fetch(descriptor)
        #expect(try context.fetchCount(descriptor) == found.count)
        #expect(try context.fetchIdentifiers(descriptor) == found.map(\.persistentModelID))
        return found.map(\.plate)
    }

    private func trucks(
        _ context: ModelContext,
        _ predicate: Predicate<Lorry>? = nil
    ) throws -> [String] {
        let descriptor = FetchDescriptor(predicate: predicate, sortBy: [SortDescriptor(\.plate)])
        let found = try context.fetch(descriptor)
        #expect(try context.fetchCount(descriptor) == found.count)
        return found.map(\.plate)
    }

    @Test(arguments: StoreKind.allCases)
    func `a fetch gives objects of the classes that they are of`(_ kind: StoreKind) throws {
        let context = ModelContext(try fleet(kind).container)
        let all = try context.fetch(FetchDescriptor<Vehicle>(sortBy: [SortDescriptor(\.plate)]))
        #expect(
            all.map { "\(type(of: $0))" } == [
                "Bicycle", "TankLorry", "Scooter", "Lorry", "Vehicle",
            ]
        )
        #expect(all.map(\.wheels) == [2, 6, 4, 6, 4])
        let trucks = try context.fetch(FetchDescriptor<Lorry>(sortBy: [SortDescriptor(\.load)]))
        #expect(trucks.map(\.plate) == ["t", "k"])
        #expect(trucks.map { $0.describe() } == ["truck of vehicle t", "truck of vehicle k"])
        #expect(trucks[0] === all[3] && trucks[1] === all[1])
        let tanks = try context.fetch(FetchDescriptor<TankLorry>())
        #expect(tanks.count == 1 && tanks[0] === all[1] && tanks[0].liquid == "milk")
        #expect(tanks[0].partner === trucks[0])
        let bicycles = try context.fetch(FetchDescriptor<Bicycle>())
        #expect(bicycles.map(\.note) == [7] && bicycles[0].basket?.size == 3)
        let ids = all.map(\.persistentModelID)
        #expect(ids.map(\.entityName) == ["Bicycle", "TankLorry", "Scooter", "Lorry", "Vehicle"])
        #expect(tanks[0].persistentModelID == ids[1])
        let other = ModelContext(context.container)
        #expect(other.model(for: ids[1]) is TankLorry)
        let seen: Vehicle? = other.registeredModel(for: ids[1])
        #expect(seen is TankLorry)
        let none: Bicycle? = other.registeredModel(for: ids[1])
        #expect(none == nil)
        var enumerated: [String] = []
        try other.enumerate(FetchDescriptor<Lorry>(sortBy: [SortDescriptor(\.plate)]), batchSize: 1)
        {
            enumerated.append($0.plate)
        }
        #expect(enumerated == ["k", "t"])
    }

    @Test(arguments: StoreKind.allCases)
    func `relationships of a class hold objects of subclasses`(_ kind: StoreKind) throws {
        let context = ModelContext(try fleet(kind).container)
        let owners = try context.fetch(
            FetchDescriptor<VehicleOwner>(sortBy: [SortDescriptor(\.name)])
        )
        #expect(owners[0].vehicles.map(\.plate).sorted() == ["k", "v"])
        #expect(owners[0].vehicles.contains { $0 is TankLorry })
        #expect(
            owners[0].trucks.map(\.plate) == ["t"] && owners[1].trucks.map(\.plate) == ["t", "k"]
        )
        let truck = try #require(owners[0].trucks.first)
        #expect(truck.crates.map(\.weight) == [1, 2] && truck.crates[0].truck === truck)
        #expect(truck.trips.map(\.number) == [2, 3] && truck.trips[1].vehicle === truck)
        #expect(truck.drivers.map(\.name) == ["Ann", "Bob"])
        truck.owner = owners[1]
        #expect(owners[1].vehicles.first === truck)
        truck.trips.removeFirst()
        truck.crates.swapAt(0, 1)
        truck.drivers.removeLast()
        try context.save()
        let other = ModelContext(context.container)
        let same = try #require(other.model(for: truck.persistentModelID) as? Lorry)
        #expect(same.owner?.name == "Bob" && same.trips.map(\.number) == [3])
        #expect(same.crates.map(\.weight) == [2, 1] && same.drivers.map(\.name) == ["Ann"])
        other.delete(same)
        try other.save()
        #expect(try other.fetchCount(FetchDescriptor<LorryCrate>()) == 1)
        #expect(try other.fetch(FetchDescriptor<VehicleTrip>()).map(\.number).sorted() == [1, 2])
        context.processPendingChanges()
        #expect(truck.isDeleted && owners[0].trucks.isEmpty)
    }

    @Test(arguments: StoreKind.allCases)
    func `predicates ask for inherited and own attributes, and for the class`(
        _ kind: StoreKind
    ) throws {
        let context = ModelContext(try fleet(kind).container)
        for isPending in [false, true] {
            if isPending { context.insert(Lorry("z", load: 5, bay: 9, depot: "far")) }
            let more = isPending ? ["z"] : []
            #expect(try trucks(context, #Predicate { $0.load == 5 }) == ["t"] + more)
            #expect(try trucks(context, #Predicate { $0.plate == "k" && $0.wheels == 6 }) == ["k"])
            #expect(try plates(context, #Predicate { $0.wheels == 6 }) == ["k", "t"] + more)
            #expect(try plates(context, #Predicate { $0 is Lorry }) == ["k", "t"] + more)
            #expect(try plates(context, #Predicate { !($0 is Lorry) }) == ["b", "s", "v"])
            #expect(
                try plates(context, #Predicate { ($0 as? Lorry)?.load == 5 }) == ["t"] + more
            )
            #expect(try plates(context, #Predicate { ($0 as? TankLorry)?.plate == "k" }) == ["k"])
            #expect(try plates(context, #Predicate { ($0 as? Bicycle)?.note == 7 }) == ["b"])
            #expect(
                try plates(context, #Predicate { ($0 as? Bicycle)?.basket?.size == 3 }) == ["b"]
            )
            #expect(
                try plates(context, #Predicate { ($0 as? Lorry)?.crates.isEmpty == false })
                    == ["k", "t"]
            )
            #expect(try plates(context, #Predicate { $0.owner?.name == "Ann" }) == ["k", "v"])
            #expect(try trucks(context, #Predicate { $0.owner?.name == "Ann" }) == ["k"])
            #expect(
                try trucks(context, #Predicate { $0.trips.contains { $0.number == 3 } }) == ["t"]
            )
            #expect(
                try trucks(context, #Predicate { $0.drivers.contains { $0.name == "Bob" } })
                    == ["k", "t"]
            )
            let trips = FetchDescriptor<VehicleTrip>(
                predicate: #Predicate { $0.vehicle is Lorry },
                sortBy: [SortDescriptor(\.number)]
            )
            #expect(try context.fetch(trips).map(\.number) == [2, 3])
            let loads = FetchDescriptor<VehicleTrip>(
                predicate: #Predicate { ($0.vehicle as? Lorry)?.load == 5 }
            )
            #expect(try context.fetchCount(loads) == 2)
            let owners = FetchDescriptor<VehicleOwner>(
                predicate: #Predicate { $0.vehicles.contains { $0 is TankLorry } }
            )
            #expect(try context.fetch(owners).map(\.name) == ["Ann"])
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `columns are selected, summed and read as values`(_ kind: StoreKind) throws {
        let context = try fleet(kind)
        let truck = try #require(
            try context.fetch(FetchDescriptor<Lorry>()).first { $0.plate == "t" }
        )
        for isSaved in [false, true] {
            truck.note = "noted"
            if isSaved { try context.save() }
            #expect(try context.sum(\Lorry.load) == 14)
            #expect(try context.sum(\TankLorry.load) == 9)
            #expect(try context.max(\Vehicle.wheels) == 6)
            #expect(try context.min(\Bicycle.wheels) == 2)
            let names = try context.select(
                .value(\Lorry.plate),
                .value(\Lorry.load),
                sortBy: [SortDescriptor(\.load)]
            )
            #expect(names.map(\.0) == ["t", "k"] && names.map(\.1) == [5, 9])
            let sorted = FetchDescriptor<Lorry>(sortBy: [SortDescriptor(\.plate)])
            let notes = try context.fetch(sorted, as: LorryNote.self)
            #expect(notes.map(\.plate) == ["k", "t"] && notes.map(\.note) == [nil, "noted"])
            #expect(throws: QueryError.self) {
                try context.fetch(FetchDescriptor<Vehicle>(), as: LorryNote.self)
            }
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `the table has the columns of all classes, and rows what theirs requires`(
        _ kind: StoreKind
    ) throws {
        let container = try kind.container(Self.classes)
        let table = try #require(container.schema.bindings.first { $0.table == "Vehicle" })
        #expect(container.schema.bindings.filter { $0.type is any PersistentModel.Type }.count == 6)
        #expect(
            table.attributes.map(\.name) == [
                "plate", "name", "wheels", "Bicycle$note", "load", "depot", "bay", "Lorry$note",
                "liquid", "note2", "owner", "basket", "bell", "partner",
                "VehicleOwner$vehicles$order",
                "$type", "$id",
            ]
        )
        #expect(
            table.description.classes?.required.keys.sorted() == [
                "Bicycle", "Lorry", "Scooter", "TankLorry",
            ]
        )
        let entities = container.schema.entitiesByName
        #expect(entities["TankLorry"]?.superentityName == "Lorry")
        #expect(
            entities["Lorry"]?.attributes.map(\.name) == [
                "plate", "name", "wheels", "load", "depot", "bay", "note",
            ]
        )
        #expect(
            entities["Lorry"]?.relationships.map(\.name) == ["owner", "trips", "crates", "drivers"]
        )
        // A row of a truck without its load.
        let row = RowImage(columns: table.attributes.count)
        for (column, attribute) in table.attributes.enumerated() where !attribute.isOptional {
            switch attribute.name {
            case "$type": try QueryValue.text("Lorry").set(column, of: row)
            case "plate", "name": try QueryValue.text("x").set(column, of: row)
            default: row.set(column, integer: 1)
            }
        }
        let error = #expect(throws: StoreError.self) {
            try container.store.withConnection { connection in
                let writer = try connection.writer(.insert, into: table)
                try row.write(to: writer)
                try writer.finishRow()
            }
        }
        #expect(error?.kind == .constraintViolation)
    }

    @Test(arguments: StoreKind.allCases)
    func `a class is found from its subclasses, its relationships, or is missed with an error`(
        _ kind: StoreKind
    ) throws {
        let only = try kind.container(TankLorry.self)
        #expect(only.schema.entitiesByName["Vehicle"] != nil)
        let context = ModelContext(only)
        context.insert(Bicycle("b"))
        let missing = #expect(throws: StoreError.self) { try context.save() }
        #expect(missing?.kind == .invalidSchema && missing?.table == "Bicycle")
        context.rollback()
        context.insert(UnknownVehicle("u"))
        let unmarked = #expect(throws: StoreError.self) { try context.save() }
        #expect(unmarked?.explanation.contains("@Model") == true)
        let refused = #expect(throws: StoreError.self) {
            _ = try kind.container(UnknownVehicle.self)
        }
        #expect(refused?.kind == .invalidSchema)
    }

    @Test func `rows of a class that is not named are an error, and so is a table without it`()
        throws
    {
        let url = FileManager.default.temporaryDirectory
            .appendingPathComponent("inheritance-\(UUID().uuidString).sqlite")
        defer {
            for end in ["", "-wal", "-shm"] {
                try? FileManager.default.removeItem(atPath: url.path + end)
            }
        }
        func open(_ models: any Model.Type...) throws -> ModelContext {
            ModelContext(
                try ModelContainer(for: models, configuration: ModelConfiguration(url: url))
            )
        }
        let first = try open(Bicycle.self)
        first.insert(Bicycle("b"))
        try first.save()
        // It has no column of its own.
        let second = try open(Bicycle.self, Scooter.self)
        second.insert(Scooter("s"))
        try second.save()
        #expect(try second.fetchCount(FetchDescriptor<Vehicle>()) == 2)
        let error = #expect(throws: StoreError.self) { try first.fetch(FetchDescriptor<Vehicle>()) }
        #expect(error?.kind == .invalidSchema && error?.explanation.contains("class") == true)
        #expect(try first.fetch(FetchDescriptor<Bicycle>()).map(\.plate) == ["b"])
        let grown = #expect(throws: StoreError.self) { _ = try open(Bicycle.self, TankLorry.self) }
        #expect(grown?.explanation.contains("liquid: the column is new") == true)
        #expect(grown?.explanation.contains("liquid: is required of TankLorry now") == true)
    }

    @Test(arguments: StoreKind.allCases)
    func `deletions by a predicate take subclasses, or not`(_ kind: StoreKind) throws {
        for hasObjects in [false, true] {
            let first = try fleet(kind)
            let context = hasObjects ? first : ModelContext(first.container)
            try context.delete(model: TankLorry.self, where: #Predicate { $0.load > 1 })
            try context.save()
            #expect(try plates(context) == ["b", "s", "t", "v"])
            try context.delete(model: Vehicle.self, includeSubclasses: false)
            try context.save()
            #expect(try plates(context) == ["b", "s", "t"])
            try context.delete(model: Vehicle.self, where: #Predicate { $0.wheels > 3 })
            try context.save()
            #expect(try plates(context) == ["b"])
            try context.delete(model: Vehicle.self)
            try context.save()
            #expect(try plates(context) == [])
            #expect(try context.fetchCount(FetchDescriptor<BicycleBell>()) == 0)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `unique values hold for all classes, and an object does not become one of another`(
        _ kind: StoreKind
    ) throws {
        let context = try fleet(kind)
        let again = Lorry("t", load: 50, bay: 8)
        context.insert(again)
        try context.save()
        #expect(try trucks(context) == ["k", "t"] && again.crates.count == 2)
        context.insert(Bicycle("t"))
        let other = #expect(throws: StoreError.self) { try context.save() }
        #expect(other?.kind == .uniqueViolation && other?.explanation.contains("class") == true)
        context.rollback()
        // The group of the truck: a tank truck is one.
        let tank = TankLorry("new", liquid: "oil", bay: 2)
        context.insert(tank)
        try context.save()
        #expect(try plates(context) == ["b", "new", "s", "t", "v"])
        #expect(tank.crates.map(\.weight) == [3])
    }

    @Test(arguments: StoreKind.allCases)
    func `two contexts merge, conflict and roll back`(_ kind: StoreKind) throws {
        let first = try fleet(kind)
        let second = ModelContext(first.container)
        let mine = try #require(try first.fetch(FetchDescriptor<TankLorry>()).first)
        let theirs = try #require(
            try second.fetch(FetchDescriptor<Vehicle>()).first { $0 is TankLorry } as? TankLorry
        )
        theirs.name = "theirs"
        theirs.liquid = "oil"
        try second.save()
        mine.load = 77
        try first.save()
        #expect(mine.name == "theirs" && mine.liquid == "oil")
        second.processPendingChanges()
        #expect(theirs.load == 77)
        theirs.liquid = "wine"
        try second.save()
        mine.liquid = "water"
        let error = try #require(throws: ConflictError.self) { try first.save() }
        #expect(error.conflicts.map(\.identifier) == [mine.persistentModelID])
        #expect(error.conflicts[0].attributes == ["liquid"])
        #expect(error.conflicts[0].mine?["load"] == .double(77))
        first.conflictPolicy = .contextWins
        try first.save()
        second.processPendingChanges()
        #expect(theirs.liquid == "water")
        theirs.liquid = "sand"
        theirs.name = "sand"
        theirs.trips.append(VehicleTrip(9))
        second.rollback()
        #expect(theirs.liquid == "water" && theirs.name == "theirs" && theirs.trips.isEmpty)
        try? second.transaction {
            theirs.load = 1
            try second.save()
            throw CancellationError()
        }
        #expect(theirs.load == 77)
    }

    @Test(arguments: StoreKind.allCases)
    func `a property is observed in whichever class it is`(_ kind: StoreKind) throws {
        let first = try fleet(kind)
        let second = ModelContext(first.container)
        let tank = try #require(try first.fetch(FetchDescriptor<TankLorry>()).first)
        let theirs = try #require(try second.fetch(FetchDescriptor<TankLorry>()).first)
        func changes(_ read: () -> Void, _ change: () throws -> Void) rethrows -> Bool {
            let isSeen = Atomic(false)
            withObservationTracking(read) { isSeen.store(true, ordering: .relaxed) }
            try change()
            return isSeen.load(ordering: .relaxed)
        }
        #expect(changes({ _ = tank.name }, { tank.name = "x" }))
        #expect(changes({ _ = tank.load }, { (tank as Lorry).load = 3 }))
        #expect(!changes({ _ = tank.load }, { tank.liquid = "y" }))
        #expect(changes({ _ = tank.trips }, { VehicleTrip(5).vehicle = tank }))
        #expect(changes({ _ = tank.crates }, { LorryCrate(5).truck = tank }))
        first.rollback()
        // What others have saved.
        theirs.name = "theirs"
        theirs.liquid = "theirs"
        theirs.crates = []
        try second.save()
        #expect(changes({ _ = tank.name }, { first.processPendingChanges() }))
        theirs.liquid = "again"
        try second.save()
        #expect(changes({ _ = tank.liquid }, { first.processPendingChanges() }))
        #expect(tank.crates.isEmpty)
    }

    @Test func `initializers and observers of properties run in their class`() {
        let truck = Lorry("t", load: 1)
        #expect(truck.wheels == 6 && truck.name == "truck" && truck.changes == 101)
        truck.name = "other"
        #expect(truck.changes == 201)
        let vehicle = Vehicle(from: 12)
        #expect(vehicle.plate == "12" && vehicle.changes == 0)
        let (ann, tank) = (VehicleOwner("Ann"), TankLorry("k", liquid: "milk"))
        tank.drivers = [ann]
        tank.owner = ann
        #expect(ann.trucks.first === tank && ann.vehicles.first === tank)
        tank.setValue(forKey: \.plate, to: "other")
        #expect(tank.getValue(forKey: \.plate) == "other")
        let names = TankLorry.schemaMetadata.map(\.name)
        #expect(
            names == [
                "plate", "name", "wheels", "load", "depot", "bay", "note", "liquid", "note2",
                "owner",
                "trips", "crates", "drivers", "partner",
            ]
        )
    }

    private func first<Object: PersistentModel>(
        _ type: Object.Type,
        _ context: ModelContext
    ) throws -> Object? {
        var descriptor = FetchDescriptor<Object>()
        descriptor.fetchLimit = 1
        return try context.fetch(descriptor).first
    }

    @Test(arguments: StoreKind.allCases)
    func `generic code works with each class, and finders in one that is not final`(
        _ kind: StoreKind
    ) throws {
        let context = try fleet(kind)
        #expect(try first(TankLorry.self, context)?.plate == "k")
        #expect(try first(Bicycle.self, context)?.plate == "b")
        let entities = ModelContext(try kind.container(ClosedEntity.self))
        try OpenEntity.findOrCreate(id: 1, in: entities).title = "one"
        try ClosedEntity.findOrCreate(id: 2, in: entities).title = "two"
        try entities.save()
        let other = ModelContext(entities.container)
        #expect(try OpenEntity.findOrCreate(id: 2, in: other) is ClosedEntity)
        #expect(try OpenEntity.findOrCreate(id: 1, in: other).title == "one")
        let drafts = EntitiesInMemory()
        try OpenEntity.findOrCreate(id: 1, in: drafts).title = "one"
        try ClosedEntity.findOrCreate(id: 2, in: drafts).title = "two"
        #expect(try OpenEntity.findOrCreate(id: 2, in: drafts) is ClosedEntity)
        #expect(try ClosedEntity.object(id: 1, in: drafts) == nil)
        #expect(
            try ClosedEntity.object(in: other, where: #Predicate { $0.id == 2 })?.more == "more"
        )
        let id = OpenEntity(id: 3).persistentModelID
        #expect(id.entityName == "OpenEntity")
        let alone = ModelContext(try kind.container(OpenEntity.self))
        try OpenEntity.findOrCreate(id: 5, in: alone).title = "five"
        try alone.save()
        let five = FetchDescriptor<OpenEntity>(predicate: #Predicate { $0.title == "five" })
        #expect(try ModelContext(alone.container).fetch(five).map(\.id) == [5])
    }
}
