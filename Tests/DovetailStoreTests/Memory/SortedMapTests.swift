import DovetailTesting
import StoreTestSupport
import Testing

@testable import DovetailStore

@Suite struct SortedMapTests {
    /// Keys of all three forms.
    private static func key(_ number: Int, _ form: Int) -> RowKey {
        switch form {
        case 0: RowKey([.integer(Int64(number))])
        case 1: RowKey([.text("key \(number % 7) \(number)")])
        default: RowKey([.integer(Int64(number % 5)), .null, .text("\(number)")])
        }
    }

    @Test(arguments: SeededRandom.seeds, [0, 1, 2])
    func `it holds what a dictionary holds, and copies stay what they are`(
        seed: UInt64,
        form: Int
    ) {
        var random = SeededRandom(seed: seed)
        var map = SortedMap<Int>()
        var expected: [RowKey: Int] = [:]
        var copies: [(SortedMap<Int>, [RowKey: Int])] = []
        // It grows, then it shrinks until nothing is left.
        for step in 0..<3_000 {
            let key = Self.key(Int.random(in: 0..<900, using: &random), form)
            if random.isOne(in: step < 1_500 ? 5 : 2) {
                map.remove(key)
                expected[key] = nil
            } else {
                map.set(key, step)
                expected[key] = step
            }
            #expect(map[key] == expected[key], "seed \(seed), step \(step)")
            if step.isMultiple(of: 300) { copies.append((map, expected)) }
        }
        copies.append((map, expected))
        for key in expected.keys { map.remove(key) }
        copies.append((map, [:]))
        for (map, expected) in copies {
            check(map, expected, "seed \(seed), form \(form)")
        }
        #expect(copies.count == 12)
    }

    /// Compares a map with a dictionary, and looks at the shape of its tree.
    private func check(
        _ map: SortedMap<Int>,
        _ expected: [RowKey: Int],
        _ comment: Comment
    ) {
        let sorted = expected.keys.sorted { $0.order(relativeTo: $1) < 0 }
        var iterator = map.iterator()
        for key in sorted {
            let next = iterator.next()
            #expect(next?.key == key && next?.value == expected[key], comment)
        }
        #expect(iterator.next() == nil, comment)
        #expect(map.count == sorted.count, comment)
        var backwards = map.backwards()
        for key in sorted.reversed() { #expect(backwards.next()?.key == key, comment) }
        #expect(backwards.next() == nil, comment)
        for (index, key) in sorted.enumerated() where index.isMultiple(of: 7) {
            var before = map.backwards { $0.order(relativeTo: key) >= 0 }
            #expect(before.next()?.key == (index > 0 ? sorted[index - 1] : nil), comment)
            #expect(before.next()?.key == (index > 1 ? sorted[index - 2] : nil), comment)
        }
        for (index, key) in sorted.enumerated() {
            var from = map.iterator(from: key)
            #expect(from.next()?.key == key, comment)
            #expect(from.next()?.key == (index + 1 < sorted.count ? sorted[index + 1] : nil))
        }
        check(map.root, depth: map.height, isRoot: true)
    }

    private func check(_ node: SortedMap<Int>.Node, depth: Int, isRoot: Bool = false) {
        #expect(node.keys.count == node.values.count)
        #expect(node.keys.count <= SortedMap<Int>.Node.most)
        #expect(isRoot || node.keys.count >= SortedMap<Int>.Node.least)
        #expect(node.children.count == (depth == 1 ? 0 : node.keys.count + 1))
        for child in node.children { check(child, depth: depth - 1) }
    }

    @Test func `changing a copy makes new nodes on the path to the key only`() {
        var map = SortedMap<Int>()
        for number in 0..<20_000 { map.set(RowKey([.integer(Int64(number))]), number) }
        let before = addresses(map.root)
        #expect(map.height <= 4 && before.count > 600)
        var changed = map
        changed.set(RowKey([.integer(7_000)]), 1)
        changed.remove(RowKey([.integer(7_001)]))
        // Of each node on the path there is a new one, and a neighbour that gave a key.
        #expect(addresses(changed.root).subtracting(before).count <= 2 * map.height)
        #expect(addresses(map.root) == before)
    }

    /// Where the nodes are in memory.
    private func addresses(_ node: SortedMap<Int>.Node) -> Set<UnsafePointer<Int>> {
        var all = node.children.reduce(into: Set()) { $0.formUnion(addresses($1)) }
        node.values.withUnsafeBufferPointer { if let start = $0.baseAddress { all.insert(start) } }
        return all
    }

    @Test func `a search from a key that is not there begins with the next one`() {
        var map = SortedMap<Int>()
        for number in 0..<500 { map.set(RowKey([.integer(Int64(number * 2))]), number) }
        for number in 0..<500 {
            var iterator = map.iterator(from: RowKey([.integer(Int64(number * 2 - 1))]))
            #expect(iterator.next()?.value == number)
        }
        var end = map.iterator(from: RowKey([.integer(999)]))
        #expect(end.next() == nil)
    }

    @Test func `a key that another one begins with comes first`() {
        let short = RowKey([.integer(1)])
        let long = RowKey([.integer(1), .text("a")])
        #expect(short.order(relativeTo: long) < 0)
        #expect(long.starts(with: [.integer(1)]))
        #expect(!long.starts(with: [.integer(2)]))
        #expect(!short.starts(with: [.integer(1), .text("a")]))
    }
}
