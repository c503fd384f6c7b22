import Dovetail
import DovetailTesting
import Foundation
import StoreTestSupport
import Testing

@Model final class ListHolder {
    @Relationship(deleteRule: .cascade, inverse: \ListMember.holder) var members: [ListMember] = []

    init() {}
}

@Model final class ListMember {
    var number: Int
    var holder: ListHolder?

    init(_ number: Int, in holder: ListHolder? = nil) {
        self.number = number
        self.holder = holder
    }
}

@Model final class ListTree {
    @Attribute(.unique) var name: String
    var parent: ListTree?
    @Relationship(deleteRule: .cascade, inverse: \ListTree.parent) var children: [ListTree] = []

    init(_ name: String) { self.name = name }
}

/// Lists of more objects than are removed one by one, and trees that are deeper than a database follows
/// its rules.
struct LongListTests {
    /// A list, and the same with an array.
    private struct Pair {
        let holder: ListHolder
        let context: ModelContext
        var expected: [Int] = []
        var next = 0

        mutating func member(with holder: ListHolder?) -> ListMember {
            next += 1
            return ListMember(next, in: holder)
        }

        mutating func add(_ count: Int, _ random: inout SeededRandom) {
            for _ in 0..<count {
                switch random.below(4) {
                case 0: holder.members.append(member(with: nil))
                case 1: holder.members.append(member(with: holder))
                case 2: _ = member(with: holder)
                default:
                    let new = member(with: nil)
                    holder.members.append(new)
                    holder.members.append(new)
                }
                expected.append(next)
            }
        }

        mutating func remove(_ count: Int, _ random: inout SeededRandom) {
            let members = holder.members
            let first = random.below(max(1, members.count - count))
            var gone = Array(members.dropFirst(first).prefix(count))
            if random.isOne(in: 2) { gone.reverse() }
            let isDeleted = random.isOne(in: 2)
            for member in gone {
                if isDeleted { context.delete(member) } else { member.holder = nil }
            }
            expected.removeAll { number in gone.contains { $0.number == number } }
        }

        mutating func change(_ random: inout SeededRandom) {
            switch random.below(8) {
            case 0, 1: add(random.below(200), &random)
            case 2: remove(random.below(150), &random)
            case 3:
                // One that is there, and one that is not.
                if let member = holder.members.first {
                    holder.members.append(member)
                    holder.members.insert(member, at: holder.members.count / 2)
                    // What comes first stays.
                }
                holder.members.insert(member(with: nil), at: 0)
                expected.insert(next, at: 0)
            case 4:
                holder.members.removeAll { $0.number % 7 == 0 }
                expected.removeAll { $0 % 7 == 0 }
            case 5:
                let count = min(expected.count, random.below(60))
                holder.members.removeLast(count)
                expected.removeLast(count)
            case 6:
                // One is removed at the end, and comes back before others do.
                guard let last = holder.members.popLast() else { return }
                holder.members.insert(last, at: 0)
                expected.insert(expected.removeLast(), at: 0)
            default:
                holder.members.reverse()
                expected.reverse()
            }
        }
    }

    @Test(arguments: StoreKind.allCases, SeededRandom.seeds)
    func `a long list is what is made of it`(_ kind: StoreKind, _ seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let container = try kind.container(ListHolder.self)
        let context = ModelContext(container)
        var pair = Pair(holder: ListHolder(), context: context)
        context.insert(pair.holder)
        for round in 0..<30 {
            // Not after each: what is asked for settles the list.
            for _ in 0..<random.below(3) { pair.change(&random) }
            #expect(
                pair.holder.members.map(\.number) == pair.expected,
                "seed \(seed), round \(round)"
            )
            #expect(pair.holder.members.allSatisfy { $0.holder === pair.holder })
            guard random.isOne(in: 3) else { continue }
            try context.save()
            let stored = try ModelContext(container).fetchHolder()
            #expect(stored == pair.expected, "seed \(seed), round \(round)")
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `a list says who is in it after a removal`(_ kind: StoreKind) throws {
        let context = ModelContext(try kind.container(ListHolder.self))
        let holder = ListHolder()
        context.insert(holder)
        holder.members = (0..<1000).map { ListMember($0) }
        let members = holder.members
        members[500].holder = nil
        members[500].holder = holder
        members[3].holder = nil
        holder.members.append(members[3])
        #expect(
            holder.members.map(\.number)
                == (0..<1000).filter { $0 != 3 && $0 != 500 } + [500, 3]
        )
        #expect(holder.members.last?.holder === holder)
        try context.save()
        #expect(holder.members.count == 1000)
    }

    @Test(arguments: StoreKind.allCases)
    func `a tree of 1,500 levels is deleted with its root`(_ kind: StoreKind) throws {
        let container = try kind.container(ListTree.self)
        func plant(_ name: String) throws {
            let context = ModelContext(container)
            var tree = ListTree(name)
            context.insert(tree)
            for level in 0..<1500 {
                let next = ListTree("\(name)\(level)")
                tree.children.append(next)
                tree = next
            }
            try context.save()
        }
        func count() throws -> Int {
            try ModelContext(container).fetchCount(FetchDescriptor<ListTree>())
        }
        try plant("a")
        try plant("b")
        let context = ModelContext(container)
        let root = FetchDescriptor<ListTree>(predicate: #Predicate { $0.name == "a" })
        let found = try #require(try context.fetch(root).first)
        context.delete(found)
        try context.save()
        #expect(try count() == 1501)
        // The same of a context that has no objects.
        let other = ModelContext(container)
        try other.delete(model: ListTree.self, where: #Predicate { $0.name == "b" })
        try other.save()
        #expect(try count() == 0)
    }

    @Test(arguments: StoreKind.allCases)
    func `an object that leaves a context before it is saved is only the other's`(
        _ kind: StoreKind
    ) throws {
        let container = try kind.container(ListTree.self)
        let (first, second) = (ModelContext(container), ModelContext(container))
        let tree = ListTree("oak")
        first.insert(tree)
        first.delete(tree)
        second.insert(tree)
        #expect(!first.hasChanges && first.insertedModelsArray.isEmpty)
        try first.save()
        first.rollback()
        #expect(tree.modelContext === second)
        #expect(try first.fetchCount(FetchDescriptor<ListTree>()) == 0)
        try second.save()
        #expect(try first.fetch(FetchDescriptor<ListTree>()).map(\.name) == ["oak"])
    }

    @Test(arguments: StoreKind.allCases)
    func `objects come and go before the save, and are there once`(_ kind: StoreKind) throws {
        let container = try kind.container(ListTree.self)
        let context = ModelContext(container)
        let trees = (0..<5).map { ListTree("\($0)") }
        func names() throws -> [String] {
            try context.fetch(FetchDescriptor<ListTree>(sortBy: [SortDescriptor(\.name)]))
                .map(\.name)
        }
        for _ in 0..<2 {
            trees.forEach(context.insert)
            trees.forEach(context.delete)
        }
        #expect(try names().isEmpty)
        trees.forEach(context.insert)
        #expect(context.insertedModelsArray.count == 5)
        try context.save()
        for _ in 0..<2 {
            trees.forEach(context.delete)
            #expect(try names().isEmpty)
            trees.forEach(context.insert)
            #expect(try names() == ["0", "1", "2", "3", "4"])
            #expect(try context.fetchCount(FetchDescriptor<ListTree>()) == 5)
        }
        trees[0...1].forEach(context.delete)
        #expect(context.deletedModelsArray.count == 2)
        #expect(try context.fetchCount(FetchDescriptor<ListTree>()) == 3)
        try context.save()
        #expect(try names() == ["2", "3", "4"])
    }
}

extension ModelContext {
    fileprivate func fetchHolder() throws -> [Int] {
        try fetch(FetchDescriptor<ListHolder>())[0].members.map(\.number)
    }
}
