import Dovetail
import DovetailTesting

/// Random documents of ports.
struct PortDocument {
    private var codes = ["a", "b", "c", "d"]
    private var numbers = Array(1...7)
    private var crates = ["k", "l", "m"]
    private var barrels = ["u", "v", "w"]
    private var towers = ["north", "south"]
    private let crew: [String]
    private let marked: Set<String>

    private init(crew: [String], marked: Set<String>) {
        (self.crew, self.marked) = (crew, marked)
    }

    /// Some of the ports, with what they have.
    ///
    /// - Parameter context: Has the seamen to whom ships refer. No port is proud of a barrel that is marked
    ///   there: a save that removes its owner removes it, too, and with it such a reference.
    static func text(_ random: inout SeededRandom, in context: ModelContext) throws -> String {
        var barrels = FetchDescriptor<Barrel>()
        barrels.deletedValues = .only
        var document = PortDocument(
            crew: try context.fetch(FetchDescriptor<Seaman>()).map(\.name).sorted(),
            marked: Set(try context.fetch(barrels).map(\.code))
        )
        return document.ports(&random)
    }

    /// Takes one out.
    private func take<Element>(_ list: inout [Element], _ random: inout SeededRandom) -> Element? {
        list.isEmpty ? nil : list.remove(at: random.below(list.count))
    }

    private func member(_ name: String, _ values: [String]) -> String {
        "\"\(name)\":[" + values.joined(separator: ",") + "]"
    }

    private mutating func ports(_ random: inout SeededRandom) -> String {
        let given = (0..<(1 + random.below(4))).compactMap { _ in take(&codes, &random) }
        var owned: [String] = []
        var ports: [String] = given.map { code in
            let goods = (0..<random.below(4)).compactMap { _ in self.good(&random, &owned) }
            let ships = (0..<random.below(4)).compactMap { _ in self.ship(&random) }
            var members = ["\"code\":\"\(code)\"", "\"title\":\"\(random.below(2))\""]
            members += [member("ships", ships), member("goods", goods)]
            if random.isOne(in: 2), let tower = take(&towers, &random) {
                members.append("\"tower\":{\"name\":\"\(tower)\"}")
            }
            if random.isOne(in: 2) { members.append("\"twin\":\"\(random.pick(given))\"") }
            return members.joined(separator: ",")
        }
        for index in ports.indices where !owned.isEmpty && random.isOne(in: 2) {
            ports[index] += ",\"pride\":\(random.pick(owned))"
        }
        return "[" + ports.map { "{\($0)}" }.joined(separator: ",") + "]"
    }

    private mutating func good(_ random: inout SeededRandom, _ owned: inout [String]) -> String? {
        let isCrate = random.isOne(in: 2)
        guard let code = isCrate ? take(&crates, &random) : take(&barrels, &random) else {
            return nil
        }
        let start = "{\"$type\":\"\(isCrate ? "Crate" : "Barrel")\",\"code\":\"\(code)\""
        if !marked.contains(code) { owned.append(start + "}") }
        return start + ",\"\(isCrate ? "weight" : "litres")\":\(random.below(3))}"
    }

    private mutating func ship(_ random: inout SeededRandom) -> String? {
        guard let number = take(&numbers, &random) else { return nil }
        var free = crew
        let aboard = (0..<random.below(3)).compactMap { _ in take(&free, &random) }
        // A number is of one class in all documents.
        let tanker = number > 4 ? "\"$type\":\"Tanker\",\"barrels\":\(random.below(3))," : ""
        return "{\(tanker)\"number\":\(number),\"depth\":\(random.below(3)),"
            + member("crew", aboard.map { "\"\($0)\"" }) + "}"
    }
}
