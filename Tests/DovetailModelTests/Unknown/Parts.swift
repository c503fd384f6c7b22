import Dovetail

// Conformers of protocols that preserve unknown elements, in every form of tagging.

@ModelProtocol(typeKey: "kind", aliases: ["was"], unknown: .preserve)
protocol Part: Sendable {
    var name: String { get }
    var weight: Double? { get }
    var grade: Grade { get }
    var parts: [any Part] { get }
    func label() -> String
}

extension Part {
    var weight: Double? { nil }
    var grade: Grade { .good }
    var parts: [any Part] { [] }
    func label() -> String { "part " + name }
}

/// Keeps unknown elements too; the policy is not handed down.
@ModelProtocol(unknown: .preserve)
protocol MovingPart: Part {
    var speed: Int { get }
}

@Model
enum Grade: String, UnknownDefault {
    case good, bad
    static var unknownDefault: Grade { .bad }
}

@Model
struct Bolt: Part, Equatable {
    var name: String
    var size = 1
}

@Model
struct Wheel: MovingPart, Equatable {
    var name: String
    var speed: Int
}

@Model
struct Assembly: Part {
    var name: String
    var parts: [any Part] = []
    var main: (any Part)?
    var byName: [String: any Part] = [:]
    var moving: [any MovingPart] = []
}

@Model
struct Stock: Identifiable {
    var id: Int
    var one: any Part
    var maybe: (any Part)?
    var all: [any Part] = []
    var named: [String: any Part] = [:]
}

@ModelProtocol(tagging: .adjacent(tag: "t", content: "c"), unknown: .preserve)
protocol BesidePart {
    var name: String { get }
}

@ModelProtocol(tagging: .external, unknown: .preserve)
protocol AroundPart {
    var name: String { get }
}

@ModelProtocol(typeKey: "n", tagKind: .integer, unknown: .preserve, conformers: Gear.self)
protocol NumberedPart: MovingPart {}

@Model(typeName: "7")
struct Gear: NumberedPart, BesidePart, AroundPart, Equatable {
    var name: String
    var speed = 0
}
