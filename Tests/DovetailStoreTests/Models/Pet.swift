import Dovetail

@Model
enum Species: String {
    case cat, dog, fish
}

@Model
enum Size: Int {
    case small = 1, medium, large
}

struct OwnerID: TypedIdentifier {
    let rawValue: Int64
}

/// The small model of most tests.
@Model
struct Pet: Identifiable, Equatable, Sendable {
    let id: Int
    var name: String
    var age: Int?
    var weight: Double = 1
    var isTame: Bool = true
    var species: Species = .cat
    var nickname: String?
    var owner: OwnerID?

    init(_ id: Int, _ name: String, age: Int? = nil, species: Species = .cat) {
        self.id = id
        self.name = name
        self.age = age
        self.species = species
    }

    /// Four pets that every predicate of ``SQLText`` is asked about.
    static let four: [Pet] = {
        var rex = Pet(1, "Rex", age: 3, species: .dog)
        rex.owner = OwnerID(rawValue: 7)
        rex.weight = 30.5
        var mia = Pet(2, "Mia", age: 12)
        mia.nickname = "Mimi"
        mia.isTame = false
        var bubbles = Pet(3, "Bubbles", species: .fish)
        bubbles.weight = 0.25
        bubbles.owner = OwnerID(rawValue: 7)
        var max = Pet(4, "max \"the\" 2nd", age: 0, species: .dog)
        max.nickname = ""
        return [rex, mia, bubbles, max]
    }()
}
