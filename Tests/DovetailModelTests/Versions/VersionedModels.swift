import Dovetail

/// Anything in a garage; its models are of several versions.
@ModelProtocol
protocol GaragePart {
    var name: String { get }
}

/// Version 1 called the name `title`, version 2 had the power as a text with its unit.
@Model(version: 3)
struct Engine: GaragePart, Equatable {
    var name: String
    var power: Int

    static func migrate(_ document: inout ModelDocument, from version: Int) throws {
        switch version {
        case 1: document.rename("title", to: "name")
        default:
            let text = document["power"]?.stringValue ?? ""
            guard text.hasSuffix(" kW"), let power = Int(text.dropLast(3)) else {
                throw ModelDecodingError(
                    kind: .rejected,
                    path: "power",
                    expected: "a power in kW",
                    found: "\"\(text)\""
                )
            }
            document["power"] = .integer(power)
        }
    }

    static func demote(_ document: inout ModelDocument, to version: Int) throws {
        switch version {
        case 1: document.rename("name", to: "title")
        default: document["power"] = .string("\(document["power"]?.intValue ?? 0) kW")
        }
    }
}

/// Was called `Wheel`, and its size was in inches.
@Model(aliases: ["Wheel"], version: 2)
struct Tyre: GaragePart, Equatable {
    var name: String
    var millimetres: Double

    static func migrate(_ document: inout ModelDocument, from version: Int) throws {
        document["millimetres"] = .double((document.remove("inches")?.doubleValue ?? 0) * 25.4)
    }
}

/// Has no version.
@Model
struct Stud: GaragePart, Equatable {
    var name: String
}

/// The address was once in the owner's own object, and the city in that of the garage.
@Model(version: 2)
final class GarageOwner: Equatable {
    let name: String
    @Attribute(name: "address.street") private(set) var street: String
    var isMember = true

    init(name: String, street: String) {
        (self.name, self.street) = (name, street)
    }

    static func migrate(_ document: inout ModelDocument, from version: Int) throws {
        document["address.street"] = document.remove("street")
    }

    static func == (left: GarageOwner, right: GarageOwner) -> Bool {
        (left.name, left.street, left.isMember) == (right.name, right.street, right.isMember)
    }
}

@Model(version: 2)
enum Payment: Equatable {
    case card(number: Int)
    case cash

    static func migrate(_ document: inout ModelDocument, from version: Int) throws {
        document.rename("credit", to: "card")
    }
}

@Model(version: 2)
struct Workshop {
    var city: String
    var owner: GarageOwner
    var parts: [any GaragePart] = []
    var spare: (any GaragePart)?
    var shelves: [String: [any GaragePart]] = [:]
    var payment: Payment = .cash
    var engine: Engine?

    static func migrate(_ document: inout ModelDocument, from version: Int) throws {
        document["city"] = document["owner"]?.remove("city")
        document.rename("items", to: "parts")
    }

    static func demote(_ document: inout ModelDocument, to version: Int) throws {
        document["owner.city"] = document.remove("city")
        document.rename("parts", to: "items")
        if var engine = document["engine"] {
            try Engine.demoteMember(&engine, to: 1)
            document["engine"] = engine
        }
    }

    /// What ``oldText`` becomes.
    static var sample: Workshop {
        Workshop(
            city: "Oslo",
            owner: GarageOwner(name: "Ada", street: "Storgata 1"),
            parts: [
                Engine(name: "V8", power: 90), Engine(name: "V6", power: 70),
                Engine(name: "V4", power: 50), Tyre(name: "winter", millimetres: 25.4 * 20),
                Tyre(name: "summer", millimetres: 500), Stud(name: "M8"),
            ],
            spare: Tyre(name: "spare", millimetres: 254),
            shelves: ["top": [Engine(name: "old", power: 1)]],
            payment: .card(number: 7),
            engine: Engine(name: "built in", power: 60)
        )
    }

    static let oldText = """
        {"owner": {"name": "Ada", "street": "Storgata 1", "city": "Oslo"},
         "items": [
           {"$type": "Engine", "title": "V8", "power": "90 kW"},
           {"$type": "Engine", "$version": 2, "name": "V6", "power": "70 kW"},
           {"$type": "Engine", "$version": 3, "name": "V4", "power": 50},
           {"name": "winter", "inches": 20, "$type": "Wheel"},
           {"name": "summer", "$version": 2, "millimetres": 500, "$type": "Tyre"},
           {"$type": "Stud", "name": "M8"}],
         "spare": {"$type": "Tyre", "name": "spare", "inches": 10},
         "shelves": {"top": [{"$type": "Engine", "title": "old", "power": "1 kW"}]},
         "payment": {"credit": {"number": 7}},
         "engine": {"title": "built in", "power": "60 kW"}}
        """

    static var oldDocument: ModelDocument {
        get throws { try ModelDocument(decoding: Data(oldText.utf8), as: .json) }
    }
}
