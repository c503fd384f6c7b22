import Dovetail
import DovetailStore
import DovetailTesting
import StoreTestSupport
import Testing

@Model
struct Digested: Identifiable, Equatable, Sendable {
    let id: Int
    var name: String
    var note: String?
    var flag = false
    var size = 0.5
    var price: Decimal = 1
    var day = Date(timeIntervalSinceReferenceDate: 0)
    var bytes = Data()
    var parts: [String] = []
}

@Suite struct RowDigestTests {
    /// The digests of the stored rows, in the order of their keys.
    private func digests(_ values: [Digested], _ kind: StoreKind) throws -> [UInt64] {
        let context = ModelContext(try kind.container(Digested.self))
        context.insert(contentsOf: values)
        try context.save()
        let all = FetchDescriptor<Digested>(sortBy: [SortDescriptor(\.id)])
        return try context.withRows(of: all) { cursor, entity in
            var digests: [UInt64] = []
            while try cursor.next() { digests.append(RowDigest(cursor, of: entity).value) }
            return digests
        }
    }

    @Test(arguments: SeededRandom.seeds)
    func `equal rows have one digest in every store and in memory, and others another one`(
        seed: UInt64
    ) throws {
        var random = SeededRandom(seed: seed)
        // What all of the stores can keep.
        let nul = StoreKind.allCases.reduce("\0") { $1.kept($0) }
        let values = (0..<2000).map { id in
            func text() -> String {
                String(repeating: random.pick(["a", "b", "é", nul]), count: id % 40)
            }
            return Digested(
                id: id % 4 == 0 ? id : -id,
                name: text(),
                note: random.pick([nil, "", text()]),
                flag: random.isOne(in: 2),
                size: random.pick([0, -0.0, 1, .infinity]),
                price: random.pick([1, 1.5, -3]),
                day: Date(timeIntervalSinceReferenceDate: random.pick([0, 0.25, -1])),
                bytes: Data(text().utf8),
                parts: random.pick([[], ["a"], ["a", "b"]])
            )
        }
        .sorted { $0.id < $1.id }
        let entity = EntityBinding(Digested.self)
        let waiting = try values.map { RowDigest(try RowImage(of: $0), of: entity).value }
        for kind in StoreKind.allCases {
            #expect(try digests(values, kind) == waiting, "\(kind), seed \(seed)")
        }
        #expect(Set(waiting).count == values.count, "seed \(seed)")
    }

    @Test func `one bit and one place make another digest`() throws {
        let entity = EntityBinding(Digested.self)
        func digest(_ name: String, _ note: String?, _ bytes: [UInt8] = []) throws -> UInt64 {
            let value = Digested(id: 1, name: name, note: note, bytes: Data(bytes))
            return RowDigest(try RowImage(of: value), of: entity).value
        }
        var seen: Set<UInt64> = [
            try digest("", nil), try digest("", ""), try digest("ab", ""), try digest("", "ab"),
            try digest("a", "b"), try digest("a\u{0}", "b"),
        ]
        #expect(seen.count == 6)
        let lengths = [1, 7, 8, 9, 16, 17]
        for length in lengths {
            let zero = [UInt8](repeating: 0, count: length)
            seen.insert(try digest("", "", zero))
            for bit in 0..<(8 * length) {
                var bytes = zero
                bytes[bit / 8] |= 1 << (bit % 8)
                seen.insert(try digest("", "", bytes))
                for next in 0..<bit {
                    var two = bytes
                    two[next / 8] |= 1 << (next % 8)
                    seen.insert(try digest("", "", two))
                }
            }
        }
        // Of each length none, one and two bits.
        #expect(seen.count == lengths.reduce(6) { $0 + 1 + 8 * $1 + 4 * $1 * (8 * $1 - 1) })
    }
}
