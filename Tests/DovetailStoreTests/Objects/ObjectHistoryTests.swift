import Dovetail
import DovetailTesting
import StoreTestSupport
import Testing

/// Random work with objects, compared with plain values after each step.
struct ObjectHistoryTests {
    /// What the objects shall be.
    fileprivate struct Plain: Equatable {
        var titles: [Int: String] = [:]
        /// The items of each box, in their order.
        var items: [Int: [Int]] = [:]
        /// Items that are in no box.
        var loose: Set<Int> = []

        mutating func take(_ item: Int) {
            loose.remove(item)
            for box in items.keys { items[box]?.removeAll { $0 == item } }
        }
    }

    private struct World: ObjectWorld {
        typealias Plain = ObjectHistoryTests.Plain

        let container: ModelContainer
        let context: ModelContext
        var random: SeededRandom
        var now = Plain()
        var saved = Plain()
        var boxes: [Int: StoredBox] = [:]
        var items: [Int: StoredItem] = [:]
        var next = 0
        var depth = 0

        init(_ kind: StoreKind, seed: UInt64) throws {
            container = try kind.boxes()
            context = ModelContext(container)
            random = SeededRandom(seed: seed)
        }

        mutating func step() throws -> String {
            let box = now.titles.keys.sorted().randomElement(using: &random)
            let item = (now.items.values.flatMap { $0 } + now.loose).sorted()
                .randomElement(using: &random)
            switch Int.random(in: 0..<16, using: &random) {
            case 0, 1:
                let id = number()
                let new = StoredBox(title: "box \(id)")
                context.insert(new)
                (boxes[id], now.titles[id], now.items[id]) = (new, new.title, [])
                return "insert box \(id)"
            case 2, 3:
                let id = number()
                let new = StoredItem(name: "\(id)", box: box.flatMap { boxes[$0] })
                items[id] = new
                if let box { now.items[box]?.append(id) } else { now.loose.insert(id) }
                context.insert(new)
                return "insert item \(id)"
            case 4:
                guard let item else { return "nothing" }
                let target = Bool.random(using: &random) ? box : nil
                let isThere = target.map { now.items[$0]?.contains(item) ?? false } ?? false
                items[item]?.box = target.flatMap { boxes[$0] }
                if isThere { return "nothing" }
                now.take(item)
                if let target { now.items[target]?.append(item) } else { now.loose.insert(item) }
                return "move \(item)"
            case 5:
                guard let box, let item, now.items[box]?.contains(item) == false,
                    let object = items[item]
                else { return "nothing" }
                now.take(item)
                let place = Int.random(in: 0...(now.items[box]?.count ?? 0), using: &random)
                boxes[box]?.items.insert(object, at: place)
                now.items[box]?.insert(item, at: place)
                return "insert \(item) into \(box)"
            case 6:
                guard let box else { return "nothing" }
                boxes[box]?.items.reverse()
                now.items[box]?.reverse()
                return "reverse \(box)"
            case 7:
                guard let box, now.items[box]?.isEmpty == false, let last = now.items[box]?.last
                else { return "nothing" }
                boxes[box]?.items.removeLast()
                now.take(last)
                now.loose.insert(last)
                return "remove \(last)"
            case 8:
                guard let box else { return "nothing" }
                boxes[box]?.title += "+"
                now.titles[box]? += "+"
                return "rename \(box)"
            case 9:
                guard let item, let object = items[item] else { return "nothing" }
                context.delete(object)
                now.take(item)
                return "delete item \(item)"
            case 10:
                guard let box, let object = boxes[box] else { return "nothing" }
                context.delete(object)
                now.titles[box] = nil
                now.items[box] = nil
                return "delete box \(box)"
            case 11: return rollback()
            case 14, 15: return refuse()
            default: return try save()
            }
        }

        /// What objects say, those of this context or fresh ones.
        func plain(_ context: ModelContext) throws -> Plain {
            var plain = Plain()
            for box in try context.fetch(FetchDescriptor<StoredBox>()) {
                let id = Int(box.title.filter(\.isNumber)) ?? 0
                plain.titles[id] = box.title
                plain.items[id] = box.items.map { Int($0.name) ?? 0 }
                #expect(box.items.allSatisfy { $0.box === box })
            }
            for item in try context.fetch(FetchDescriptor<StoredItem>()) where item.box == nil {
                plain.loose.insert(Int(item.name) ?? 0)
            }
            return plain
        }
    }

    @Test(arguments: StoreKind.allCases, SeededRandom.seeds)
    func `objects are what plain values would be`(_ kind: StoreKind, _ seed: UInt64) throws {
        var world = try World(kind, seed: seed)
        try world.run(400, seed: seed)
    }
}
