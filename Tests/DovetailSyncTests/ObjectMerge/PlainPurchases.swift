import Dovetail
import DovetailTesting

/// What is inside of a purchase, as a plain value.
struct PlainPart: Equatable {
    enum Kind { case line, option, mark, note, parcel, gift, card }

    let kind: Kind
    /// The text, or the code.
    var name: String
    /// The count, or the weight.
    var number = 0
    var good: String?
    /// What is inside, by the names of relationships; of one to one object at most one.
    var inside: [String: [PlainPart]] = [:]

    init(_ kind: Kind, _ name: String) {
        self.kind = kind
        self.name = name
    }

    /// The same for what is the same, whatever the order.
    var text: String { document { $0.sorted() } }

    /// A document, with lists in some order.
    func document(_ order: ([String]) -> [String]) -> String {
        var members: [String] = []
        switch kind {
        case .line: members = [#""text":"\#(name)""#, #""count":\#(number)"#]
        case .parcel: members = [#""code":"\#(name)""#, #""weight":\#(number)"#]
        case .gift: members = [#""$type":"PurchaseGift","text":"\#(name)""#]
        case .card: members = [#""$type":"PurchaseCard","text":"\#(name)""#]
        case .option, .mark, .note: members = [#""text":"\#(name)""#]
        }
        if let good { members.append(#""good":"\#(good)""#) }
        for (list, parts) in inside.sorted(by: { $0.key < $1.key }) where !parts.isEmpty {
            members.append(#""\#(list)":"# + PlainPurchase.document(list, parts, order))
        }
        // What has a name keeps a list that is left out.
        if kind == .parcel, inside["notes"]?.isEmpty != false { members.append(#""notes":[]"#) }
        return "{" + members.joined(separator: ",") + "}"
    }

    static func random(_ kind: Kind, _ random: inout SeededRandom) -> PlainPart {
        var part = PlainPart(kind, random.pick(["x", "y"]))
        switch kind {
        case .line:
            part.number = random.below(2)
            if random.isOne(in: 3) { part.good = random.pick(["ink", "nib"]) }
            if random.isOne(in: 2) { part.inside["options"] = [.random(.option, &random)] }
            if random.isOne(in: 3) { part.inside["mark"] = [.random(.mark, &random)] }
        case .option:
            if random.isOne(in: 3) { part.inside["options"] = [.random(.option, &random)] }
        case .mark: if random.isOne(in: 2) { part.inside["note"] = [.random(.note, &random)] }
        case .gift: if random.isOne(in: 2) { part.inside["notes"] = [.random(.note, &random)] }
        case .card: if random.isOne(in: 2) { part.good = "ink" }
        case .note, .parcel: break
        }
        return part
    }

    /// Changes something of a part, or inside of it.
    mutating func change(_ random: inout SeededRandom) {
        func changeList(_ list: String, _ kind: Kind) {
            var parts = inside[list] ?? []
            if parts.isEmpty || random.isOne(in: 3) {
                parts.append(.random(kind, &random))
            } else if random.isOne(in: 2) {
                parts.remove(at: random.below(parts.count))
            } else {
                parts[random.below(parts.count)].change(&random)
            }
            inside[list] = parts
        }
        func changeOne(_ list: String, _ kind: Kind) {
            if let one = inside[list]?.first, !random.isOne(in: 3) {
                var other = one
                other.change(&random)
                inside[list] = random.isOne(in: 3) ? [] : [other]
            } else {
                inside[list] = [.random(kind, &random)]
            }
        }
        switch kind {
        case .line where random.isOne(in: 2): changeList("options", .option)
        case .line where random.isOne(in: 2): changeOne("mark", .mark)
        case .line:
            number = random.below(3)
            good = random.pick([nil, "ink", "nib"])
        case .option where random.isOne(in: 2): changeList("options", .option)
        case .mark where random.isOne(in: 2): changeOne("note", .note)
        case .gift where random.isOne(in: 2), .parcel where random.isOne(in: 2):
            changeList("notes", .note)
        case .parcel: number = random.below(3)
        case .card where random.isOne(in: 2): good = random.pick([nil, "ink", "nib"])
        case .option, .mark, .note, .gift, .card: name = random.pick(["x", "y", "z"])
        }
    }
}

/// A purchase as a plain value.
struct PlainPurchase: Equatable {
    var title = "A"
    var inside: [String: [PlainPart]] = ["lines": [], "note": [], "extras": []]

    static let lists = ["lines", "note", "extras"]

    /// What is in a relationship, whatever the order.
    func text(_ list: String) -> [String] { (inside[list] ?? []).map(\.text).sorted() }

    static func document(
        _ list: String,
        _ parts: [PlainPart],
        _ order: ([String]) -> [String]
    ) -> String {
        let all = order(parts.map { $0.document(order) })
        if ["note", "mark"].contains(list) { return all.first ?? "null" }
        return "[" + all.joined(separator: ",") + "]"
    }

    static func document(_ purchases: [Int: PlainPurchase], _ random: inout SeededRandom) -> String
    {
        var seed = SeededRandom(seed: random.next())
        let all = purchases.keys.sorted().map { number in
            let purchase = purchases[number] ?? PlainPurchase()
            let crates = purchase.inside["crates"] == nil ? [] : ["crates"]
            let members = (lists + crates).map { list in
                #","\#(list)":"#
                    + document(list, purchase.inside[list] ?? []) { $0.shuffled(using: &seed) }
            }
            return #"{"number":\#(number),"title":"\#(purchase.title)"\#(members.joined())}"#
        }
        return "[" + all.joined(separator: ",") + "]"
    }

    /// Changes something; parcels have codes of their own in each purchase, and may be in any of its lines.
    mutating func change(_ number: Int, _ random: inout SeededRandom) {
        var lines = inside["lines"] ?? []
        switch random.below(8) {
        case 0: title = random.pick(["A", "B", "C"])
        case 1: inside["note"] = random.isOne(in: 3) ? [] : [.random(.note, &random)]
        case 2:
            var extras = inside["extras"] ?? []
            if extras.isEmpty || random.isOne(in: 3) {
                extras.append(.random(random.pick([.gift, .card]), &random))
            } else if random.isOne(in: 2) {
                extras.remove(at: random.below(extras.count))
            } else {
                extras[random.below(extras.count)].change(&random)
            }
            inside["extras"] = extras
        case 3, 4:
            let code = "c\(number)\(random.below(2))"
            var parcel = PlainPart(.parcel, code)
            for place in lines.indices {
                var parcels = lines[place].inside["parcels"] ?? []
                if let known = parcels.first(where: { $0.name == code }) { parcel = known }
                parcels.removeAll { $0.name == code }
                lines[place].inside["parcels"] = parcels
            }
            if random.isOne(in: 2) { parcel.change(&random) }
            if !lines.isEmpty, !random.isOne(in: 3) {
                lines[random.below(lines.count)].inside["parcels", default: []].append(parcel)
            }
        case 5 where !lines.isEmpty: lines.remove(at: random.below(lines.count))
        case 6 where !lines.isEmpty: lines[random.below(lines.count)].change(&random)
        default: lines.append(.random(.line, &random))
        }
        inside["lines"] = lines
    }
}
