import Dovetail
import StoreTestSupport
import Testing

/// Text in stores is compared by the bytes of its UTF-8. Swift compares characters after canonical
/// normalization, so what is expected here is said in bytes.
@Suite struct TextComparisonTests {
    private static let names = [
        "e\u{301}", "\u{E9}", "e", "E", "a\r\nb", "a\nb", "", "z", "Z", "\u{FB01}", "fi",
        "\u{1F600}",
        "\u{FFFD}", "\u{212B}", "\u{C5}", "A\u{30A}", "a\0b", "a", "\u{1F469}\u{200D}\u{1F467}",
        "\u{1F469}", "Stra\u{DF}e", "STRASSE",
    ]
    private let context: ModelContext

    init() throws {
        context = ModelContext(try .inMemory(Pet.self))
        context.insert(contentsOf: Self.names.enumerated().map { Pet($0, $1) })
        try context.save()
    }

    private static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    private static func contains(_ text: String, _ part: String) -> Bool {
        let (text, part) = (bytes(text), bytes(part))
        return part.isEmpty || text.indices.contains { text[$0...].starts(with: part) }
    }

    /// A name, and the predicates that compare with it.
    private func predicates(
        _ other: String
    ) -> [(Predicate<Pet>, expected: (String) -> Bool)] {
        let list = [other, "no such name"]
        return [
            (#Predicate { $0.name == other }, { Self.bytes($0) == Self.bytes(other) }),
            (#Predicate { $0.name != other }, { Self.bytes($0) != Self.bytes(other) }),
            (
                #Predicate { $0.name < other },
                { Self.bytes($0).lexicographicallyPrecedes(Self.bytes(other)) }
            ),
            (
                #Predicate { $0.name >= other },
                { !Self.bytes($0).lexicographicallyPrecedes(Self.bytes(other)) }
            ),
            (#Predicate { $0.name.contains(other) }, { Self.contains($0, other) }),
            (
                #Predicate { $0.name.starts(with: other) },
                { Self.bytes($0).starts(with: Self.bytes(other)) }
            ),
            (#Predicate { list.contains($0.name) }, { Self.bytes($0) == Self.bytes(other) }),
        ]
    }

    @Test(arguments: names)
    func `predicates compare bytes`(other: String) throws {
        var checked = 0
        for (predicate, isExpected) in predicates(other) {
            let found = try context.fetch(FetchDescriptor(predicate: predicate)).map(\.id)
            let expected = Self.names.indices.filter { isExpected(Self.names[$0]) }
            #expect(found.sorted() == expected, "\(predicate)")
            #expect(try context.fetchCount(FetchDescriptor(predicate: predicate)) == found.count)
            checked += 1
        }
        #expect(checked == 7)
    }

    /// The rule is told apart from Swift's by these names, or the test above would prove nothing.
    @Test func `Swift finds other rows`() throws {
        let accent = "\u{E9}"
        let predicate = #Predicate<Pet> { $0.name == accent }
        let inMemory = try Self.names.enumerated().filter { try predicate.evaluate(Pet($0, $1)) }
        #expect(inMemory.map(\.offset) == [0, 1])
        #expect(try context.fetch(FetchDescriptor(predicate: predicate)).map(\.id) == [1])
    }

    @Test(arguments: [SortOrder.forward, .reverse])
    func `sorting compares bytes`(order: SortOrder) throws {
        let sort = SortDescriptor(\Pet.name, comparator: .lexical, order: order)
        let sorted = try context.fetch(FetchDescriptor<Pet>(sortBy: [sort])).map(\.id)
        let expected = Self.names.indices.sorted {
            Self.bytes(Self.names[$0]).lexicographicallyPrecedes(Self.bytes(Self.names[$1]))
        }
        #expect(sorted == (order == .forward ? expected : expected.reversed()))
    }

    @Test(arguments: StoreKind.allCases)
    func `keys of two normal forms are two rows`(kind: StoreKind) throws {
        let context = ModelContext(try kind.container(Product.self))
        let products = ["\u{E9}", "e\u{301}"].map { Product(title: "t", sku: $0) }
        context.insert(contentsOf: products)
        try context.save()
        #expect(try context.fetchCount(FetchDescriptor<Product>()) == 2)
        context.delete(products[0])
        try context.save()
        let left = try context.fetch(FetchDescriptor<Product>()).map { Self.bytes($0.sku) }
        #expect(left == [Self.bytes("e\u{301}")])
    }
}
