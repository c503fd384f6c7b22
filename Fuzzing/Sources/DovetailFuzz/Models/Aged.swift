import Dovetail

/// Unknown elements, and those that cannot be read, lose nothing.
@ModelProtocol(aliases: ["kind"], unknown: .preserve)
protocol Relic { var label: String { get } }

@Model
struct Site: Hashable, Sendable {
    var name: String
    var depth: Double?
}

/// Its steps give another name, and move fields into an object and out of one.
@Model(aliases: ["Vase"], version: 3)
struct Urn: Relic {
    var label: String
    var site: Site?
    var pieces: [any Relic] = []
    var weight: Int?

    static func migrate(_ document: inout ModelDocument, from version: Int) throws {
        switch version {
        case 1:
            document.rename("name", to: "label")
            if let place = document.remove("place") { document["site"] = ["name": place] }
        default:
            if let weight = document.remove("site.weight") { document["weight"] = weight }
            if let piece = document.remove("piece") { document["pieces"] = [piece] }
        }
    }
}

/// Keeps what it does not declare, and its step puts in what JSON lacks.
@Model(version: 2, unknownFields: .preserve)
struct Scroll: Relic {
    var label: String
    var found: Date
    var inner: [Scroll]?

    static func migrate(_ document: inout ModelDocument, from version: Int) throws {
        document["found"] = .date(Date(timeIntervalSinceReferenceDate: 64))
        if let inner = document.remove("in") { document["inner"] = inner }
    }
}

/// Is what its step makes of any object.
@Model(version: 2, unknownFields: .preserve)
struct Anything {
    static func migrate(_ document: inout ModelDocument, from version: Int) throws {
        migrate(&document)
    }

    static func migrate(_ document: inout ModelDocument) {
        switch document.count % 8 {
        case 0: document.rename("a", to: "b")
        case 1: document.remove("a")
        case 2: document["new"] = document.members?.last?.value
        case 3: document["at"] = .date(Date(timeIntervalSinceReferenceDate: 8))
        case 4: document["a.x[0]"] = 1
        case 5: document = .object((document.members ?? []).reversed())
        case 6: document["self"] = document
        default:
            if var value = document["a"] {
                value["b"] = 2
                document["a"] = value
            }
        }
    }
}
