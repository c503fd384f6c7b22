import Dovetail

@Model
struct Team: Identifiable, Equatable, Sendable {
    let id: Int
    @Attribute(.unique) var name: String
    @Attribute(.references(Team.self, deleteRule: .cascade)) var parent: Int?
}

@Model
struct Worker: Identifiable, Equatable, Sendable {
    #Unique<Worker>([\.city, \.badge])
    #Index<Worker>([\.age], [\.city, \.age])

    let id: Int
    @Attribute(name: "e_mail") @Attribute(.unique) var email: String?
    var city = "Rome"
    var badge = 0
    var age = 30
    @Attribute(.references(Team.self, deleteRule: .nullify)) var team: Int?
    @Attribute(.references(Worker.self)) var boss: Int?

    static func made(
        _ id: Int,
        email: String? = nil,
        badge: Int? = nil,
        team: Int? = nil,
        boss: Int? = nil
    ) -> Worker {
        Worker(id: id, email: email, badge: badge ?? id, team: team, boss: boss)
    }
}

@Model
struct Memo: Identifiable, Equatable, Sendable {
    @Attribute(.primaryKey, .generated) var id: Int64?
    var text: String
}
