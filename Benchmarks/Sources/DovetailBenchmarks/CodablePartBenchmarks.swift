import Dovetail

/// Models whose properties are plain `Codable` types, as of another package: the part of the document that these have
/// is read and written through a tree.
enum CodablePartBenchmarks {
    private static let count = 5000

    static func run() throws -> [Comparison] {
        let orders = (0..<count).map(PlainOrder.init(number:))
        let ours = orders.map(OrderWithParts.init)
        var rows: [Comparison] = []
        for (name, format) in [("JSON", ModelFormat.json), ("binary plist", .binaryPlist)] {
            let document = try encoded(orders, format)
            try expect(try [OrderWithParts](decoding: document, as: format) == ours)
            rows.append(
                try Comparison.of(
                    "decode Codable members, " + name,
                    goal: .fasterBy(1),
                    baseline: "Foundation",
                    rounds: 3,
                    ours: { try [OrderWithParts](decoding: document, as: format) },
                    theirs: { try decoded(document, format) }
                )
            )
            rows.append(
                try Comparison.of(
                    "encode Codable members, " + name,
                    goal: .fasterBy(1),
                    baseline: "Foundation",
                    rounds: 3,
                    ours: { try ours.encoded(as: format) },
                    theirs: { try encoded(orders, format) }
                )
            )
        }
        return rows
    }

    private static func encoded(_ orders: [PlainOrder], _ format: ModelFormat) throws -> Data {
        if format == .json { return try JSONEncoder().encode(orders) }
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .binary
        return try encoder.encode(orders)
    }

    private static func decoded(_ document: Data, _ format: ModelFormat) throws -> [PlainOrder] {
        format == .json
            ? try JSONDecoder().decode([PlainOrder].self, from: document)
            : try PropertyListDecoder().decode([PlainOrder].self, from: document)
    }
}

struct PlainAddress: Codable, Equatable {
    struct Place: Codable, Equatable {
        var latitude: Double
        var longitude: Double
    }

    var street: String
    var city: String
    var place: Place?
    var tags: [String]
}

struct PlainLine: Codable, Equatable {
    var article: String
    var count: Int
    var price: Double
    var note: String?
}

struct PlainOrder: Codable, Equatable {
    var id: Int
    var name: String
    var address: PlainAddress
    var lines: [PlainLine]

    init(number: Int) {
        id = number
        name = "Order \(number)"
        address = PlainAddress(
            street: "Main street \(number)",
            city: "Berlin",
            place: number % 2 == 0 ? .init(latitude: Double(number) / 7, longitude: 13.4) : nil,
            tags: ["a", "b\(number)"]
        )
        lines = (0..<5).map {
            PlainLine(
                article: "a-\(number)-\($0)",
                count: $0,
                price: 9.99,
                note: $0 == 2 ? "n" : nil
            )
        }
    }
}

@Model struct OrderWithParts: Equatable {
    var id: Int
    var name: String
    var address: PlainAddress
    var lines: [PlainLine]
}

extension OrderWithParts {
    init(_ order: PlainOrder) {
        self.init(id: order.id, name: order.name, address: order.address, lines: order.lines)
    }
}
