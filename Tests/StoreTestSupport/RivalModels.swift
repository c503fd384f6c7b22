package import Dovetail

/// Models that do not go together in one file.
package enum RivalModels {
    package static let first: [any Model.Type] = [FirstRival.self, Entry.self]
    package static let second: [any Model.Type] = [SecondRival.self]
}

/// Two models of one table that do not fit each other.
@Model(table: "Rival")
package struct FirstRival: Identifiable {
    package let id: Int
    package var name: String

    package init(id: Int, name: String) {
        self.id = id
        self.name = name
    }
}

@Model(table: "Rival")
package struct SecondRival: Identifiable {
    package let id: Int
    package var weight: Double

    package init(id: Int, weight: Double) {
        self.id = id
        self.weight = weight
    }
}

/// Counts what several processes do.
@Model
package struct Counter: Identifiable, Equatable, Sendable {
    package let id: Int
    package var value: Int

    package init(id: Int, value: Int) {
        self.id = id
        self.value = value
    }
}

/// What one process did in one round.
@Model
package struct Round: Identifiable, Equatable, Sendable {
    @Attribute(.primaryKey) package let process: Int
    @Attribute(.primaryKey) package let number: Int
    @Attribute(.transient) package var id: [Int] { [process, number] }

    package init(process: Int, number: Int) {
        self.process = process
        self.number = number
    }
}
