import Dovetail

// The models of the cases over a model protocol.

@ModelProtocol protocol Exhibit: Sendable {
    var name: String { get }
    var rank: Int { get }
    var note: String? { get }
    var shownOn: Date { get }
    var worth: Decimal { get }
    var color: Color { get }
}

@ModelProtocol protocol MovingExhibit: Exhibit {
    var seconds: Double { get }
}

@Model struct Painting: Exhibit, Identifiable {
    let id: Int
    var name: String
    var rank: Int
    var note: String?
    var shownOn: Date
    var worth: Decimal
    var color: Color
    var width: Int
    var tags: [String]
}

/// A key of text, and columns in another order.
@Model struct Statue: Exhibit, Identifiable {
    var worth: Decimal
    var color: Color
    var shownOn: Date
    var note: String?
    var rank: Int
    var name: String
    let id: String
    var height: Double?
}

/// A key of two columns, and a name that another attribute stands for.
@Model struct Film: MovingExhibit, Identifiable {
    @Attribute(.primaryKey) var reel: Int
    @Attribute(.primaryKey) var take: Int
    @Attribute(satisfies: \(any Exhibit).name) var title: String
    var rank: Int
    var note: String?
    @Attribute(name: "shown_on") var shownOn: Date
    var worth: Decimal
    var color: Color
    var seconds: Double

    var name: String { title }
}

/// A conformer that containers are made without.
@Model struct Sketch: Exhibit, Identifiable {
    var id: Int
    var rank: Int
    var name: String { "sketch" }
    var note: String? { nil }
    var shownOn: Date { .distantPast }
    var worth: Decimal { 0 }
    var color: Color { .red }
}

/// Values of all models of a container, in the order of the tables and of the keys.
struct Exhibition {
    var paintings: [Painting] = []
    var statues: [Statue] = []
    var films: [Film] = []

    var all: [any Exhibit] {
        films.sorted { ($0.reel, $0.take) < ($1.reel, $1.take) } as [any Exhibit]
            + paintings.sorted { $0.id < $1.id } as [any Exhibit]
            + statues.sorted { $0.id < $1.id } as [any Exhibit]
    }

    /// Adds a random value, whose key no other one has.
    mutating func add(_ key: Int, using random: inout SeededRandom, to context: ModelContext) {
        let (name, note) = (Specimen.name(&random), Specimen.name(&random))
        let rank = random.below(4)
        let day = Specimen.day(&random)
        let worth: Decimal = random.pick([0, 1.5, 10, 9, -0.01])
        let color = random.pick(Color.allCases)
        switch random.below(3) {
        case 0:
            let value = Painting(
                id: key,
                name: name,
                rank: rank,
                note: random.isOne(in: 2) ? nil : note,
                shownOn: day,
                worth: worth,
                color: color,
                width: random.below(5),
                tags: (0..<random.below(3)).map { "\($0)" }
            )
            paintings.append(value)
            context.insert(value)
        case 1:
            let value = Statue(
                worth: worth,
                color: color,
                shownOn: day,
                note: random.isOne(in: 2) ? nil : note,
                rank: rank,
                name: name,
                id: "s\(key + 100)",
                height: random.isOne(in: 2) ? nil : Double(random.below(5))
            )
            statues.append(value)
            context.insert(value)
        default:
            let value = Film(
                reel: random.below(2),
                take: key,
                title: name,
                rank: rank,
                note: random.isOne(in: 2) ? nil : note,
                shownOn: day,
                worth: worth,
                color: color,
                seconds: Double(random.below(5))
            )
            films.append(value)
            context.insert(value)
        }
    }

    /// Changes and deletes some values, which waits in the context.
    mutating func change(using random: inout SeededRandom, in context: ModelContext) {
        for index in films.indices where random.isOne(in: 5) {
            films[index].rank = random.below(4)
            context.update(films[index])
        }
        statues.removeAll { statue in
            guard random.isOne(in: 5) else { return false }
            context.delete(statue)
            return true
        }
    }
}
