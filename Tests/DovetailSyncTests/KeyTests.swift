import Dovetail
import StoreTestSupport
import TestAssets
import Testing

@Suite struct KeyTests {
    @Test(arguments: StoreKind.allCases)
    func `text keys`(kind: StoreKind) throws {
        let context = ModelContext(try kind.container(Country.self))
        let (short, long) = (kind.kept("a\0"), kind.kept("a\0b"))
        try context.store([
            Country(code: "de", name: "Germany"), Country(code: "", name: "none"),
            Country(code: short, name: "x"),
        ])
        let result = try context.synchronize([
            Country(code: "DE", name: "Germany"), Country(code: "", name: "nowhere"),
            Country(code: long, name: "x"), Country(code: short, name: "x"),
        ])
        #expect(result.inserted == ["DE", long])
        #expect(result.updated == [""])
        #expect(result.deleted == ["de"])
        #expect(result.unchanged == 1)
        try context.save()
        let codes = try context.fetch(FetchDescriptor<Country>()).map(\.code)
        #expect(Set(codes) == ["DE", "", short, long])
    }

    /// Swift compares the two as equal, a store tells them apart.
    @Test(arguments: StoreKind.allCases)
    func `text keys of different normal forms are different rows`(kind: StoreKind) throws {
        let context = ModelContext(try kind.container(Country.self))
        try context.store([Country(code: "e\u{301}", name: "x")])
        let given = [Country(code: "\u{E9}", name: "x")]
        let result = try context.synchronize(given)
        #expect(result.inserted.count == 1 && result.deleted.count == 1)
        try context.save()
        let stored = try context.fetch(FetchDescriptor<Country>())
        #expect(stored.map { Array($0.code.utf8) } == [Array("\u{E9}".utf8)])
        #expect(try context.synchronize(given).isEmpty)

        try context.store([Country(code: "e\u{301}", name: "x")])
        #expect(try context.synchronize(stored).deleted.count == 1)
        try context.save()
        #expect(try context.fetchCount(FetchDescriptor<Country>()) == 1)
    }

    @Test(arguments: StoreKind.allCases)
    func `normal forms in keys of several columns`(kind: StoreKind) throws {
        let context = ModelContext(try kind.container(Membership.self))
        try context.store([Membership(team: "e\u{301}", since: 1, user: 1)])
        try context.synchronize([Membership(team: "\u{E9}", since: 1, user: 1)])
        try context.save()
        #expect(try context.fetchCount(FetchDescriptor<Membership>()) == 1)
    }

    @Test(arguments: StoreKind.allCases)
    func `another normal form of a text is another text`(kind: StoreKind) throws {
        let context = ModelContext(try kind.container(Country.self))
        try context.store([Country(code: "a", name: "e\u{301}")])
        #expect(try context.synchronize([Country(code: "a", name: "e\u{301}")]).isEmpty)
        #expect(try context.synchronize([Country(code: "a", name: "\u{E9}")]).updated == ["a"])
        try context.save()
        let stored = try context.fetch(FetchDescriptor<Country>()).map { Array($0.name.utf8) }
        #expect(stored == [Array("\u{E9}".utf8)])
    }

    @Test(arguments: StoreKind.allCases)
    func `keys of several columns`(kind: StoreKind) throws {
        let context = ModelContext(try kind.container(Membership.self))
        try context.store([
            Membership(team: "a", since: 1, user: 1), Membership(team: "a", since: 1, user: 2),
            Membership(team: "b", since: 1, user: 1),
        ])
        let result = try context.synchronize([
            Membership(team: "b", since: 2, user: 1), Membership(team: "a", since: 1, user: 1),
            Membership(team: "b", since: 1, user: 2),
        ])
        #expect(result.inserted == [Membership.ID(team: "b", user: 2)])
        #expect(result.updated == [Membership.ID(team: "b", user: 1)])
        #expect(result.deleted == [Membership.ID(team: "a", user: 2)])
        #expect(result.unchanged == 1)
        try context.save()
        #expect(try context.fetchCount(FetchDescriptor<Membership>()) == 3)
    }

    @Test(arguments: StoreKind.allCases)
    func `UUID keys and embedded values of a protocol`(kind: StoreKind) throws {
        let context = ModelContext(try kind.container(Scene.self))
        let (one, two) = (UUID(), UUID())
        let red = ColorAsset(name: "red", red: 255, green: 0, blue: 0)
        let ping = SoundAsset(name: "ping", path: "p.wav")
        let labels = Set((0..<50).map { "label \($0)" })
        let scenes = [
            Scene(
                id: one,
                background: red,
                assets: [red, ping],
                labels: labels,
                counts: ["a": 1, "b": 2]
            ),
            Scene(id: two),
        ]
        try context.store(scenes)
        var same = scenes
        same[0].labels = []
        for label in labels.sorted() { same[0].labels.insert(label) }
        same[0].counts = ["b": 2, "a": 1]
        #expect(try context.synchronize(same.reversed()).isEmpty)

        for change in [
            { $0.background = ping }, { $0.background = nil }, { $0.assets.reverse() },
            { $0.assets.removeLast() }, { $0.counts["a"] = 2 }, { $0.labels.insert("new") },
        ] as [(inout Scene) -> Void] {
            var given = scenes
            change(&given[0])
            #expect(try context.synchronize(given).updated == [one])
            context.rollback()
        }
    }
}
