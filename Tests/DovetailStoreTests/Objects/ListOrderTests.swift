import Dovetail
import DovetailTesting
import StoreTestSupport
import Testing

@testable import DovetailContext

/// The places of objects in lists whose order changes. Each place that changes is a row to be written.
struct ListOrderTests {
    /// A saved list of members with the numbers from 0 on.
    private struct Saved {
        let context: ModelContext
        let holder: ListHolder

        init(_ kind: StoreKind, _ count: Int) throws {
            context = ModelContext(try kind.container(ListHolder.self))
            holder = ListHolder()
            context.insert(holder)
            holder.members = (0..<count).map { ListMember($0) }
            try context.save()
        }

        var numbers: [Int] { holder.members.map(\.number) }

        /// What another context reads.
        func stored() throws -> [Int] {
            let other = ModelContext(context.container)
            return try other.fetch(FetchDescriptor<ListHolder>())[0].members.map(\.number)
        }

        func move(_ from: Int, to place: Int) {
            holder.members.insert(holder.members.remove(at: from), at: place)
        }

        /// Saves, and gives how many rows of members are new or changed.
        func written() throws -> Int {
            let waiting = context.insertedModelsArray + context.changedModelsArray
            let count = waiting.count { $0 is ListMember }
            try context.save()
            return count
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `an object that moves is the only one that is written`(_ kind: StoreKind) throws {
        let list = try Saved(kind, 50)
        var expected = Array(0..<50)
        for (from, place) in [(49, 0), (0, 49), (10, 30), (30, 10), (48, 1), (25, 26)] {
            list.move(from, to: place)
            expected.insert(expected.remove(at: from), at: place)
            #expect(list.numbers == expected)
            #expect(try list.written() == 1, "from \(from) to \(place)")
            #expect(try list.stored() == expected)
        }
        // Two that change places.
        list.holder.members.swapAt(5, 40)
        expected.swapAt(5, 40)
        #expect(try list.written() == 2)
        #expect(try list.stored() == expected)
        list.holder.members.reverse()
        #expect(try list.written() == 49)
        #expect(try list.stored() == expected.reversed())
    }

    @Test(arguments: StoreKind.allCases)
    func `objects that come into the front or the middle write no others`(_ kind: StoreKind) throws
    {
        let list = try Saved(kind, 20)
        list.holder.members.insert(contentsOf: (100..<110).map { ListMember($0) }, at: 0)
        #expect(try list.written() == 10)
        // Its initializer has put it at the end.
        list.holder.members.insert(ListMember(200, in: list.holder), at: 0)
        list.holder.members.insert(ListMember(201, in: list.holder), at: 1)
        #expect(try list.written() == 2)
        let front = [200, 201] + Array(100..<110)
        #expect(list.numbers == front + Array(0..<20))
        list.holder.members.replaceSubrange(15..<17, with: [ListMember(300, in: list.holder)])
        // Those that leave, and the one that comes.
        #expect(try list.written() == 3)
        #expect(try list.stored() == front + [0, 1, 2, 300] + Array(5..<20))
    }

    @Test(arguments: StoreKind.allCases)
    func `a place in the middle takes any number of objects`(_ kind: StoreKind) throws {
        let list = try Saved(kind, 100)
        var written = 0
        for number in 0..<300 {
            list.holder.members.insert(ListMember(1000 + number), at: 1)
            if number % 10 == 9 { written += try list.written() }
        }
        let expected = [0] + (1000..<1300).reversed() + Array(1..<100)
        #expect(list.numbers == expected)
        #expect(try list.stored() == expected)
        // Now and then there is no room, and some neighbors make it.
        #expect(written >= 300 && written < 1200, "\(written)")
    }

    @Test(arguments: StoreKind.allCases)
    func `two contexts that insert at one place agree about the order`(_ kind: StoreKind) throws {
        let list = try Saved(kind, 10)
        let other = ModelContext(list.context.container)
        let same = try other.fetch(FetchDescriptor<ListHolder>())[0]
        #expect(same.members.count == 10)
        for round in 0..<20 {
            let place = round % 3 * 4
            list.holder.members.insert(ListMember(100 + round), at: place)
            same.members.insert(ListMember(200 + round), at: place)
            try other.save()
            try list.context.save()
            other.processPendingChanges()
            #expect(Set(list.numbers).count == 12 + round * 2)
            #expect(same.members.map(\.number) == list.numbers)
            #expect(try list.stored() == list.numbers)
        }
    }

    @Test(arguments: StoreKind.allCases, SeededRandom.seeds)
    func `a list keeps any order that it is given`(_ kind: StoreKind, _ seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let list = try Saved(kind, 30)
        var expected = Array(0..<30)
        var next = 30
        for round in 0..<60 {
            let (from, place) = (random.below(expected.count), random.below(expected.count))
            switch random.below(8) {
            case 0, 1:
                list.move(from, to: place)
                expected.insert(expected.remove(at: from), at: place)
            case 2:
                list.holder.members.swapAt(from, place)
                expected.swapAt(from, place)
            case 3:
                let range = min(from, place)...max(from, place)
                list.holder.members[range].reverse()
                expected[range].reverse()
            case 4:
                let order = expected.shuffled(using: &random)
                let members = Dictionary(
                    uniqueKeysWithValues: list.holder.members.map { ($0.number, $0) }
                )
                list.holder.members = order.compactMap { members[$0] }
                expected = order
            case 5:
                list.holder.members.insert(ListMember(next, in: list.holder), at: place)
                expected.insert(next, at: place)
                next += 1
            case 6:
                let new = (0..<random.below(5)).map { next + $0 }
                list.holder.members.insert(contentsOf: new.map { ListMember($0) }, at: place)
                expected.insert(contentsOf: new, at: place)
                next += new.count
            default:
                guard expected.count > 5 else { continue }
                list.context.delete(list.holder.members[from])
                expected.remove(at: from)
            }
            #expect(list.numbers == expected, "seed \(seed), round \(round)")
            guard random.isOne(in: 3) else { continue }
            try list.context.save()
            #expect(try list.stored() == expected, "seed \(seed), round \(round)")
        }
    }

    @Test(arguments: [Int64.max, .max - 5, .max / 2, .min, .min + 3], SeededRandom.seeds)
    func `places at the end of all numbers leave the order`(_ first: Int64, _ seed: UInt64) {
        var random = SeededRandom(seed: seed)
        // What a column holds that somebody else has written, also one place for all.
        var places: [Int64?] = (0..<6).map { number in
            first > 0 ? first - Int64(number % 3) : first + Int64(number % 3)
        }
        for _ in 0..<40 {
            let count = places.count
            places.insert(
                random.isOne(in: 2) ? nil : .random(in: .min ... .max),
                at: random.below(count)
            )
            places.shuffle(using: &random)
            var new = places
            RelationOrder.arrange(new.count, from: 0) {
                new[$0]
            } place: {
                new[$0] = $1
            }
            let given = new.compactMap { $0 }
            #expect(given.count == new.count)
            #expect(zip(given, given.dropFirst()).allSatisfy { $0 < $1 }, "\(places) \(given)")
            places = new
        }
    }
}
