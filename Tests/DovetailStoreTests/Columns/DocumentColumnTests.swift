import Dovetail
import DovetailTesting
import StoreTestSupport
import TestAssets
import Testing

@Suite struct DocumentColumnTests {
    @Test func `embedded models, arrays and dictionaries are JSON that can be read`() throws {
        let change: (inout Cabinet) -> Void = {
            $0.address = Address(street: "Hügel \"5\"", number: nil)
            $0.addresses = [Address(street: "a", number: 1), Address(street: "", number: 2)]
            $0.counts = ["b": 2, "a": -1]
        }
        let cabinet = try Cabinet.roundTrip(change)
        #expect(cabinet.address == Address(street: "Hügel \"5\"", number: nil))
        #expect(cabinet.addresses.map(\.number) == [1, 2])
        #expect(cabinet.counts == ["b": 2, "a": -1])
        #expect(try Cabinet.stored("address", of: change) == #"{"street":"Hügel \"5\""}"#)
        #expect(try Cabinet.stored("json_extract(addresses, '$[1].number')", of: change) == "2")
        #expect(try Cabinet.stored("counts", of: change) == #"{"a":-1,"b":2}"#)
        #expect(try Cabinet.stored("typeof(address)", of: change) == "text")
    }

    @Test func `nil and empty are apart`() throws {
        let cabinet = try Cabinet.roundTrip { _ in }
        #expect(cabinet.address == nil)
        #expect(cabinet.addresses.isEmpty && cabinet.counts.isEmpty && cabinet.assets.isEmpty)
        #expect(cabinet.asset == nil)
        #expect(try Cabinet.stored("typeof(address) || addresses") { _ in } == "null[]")
    }

    @Test func `values of a protocol carry their type`() throws {
        let change: (inout Cabinet) -> Void = {
            $0.asset = SoundAsset(name: "ping", path: "p.wav")
            $0.assets = [
                ColorAsset(name: "red", red: 255, green: 0, blue: 0),
                SoundAsset(name: "pong", path: "q.wav"),
            ]
        }
        let cabinet = try Cabinet.roundTrip(change)
        #expect(cabinet.asset as? SoundAsset == SoundAsset(name: "ping", path: "p.wav"))
        #expect(cabinet.assets.map(\.name) == ["red", "pong"])
        #expect(cabinet.assets.first is ColorAsset)
        #expect(
            try Cabinet.stored("asset", of: change)
                == #"{"$type":"SoundAsset","name":"ping","path":"p.wav","type":"sound"}"#
        )
        #expect(
            try Cabinet.stored("json_extract(assets, '$[1].\"$type\"')", of: change) == "SoundAsset"
        )
    }

    @Test func `plain Codable values are JSON with sorted keys`() throws {
        let stamp = Stamp(zeta: "/", alpha: 7, issued: Date(timeIntervalSinceReferenceDate: 0.5))
        let cabinet = try Cabinet.roundTrip {
            $0.stamp = stamp
            $0.optStamp = stamp
        }
        #expect(cabinet.stamp == stamp)
        #expect(cabinet.optStamp == stamp)
        let shown = try Cabinet.stored("stamp") { $0.stamp = stamp }
        #expect(shown == #"{"alpha":7,"issued":"2001-01-01T00:00:00.5Z","zeta":"/"}"#)
    }

    @Test func `an absent plain Codable value comes back as nil`() throws {
        #expect(try Cabinet.roundTrip { $0.optStamp = nil }.optStamp == nil)
        #expect(try Cabinet.stored("typeof(optStamp)") { $0.optStamp = nil } == "null")
    }

    @Test(arguments: SeededRandom.seeds)
    func `equal sets are stored alike`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let words = (0..<20).map { "word \($0)" }
        var texts: Set<String?> = []
        for _ in 0..<4 {
            var labels = Set<String>(minimumCapacity: Int.random(in: 0...500, using: &random))
            for word in words.shuffled(using: &random) { labels.insert(word) }
            #expect(try Cabinet.roundTrip { $0.labels = labels }.labels == Set(words))
            texts.insert(try Cabinet.stored("labels") { $0.labels = labels })
        }
        #expect(texts.count == 1, "seed \(seed)")
    }

    @Test func `equality of embedded values is asked of their JSON`() throws {
        let context = ModelContext(try .inMemory(Machine.self))
        let machine = Machine(
            id: 1,
            name: "m",
            tags: ["a", "b"],
            part: Part(code: "x"),
            price: 1,
            unsigned: 1,
            speed: 1,
            tested: true
        )
        context.insert(machine)
        let (tags, part) = (["a", "b"], Part(code: "x"))
        let predicates: [Predicate<Machine>] = [
            #Predicate { $0.tags == tags }, #Predicate { $0.part == part },
            #Predicate { $0.spare == nil }, #Predicate { $0.spare != part },
        ]
        for predicate in predicates {
            let count = try context.fetchCount(FetchDescriptor(predicate: predicate))
            #expect(count == 1, "\(predicate)")
        }
    }
}
