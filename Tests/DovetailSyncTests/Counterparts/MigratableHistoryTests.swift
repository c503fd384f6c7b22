import Dovetail
import DovetailTesting
import StoreTestSupport
import Synchronization
import Testing

/// A word that counts how often two of them are compared, and is its own counterpart.
struct CountedWord: Identifiable, Sendable {
    let id: Int
    var text: String

    static let comparisons = Mutex(0)
}

extension CountedWord: Migratable {
    static func == (left: Self, right: Self) -> Bool {
        comparisons.withLock { $0 += 1 }
        return left.id == right.id && left.text == right.text
    }

    static func build(from word: CountedWord) -> CountedWord? { word }
    func export(to file: LineFile) -> CountedWord { self }
    static func delete(_ word: CountedWord, from file: LineFile) {}
}

/// The laws, for random lists one after the other.
struct MigratableHistoryTests {
    @Test(arguments: SeededRandom.seeds, StoreKind.allCases)
    func `afterwards there is what was given, and a second run changes nothing`(
        _ seed: UInt64,
        _ kind: StoreKind
    ) throws {
        var random = SeededRandom(seed: seed)
        let container = try kind.container(
            StoredMessage.self,
            StoredState.self,
            StoredNote.self,
            MessageRow.self
        )
        let context = ModelContext(container)
        var before: [Int: ChatMessage] = [:]
        for _ in 0..<40 {
            let count = Int.random(in: 0...30, using: &random)
            let given = Dictionary(
                (0..<count).map { _ in
                    let id = Int.random(in: 0..<40, using: &random)
                    let text = random.pick(["", "a", "b"])
                    let state = random.pick(ChatState.allCases)
                    return (id, ChatMessage(id: id, text: text, state: state))
                },
                uniquingKeysWith: { $1 }
            )
            let list = given.values.shuffled(using: &random)
            let result = try (list + list.prefix(3)).synchronize(in: context)
            if Bool.random(using: &random) { try context.save() }
            let same = given.filter { before[$0.key] == $0.value }
            let known = given.filter { before[$0.key] != nil }
            #expect(Set(result.unchanged.map(\.number)) == Set(same.keys))
            #expect(result.updated.count == known.count - same.count)
            #expect(result.added.count == given.count - known.count)
            #expect(result.removed.count == before.count - known.count)
            #expect(try list.synchronize(in: context).isEmpty)

            // A failure in the middle, and what waits is taken back: as before.
            if Bool.random(using: &random) {
                try context.save()
                let other = [ChatMessage(id: 99, text: "x"), ChatMessage(id: 0, text: "y")]
                try other.synchronize(in: context)
                context.rollback()
            }
            let stored = try context.fetch(FetchDescriptor<StoredMessage>())
                .compactMap(ChatMessage.build)
            #expect(stored.count == given.count && Set(stored) == Set(list))
            before = given
        }
    }
}
