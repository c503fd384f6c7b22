import Dovetail
import TestAssets
import Testing

@Model(naming: .snakeCase, table: "existing \"teams\"")
struct Squad: Identifiable, Equatable {
    #Unique<Squad>([\.homeCity, \.name])

    var id: Int
    @Attribute(.unique) var name: String
    var homeCity: String
    @Attribute(.references(Player.self, deleteRule: .nullify)) var captainID: Player.ID
    @Attribute(.references(Squad.self, deleteRule: .noAction)) var parentID: Squad.ID?
}

@Model
struct Player: Identifiable, Equatable {
    #Index<Player>([\.name], [\.city, \.age])
    #Unique<Player>([\.mail], [\.city, \.name])
    #Index<Player>([\Player.`default`], [\.mail])

    @Attribute(.primaryKey, .generated, .unique) var id: Int64?
    var name: String
    private(set) var city = "Rome"
    var age: Int
    @Attribute(.unique, name: "contact.e_mail") var mail: String?
    var `default`: Bool = false
    @Attribute(.references(Squad.self, deleteRule: .cascade)) var squadID: Squad.ID
    @Attribute(.references(Players.Coach.self)) var coach: UUID?
    @Attribute(.references(Squad.self), .transformed(by: DecimalText.self)) var former: Int?
    // A model of another module. It has no key, which only a store asks for.
    @Attribute(.references(SoundAsset.self, deleteRule: .deny)) var song: String?
}

private enum DecimalText: ModelTransform {
    static func decode(_ value: String) throws -> Int { Int(value) ?? 0 }
    static func encode(_ value: Int) throws -> String { String(value) }
}

enum Players {
    @Model(table: "coaches")
    final class Coach {
        #Index<Coach>([\.name])
        #Unique<Players.Coach>([\Players.Coach.squad, \.name])

        let id: UUID
        var name = ""
        @Attribute(.references(Squad.self, deleteRule: .cascade)) var squad: Int
        @Attribute(.references(Players.Coach.self, deleteRule: .nullify)) var trainer: Coach.ID?

        init(id: UUID, squad: Int) { (self.id, self.squad) = (id, squad) }
    }

    @Model
    struct Seat: Equatable {
        @Attribute(.primaryKey) var row: Int
        @Attribute(.primaryKey, .references(Coach.self)) var coach: UUID
        @Attribute(.unique, .references(Coach.self, deleteRule: .nullify)) var next: Coach.ID?
    }
}

extension Players.Coach: Identifiable {}

@Model(unknownFields: .preserve)
struct Locker<Content: ModelValue> {
    #Index<Locker<Content>>([\.content])
    #Unique<Locker>([\.content, \.code])

    @Attribute(.primaryKey) var code: String
    @Attribute(name: "c") var content: Content
    @Attribute(.references(Locker<Int>.self, deleteRule: .nullify)) var inner: String?
}

@Model
private struct Unmarked {
    var id: Int
}

/// What `@Attribute(.unique, .generated, .references)`, `@Model(table:)`, `#Index` and `#Unique` tell
/// a store, and that documents do not notice any of it.
struct TableOptionsTests {
    /// The attributes of a model for which `isIncluded` holds, by their properties.
    private func properties<Value: Model>(
        of model: Value.Type,
        where isIncluded: (ModelAttribute) -> Bool
    ) -> [String] {
        model.modelAttributes.filter(isIncluded).map(\.property)
    }

    /// The references of a model as "property -> Type rule".
    private func references<Value: Model>(of model: Value.Type) -> [String] {
        model.modelAttributes.compactMap { attribute in
            attribute.reference.map {
                "\(attribute.property) -> \($0.target) \($0.deleteRule)"
            }
        }
    }

    @Test
    func `unique and generated attributes are told`() {
        #expect(properties(of: Squad.self, where: \.isUnique) == ["name"])
        #expect(properties(of: Player.self, where: \.isUnique) == ["mail"])
        #expect(properties(of: Player.self, where: \.isGenerated) == ["id"])
        #expect(properties(of: Player.self, where: \.isPrimaryKey) == ["id"])
        #expect(Player.modelAttributes[0].isOptional)
        #expect(Player.modelAttributes[0].columnType == .integer)
        #expect(properties(of: Squad.self, where: \.isGenerated) == [])
        #expect(properties(of: Unmarked.self) { $0.isUnique || $0.isGenerated } == [])
        #expect(references(of: Unmarked.self) == [])
    }

    @Test
    func `models refer to each other and to themselves`() {
        #expect(
            references(of: Squad.self) == [
                "captainID -> Player nullify", "parentID -> Squad noAction",
            ]
        )
        #expect(
            references(of: Player.self) == [
                "squadID -> Squad cascade", "coach -> Coach deny", "former -> Squad deny",
                "song -> SoundAsset deny",
            ]
        )
        #expect(
            references(of: Players.Coach.self)
                == ["squad -> Squad cascade", "trainer -> Coach nullify"]
        )
        #expect(
            references(of: Players.Seat.self) == ["coach -> Coach deny", "next -> Coach nullify"]
        )
        #expect(references(of: Locker<String>.self) == ["inner -> Locker<Int> nullify"])
        #expect(Player.modelAttributes[8].transform != nil)
    }

    @Test
    func `properties have their names in Swift`() {
        #expect(
            Squad.modelAttributes.map(\.name)
                == ["id", "name", "home_city", "captain_id", "parent_id"]
        )
        #expect(
            Squad.modelAttributes.map(\.property)
                == ["id", "name", "homeCity", "captainID", "parentID"]
        )
        #expect(Player.modelAttributes[4].name == "contact.e_mail")
        #expect(Player.modelAttributes[4].property == "mail")
        #expect(Player.modelAttributes[5].property == "default")
        #expect(
            Locker<Int>.modelAttributes.map(\.property)
                == ["code", "content", "inner", "unknownFields"]
        )
    }

    @Test
    func `indexes and unique groups are listed in their order`() {
        #expect(
            Player.modelIndexes == [
                ModelIndex(["name"]),
                ModelIndex(["city", "age"]),
                ModelIndex(["mail"], isUnique: true),
                ModelIndex(["city", "name"], isUnique: true),
                // `[\.mail]` is left out: the unique group is an index.
                ModelIndex(["default"]),
            ]
        )
        #expect(Squad.modelIndexes == [ModelIndex(["homeCity", "name"], isUnique: true)])
        #expect(
            Players.Coach.modelIndexes
                == [ModelIndex(["name"]), ModelIndex(["squad", "name"], isUnique: true)]
        )
        #expect(
            Locker<Bool>.modelIndexes
                == [ModelIndex(["content"]), ModelIndex(["content", "code"], isUnique: true)]
        )
        #expect(Players.Seat.modelIndexes == [])
    }

    @Test
    func `every listed property is one of the attributes`() {
        let models: [any Model.Type] = [
            Squad.self, Player.self, Players.Coach.self, Locker<Int>.self,
        ]
        var count = 0
        for model in models {
            let properties = Set(model.modelAttributes.map(\.property))
            for index in model.modelIndexes {
                #expect(properties.isSuperset(of: index.properties))
                count += 1
            }
        }
        #expect(count == 10)
    }

    @Test
    func `a table has the name that was given, else that of the type`() {
        #expect(Squad.modelTable == "existing \"teams\"")
        #expect(Squad.typeName == "Squad")
        #expect(Players.Coach.modelTable == "coaches")
        #expect(Player.modelTable == "Player")
        #expect(Locker<Int>.modelTable == "Locker")
    }

    @Test
    func `documents do not show the options`() throws {
        let squad = Squad(id: 1, name: "a", homeCity: "b", captainID: nil, parentID: 2)
        #expect(try squad.json() == #"{"id":1,"name":"a","home_city":"b","parent_id":2}"#)
        try expectRoundTrip(squad)
        let player = Player(id: 7, name: "a", age: 3, mail: "m", squadID: 1, former: 4)
        try expectRoundTrip(player)
        let coach = Players.Coach(id: UUID(), squad: 3)
        let again = try Players.Coach(decoding: coach.encoded(as: .json), as: .json)
        #expect(again.id == coach.id && again.squad == 3)
        try expectRoundTrip(Players.Seat(row: 1, coach: coach.id, next: nil))
        let crate = try Locker<Int>(json: #"{"code":"x","c":1,"other":true}"#)
        #expect(try crate.json() == #"{"code":"x","c":1,"other":true}"#)
    }

    @Test
    func `a generated key may be absent in documents`() throws {
        let json = #"{"name":"a","city":"b","age":3,"contact":{},"default":true,"squadID":1}"#
        let player = try Player(json: json)
        #expect(player.id == nil)
        #expect(try Player(json: player.json()) == player)
        #expect(try !player.json().contains("\"id\""))
        #expect(try Player(json: #"{"id":null,"# + json.dropFirst()) == player)
        #expect(try Player(json: #"{"id":9,"# + json.dropFirst()).id == 9)
    }

    @Test
    func `indexes leave the memberwise initializer`() {
        #expect(Squad(id: 1, name: "", homeCity: "", captainID: 2).captainID == 2)
        #expect(Locker(code: "a", content: 1, inner: nil).content == 1)
    }
}
