import Dovetail

// One set of conformers for every form of tagging.

@ModelProtocol(typeKey: "$type", aliases: ["model_type", "Vehicle"])
protocol Vehicle { var wheels: Int { get } }

@ModelProtocol(tagging: .adjacent(tag: "t", content: "c"))
protocol BesideVehicle: Vehicle {}

/// Has its parent's key and tagging.
@ModelProtocol
protocol BesideCar: BesideVehicle {}

@ModelProtocol(tagging: .external)
protocol AroundVehicle: Vehicle {}

@ModelProtocol
protocol AroundCar: AroundVehicle {}

/// Goes back to a key inside of the object.
@ModelProtocol(tagging: .internal)
protocol InsideAgain: BesideVehicle {}

@ModelProtocol(typeKey: "kind", tagKind: .integer)
protocol NumberedVehicle: Vehicle {}

@ModelProtocol(aliases: ["tag"], tagging: .adjacent(tag: "t", content: "c"), tagKind: .integer)
protocol NumberedBeside: Vehicle {}

@Model(typeName: "lorry", aliases: ["truck", "camión 7"])
struct Lorry: BesideCar, AroundCar, InsideAgain, Equatable {
    var wheels = 6
    var load: Int
}

@Model
struct Bike: BesideCar, AroundCar, InsideAgain, Equatable {
    var wheels: Int { 2 }
}

/// Is no object in documents.
@Model
enum Skate: String, BesideCar, AroundCar, InsideAgain {
    case inline, quad
    var wheels: Int { 4 }
}

/// Holds another one of its kind.
@Model
struct Transporter: BesideCar, AroundCar, Vehicle {
    var wheels: Int
    var beside: (any BesideVehicle)?
    var around: [any AroundVehicle] = []
}

@Model(typeName: "3", aliases: ["33", "old"])
struct Rickshaw: NumberedVehicle, NumberedBeside, Equatable {
    var wheels = 3
    var kind: Int?
}

@Model(typeName: "-10")
struct Sledge: NumberedVehicle, NumberedBeside, Equatable {
    var wheels: Int { 0 }
    var name = "s"
}

/// Cannot be told apart by a number.
@Model
struct Nameless: NumberedVehicle, NumberedBeside { var wheels: Int { 0 } }
