// swift-format-ignore-file
// What the macros write for these declarations is in Expanded.txt; see expansions.sh.
import Dovetail

// Structs, with and without the initializer that the compiler writes.

@Model public struct Plain { var id: Int; var name: String; var note: String?; var isOpen = false }
@Model struct OwnInitializer { var x: Int; var y = 1; init(x: Int) { self.x = x } }
@Model struct LocalDefault { var x: Int; var y: Int = [1, 2].count }
@Model struct Empty {}
@Model(naming: .snakeCase, typeName: "named", aliases: ["old"]) struct Named {
    var createdAt: Date
    @Attribute(name: "html", aliases: ["page"]) var `default`: URL
}
@Model struct Nested {
    @Attribute(name: "profile.avatar.url") var avatar: String
    @Attribute(name: "profile.name") var name: String?
}
@Model struct Keyed { @Attribute(.primaryKey) var code: String; var x = 0 }
@Model struct KeyedTwice { @Attribute(.primaryKey) var a: Int; @Attribute(.primaryKey) var b: Int }
@Model(naming: .snakeCase, table: "existing_table") public struct Tabled {
    #Unique<Tabled>([\.mail], [\.city, \.ownerName])
    #Index<Tabled>([\.ownerName], [\.city, \.rank])
    @Attribute(.primaryKey, .generated) public var id: Int64?
    @Attribute(.unique, name: "e_mail") var mail: String
    var ownerName: String, city: String, rank: Int
    @Attribute(.references(Keyed.self, deleteRule: .cascade)) var keyed: Keyed.ID
    @Attribute(.unique, .references(Tabled.self, deleteRule: .nullify)) var parent: Tabled.ID
}
@Model struct Collected {
    @Attribute(.omittedWhenEmpty) var tags: [String]
    @Attribute(.omittedWhenEmpty) var counts: [String: Int] = [:]
    @Attribute(.transformed(by: SecondsSince1970.self)) var date: Date
}
@Model(unknownFields: .preserve) struct Keeping {
    var x: Int
    @Attribute(name: "data.y") var y: Int?
    @Attribute(.omittedWhenEmpty, name: "data.z") var z: [Int] = []
}
@Model(version: 3, unknownFields: .throw) struct Versioned { var x: Int }
@Model struct Constant { let kind: String = "push"; @Attribute(.constant) let version = 3; var x: Int }
@Model struct Generic<Value: ModelValue> { var value: Value }
@Model final class Object { var x: Int; var y = "a"; init() { x = 0 } }
enum Outer { struct Part: Codable {}; @Model struct Inner { var part: Part?; var x: Int } }
enum Around {
    @Model final class Hull { #Index<Hull>([\.x]); @Attribute(.references(Hull.self)) var x: Int; init() { x = 0 } }
}

// Enums.

@Model enum Raw: String { case open, closed = "done"; @Fallback case other }
@Model enum Number: Int { case one = 1; @Fallback case other = 0 }
@Model enum Kept { case open, closed; @Fallback case other(String) }
@Model indirect enum Tree { case leaf, node(left: Tree, right: Tree?, Int) }

// Protocols.

@ModelProtocol public protocol Asset { var name: String { get } }
@ModelProtocol protocol Refined: Asset {}
@ModelProtocol(tagging: .adjacent(tag: "t", content: "c"), tagKind: .integer) protocol Adjacent {}
@ModelProtocol(tagging: .external, unknown: .skip) protocol External {}
@ModelProtocol(typeKey: "kind", aliases: ["type"], unknown: .preserve) protocol Preserved {
    var title: String { get }
}
@ModelProtocol(conformers: Listed.self) protocol Closed {}
@Model struct Listed: Closed { var assets: [any Asset]; @Attribute(unknown: .skip) var some: [any Refined] }
