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
@Model final class Optioned {
    @Attribute(.unique, .spotlight, originalName: "old", hashModifier: "2") var name = ""
    @Attribute(.ephemeral) var isOpen = false
    @Attribute(.externalStorage) var cover: String?
    @Relationship(.unique, deleteRule: .deny, minimumModelCount: 1, originalName: "o") var object: Object?
    init() {}
}
@Model final class Watched {
    var x = 0 { didSet { y = x } }
    var y: Swift::Int = 0
    var next: Watched?
    init(next: Watched?) { self.next = next }
    convenience init() { self.init(next: nil) }
}
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
@ModelProtocol(conformers: Listed.self) protocol Closed { var size: Int { get } }
@Model struct Listed: Closed {
    var assets: [any Asset]
    @Attribute(unknown: .skip) var some: [any Refined]
    @Attribute(name: "amount", satisfies: \(any Closed).size) var count: Int
    var size: Int { count }
}
@ModelProtocol protocol Fed: Refined, Adjacent, Sendable {
    associatedtype Food
    var food: Food { get }
    var `default`: Int { get set }
    static var number: Int { get }
}

@Model struct Titled: Asset { var name: String; var size: Int }

// Predicates. The declaration in this module is always taken, Foundation's or not.

@freestanding(expression)
macro Predicate<Input>(_ body: (Input) throws -> Bool) -> Foundation.Predicate<Input> =
    #externalMacro(module: "DovetailMacros", type: "PredicateMacro")
@freestanding(expression)
macro Expression<Input, Output>(_ body: (Input) throws -> Output) -> Foundation.Expression<Input, Output> =
    #externalMacro(module: "DovetailMacros", type: "PredicateMacro")

@Model enum Stage: String { case open, closed }
struct Owner: Codable { var name: String; var city: String?; var age: Int? }
struct Job: Codable {
    var id: Int; var title: String; var note: String?; var stage: Stage; var due: Date; var price: Double
    var tags: [String]; var scores: [String: Int]; var owner: Owner?; var isOpen: Bool
}
struct Limits { var price = 1.5; var owner: Owner? }
func predicates(filter: String?, e1: Int, owner: Owner, limits: Limits, other: Predicate<Job>) {
    _ = #Predicate<Job> { $0.isOpen }
    _ = #Predicate<Job> { _ in true }
    _ = #Predicate { (job: Job) in job.id == e1 && !job.isOpen }
    _ = #Predicate<Job> { $0.price > 3 || -$0.price < -1 }
    _ = #Predicate<Job> { $0.stage == .open && $0.due < Date.now - 60 }
    _ = #Predicate<Job> { $0.note == nil || $0.note == $0.title }
    _ = #Predicate<Job> { filter == nil || $0.title == filter! }
    _ = #Predicate<Job> { $0.title == owner.name && $0.price >= limits.price }
    _ = #Predicate<Job> { $0.owner?.name.count == 3 }
    _ = #Predicate<Job> { ($0.owner?.age ?? 0) % 2 == 0 }
    _ = #Predicate<Job> { job in job.tags.contains { $0 == job.title && $0.hasPrefix("a") } }
    _ = #Predicate<Job> { $0.tags.allSatisfy(\.isEmpty) && ["a", "b"].contains($0.title) }
    _ = #Predicate<Job> { (1...5).contains($0.id) || 1..<$0.id ~= e1 }
    _ = #Predicate<Job> { $0.isOpen ? $0.id > 1 : $0.price < 2 }
    _ = #Predicate<Job> { job in if job.isOpen, job.id > 1 { return true } else { return job.price < 2 } }
    _ = #Predicate<Job> { job in if let note = job.note, let filter { note == filter } else { false } }
    _ = #Predicate<Job> { job in if let note = job.note, job.isOpen { note == "a" } else { false } }
    _ = #Predicate<Job> { $0.scores["a"] == 1 && $0.scores["b", default: 0] > 2 && $0.tags[0] == "a" }
    _ = #Predicate<Job> { $0.title.lowercased().hasSuffix("a") && $0.title.localizedStandardContains("b") }
    _ = #Predicate<Job> { [limits] in try other.evaluate($0) && $0.owner!.name == limits.owner!.name }
    _ = #Predicate<Job> { [x = e1 + 1] in $0.id == x && ($0.owner as Any) is String }
    _ = #Predicate<any Asset> { $0 is Titled || (($0 as? Titled)?.size ?? 0) > 1 }
    _ = #Expression<Job, Int> { $0.tags.filter { $0 != "a" }.count + 1 }
}

// Actors.

@ModelActor actor Keeper { var count = 0; private var last: String? }
@ModelActor public final actor PublicKeeper { var name: String { "x" }; static let shared = 1 }
@ModelActor actor OwnKeeper {
    let name: String
    init(name: String, container: ModelContainer) {
        self.name = name
        modelContainer = container
        modelExecutor = DefaultSerialModelExecutor(modelContext: ModelContext(container))
    }
}
public extension Plain { @ModelActor actor Finder {} }

// Relationships to protocols.

@ModelProtocol protocol Whole: AnyObject { var part: (any Whole)? { get set } }
@Model final class Held: Whole {
    @Relationship var part: (any Whole)?
    @Relationship var top: any Whole
    @Relationship(deleteRule: .cascade, minimumModelCount: 1, inverse: \(any Whole).part) var all: [any Whole] = []
    init(_ top: any Whole) { self.top = top }
}

/// A class that others inherit from.
@Model open class Plant {
    var name: String
    var garden: Garden?
    @Relationship var keeper: (any Whole)?

    public init(name: String) { self.name = name }
}

/// One that inherits and may be inherited from.
@Model class Shrub: Plant {
    #Index<Shrub>([\.name, \.height])
    var height = 1.0
    let kind = "shrub"
    var neighbours: [Shrub] = []

    override init(name: String) { super.init(name: name) }
}

/// With the initializers of the class above.
@Model
final class Moss: Plant {
    var spread = 1.0
}

/// One that adds nothing.
@Model(aliases: ["Briar"]) final class Rose: Shrub {
    override init(name: String) { super.init(name: name) }
}

/// What plants are in.
@Model final class Garden {
    var plants: [Plant] = []

    init() {}
}

/// One whose deleted rows are marked.
@Model(deletion: .mark) struct Leaf: Identifiable {
    let id: Int
    var colour: String
}

/// One whose rows are on several servers.
@Model(shardedBy: \.tenant) struct Parcel {
    var tenant: Int
    @Attribute(.primaryKey) var number: Int
    var weight: Double
}

// Models that are flattened in others.

@Model(flattenable: true) struct Head {
    var name: String
    @Attribute(.omittedWhenEmpty) var tags: [String]
    @Attribute(aliases: ["remark"]) var note: String? = "none"
    let kind = "head"
}
@Model(flattenable: true) enum Choice { case text(String), assets([any Asset]) }
@Model(flattenable: true) public struct Deep { @Attribute(.flattened) let head: Head; var level = 0 }
@Model(unknownFields: .preserve) struct Flat {
    #Index<Flat>([\.deep.level])
    @Attribute(.flattened) var deep: Deep
    @Attribute(.flattened, prefix: "choice") var choice: Choice?
    @Attribute(name: "a.b") var text: String
    var id: Int { deep.level }
}
@Model struct GenericFlat<Value: ModelValue> { @Attribute(.flattened) var head: Head?; var value: Value }
enum Inside { struct Part: Codable {}; @Model(flattenable: true) struct Nested { var part: Part? } }
// Documents as the world writes them.

@Model struct Nullable { var a: Int??; @Attribute(.nullWhenNil) var b: String? }
@Model(payload: .bare) enum Bare { case page(String), maybe(Int?), pair(Int, Int), none }
@Model(tagging: .untagged) enum Untagged { case none, id(String), all([Plain]), point(x: Int, y: Int?) }
@Model(tagging: .untagged) enum Unsure<T: ModelValue> { case one(T), any(any Asset) }
@ModelDefaults(naming: .snakeCase, typeNaming: .snakeCase, omits: .empty, unknownFields: .preserve)
enum Around2 {
    @Model struct LineItem { var unitPrice: Int; var tags: [String] }
    @Model enum State: String { case inProgress, done = "DONE" }
}
@ModelProtocol(typeKey: "object", default: Page.self, wrapper: true) public protocol Node {}
@ModelProtocol(typeKey: "type", typeName: "block") protocol Block: Node, Sendable {}
@ModelProtocol(typeKey: "meta.kind", tagKind: .scalar) protocol Pathed {}
@ModelProtocol(tagging: .untagged, conformers: Page.self) protocol Loose {}
@Model(writesTypeKey: true) public struct Page: Node, Loose, Equatable { var x = 1 }
public enum Namespace {
    public struct Part: Codable {}
    @ModelProtocol(unknown: .preserve) public protocol Spoken: Sendable { var part: Part? { get } }
    @Model struct Speech { var all: [any Spoken]; var both: (any Spoken & Sendable)? }
}
