package import Foundation

package enum Genre: String, Codable, Sendable { case drama, comedy }

package struct Studio: Codable, Equatable, Sendable {
    package var name: String
    package var city: String?
    package var head: Person?
}

package struct Person: Codable, Equatable, Sendable {
    package var name: String
    package var age: Int?
}

package struct Film: Codable, Equatable, Sendable {
    package var id: Int
    package var title: String
    package var subtitle: String?
    package var original: String?
    package var year: Int
    package var rating: Double
    package var votes: Int?
    package var isSeen = false
    package var isLent: Bool?
    package var genre: Genre
    package var second: Genre?
    package var tags: [String] = []
    package var counts: [String: Int] = [:]
    package var cast: [Person] = []
    package var studio: Studio?
    package var released: Date
    package var key: UUID?
}

extension Film {
    /// Films that differ in what the predicates look at.
    package static var samples: [Film] {
        (0..<24).map { index in
            let words = ["Dawn", "The Wolf", "", "wolf", "Ärger", "Élan vital"]
            return Film(
                id: index,
                title: words[index % 6],
                subtitle: index % 3 == 0 ? nil : words[(index + 1) % 6],
                original: index % 4 == 0 ? nil : words[(index + 3) % 6],
                year: 1960 + index * 3,
                rating: Double(index % 11) / 2,
                votes: index % 5 == 0 ? nil : index * 7,
                isSeen: index % 2 == 0,
                isLent: [nil, true, false][index % 3],
                genre: index % 2 == 0 ? .drama : .comedy,
                second: [nil, .drama, .comedy][index % 3],
                tags: Array(["new", "wolf", "old"].prefix(index % 4)),
                counts: index % 2 == 0 ? ["a": index] : ["b": 1],
                cast: (0..<index % 3).map {
                    Person(name: words[$0], age: $0 == 1 ? nil : 30 + index)
                },
                studio: index % 4 == 0
                    ? nil
                    : Studio(
                        name: words[index % 5],
                        city: index % 2 == 0 ? nil : "Berlin",
                        head: index % 3 == 0 ? nil : Person(name: "Ada", age: 40 + index)
                    ),
                released: Date(timeIntervalSince1970: Double(index) * 1e7),
                key: nil
            )
        }
    }
}
