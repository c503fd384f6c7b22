import Dovetail

// Three levels of classes in one table, with relationships of each, and to each.

@Model class Vehicle {
    #Index<Vehicle>([\.name])
    @Attribute(.unique) var plate: String
    var name: String
    var wheels = 4 {
        didSet { changes += 1 }
    }
    @Transient var changes = 0
    var owner: VehicleOwner?
    @Relationship(deleteRule: .cascade, inverse: \VehicleTrip.vehicle) var trips: [VehicleTrip] = []

    init(_ plate: String, name: String = "") {
        self.plate = plate
        self.name = name
    }

    convenience init(from plate: Int) { self.init("\(plate)") }

    func describe() -> String { "vehicle \(plate)" }
}

@available(macOS 26, *)
@Model class Lorry: Vehicle {
    #Unique<Lorry>([\.depot, \.bay])
    var load: Double
    var depot: String
    var bay: Int
    var note: String?
    @Relationship(deleteRule: .cascade) var crates: [LorryCrate] = []
    var drivers: [VehicleOwner] = []

    init(_ plate: String, load: Double, bay: Int = 0, depot: String = "main") {
        self.load = load
        self.depot = depot
        self.bay = bay
        super.init(plate)
        name = "truck"
        wheels = 6
    }

    override var name: String {
        didSet { changes += 100 }
    }

    override func describe() -> String { "truck of " + super.describe() }
}

@available(macOS 26, *)
@Model final class TankLorry: Lorry {
    var liquid: String
    var note2: Int?
    var partner: Lorry?

    init(_ plate: String, liquid: String, bay: Int = 0) {
        self.liquid = liquid
        super.init(plate, load: 9, bay: bay, depot: "tanks")
    }

    deinit {}
}

@Model final class Bicycle: Vehicle {
    /// As the property of a truck, and of another type.
    var note: Int
    var basket: BicycleBasket?
    /// The class above knows no such rule.
    @Relationship(deleteRule: .cascade) var bell: BicycleBell?

    override init(_ plate: String, name: String = "bike") {
        note = 7
        super.init(plate, name: name)
        wheels = 2
    }
}

/// Without attributes of its own.
@Model final class Scooter: Vehicle {
    override init(_ plate: String, name: String = "") { super.init(plate, name: name) }
}

/// Without initializers of its own: it has those of the class above.
@Model final class Moped: Vehicle {
    var gears = 3
    var colour: String?
    let kind = "moped"
    @Relationship(deleteRule: .cascade) var lamps: [MopedLamp] = []

    convenience init(gears: Int) {
        self.init(from: gears)
        self.gears = gears
    }
}

/// The same, two levels below the first class.
@Model final class TowLorry: Lorry {
    var length: Double?
    var tows: Vehicle?
}

@Model final class MopedLamp {
    var watts: Int

    init(_ watts: Int) { self.watts = watts }
}

@Model final class VehicleOwner {
    var name: String
    var vehicles: [Vehicle] = []
    var trucks: [Lorry] = []

    init(_ name: String) { self.name = name }
}

@Model final class VehicleTrip {
    var number: Int
    var vehicle: Vehicle?

    init(_ number: Int) { self.number = number }
}

@Model final class LorryCrate {
    var weight: Double
    var truck: Lorry?

    init(_ weight: Double) { self.weight = weight }
}

@Model final class BicycleBell {
    var tone: Int

    init(_ tone: Int) { self.tone = tone }
}

@Model final class BicycleBasket {
    var size: Int
    var bicycle: Bicycle?

    init(_ size: Int) { self.size = size }
}

/// A value that has some columns of a truck.
@Model struct LorryNote {
    @Attribute(.primaryKey) var plate: String
    var note: String?
}

/// A subclass without the macro.
class UnknownVehicle: Vehicle {}

/// One that is not final, alone, with the initializer of `EntityWithID`.
@Model class OpenEntity {
    @Attribute(.primaryKey) var id: Int
    var title = "new"

    required init(id: Int) { self.id = id }
}

extension OpenEntity: EntityWithID {}

/// One below it.
@Model final class ClosedEntity: OpenEntity {
    var more = "more"

    required init(id: Int) { super.init(id: id) }
}
