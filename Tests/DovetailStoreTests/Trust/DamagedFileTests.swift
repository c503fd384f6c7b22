import Dovetail
import DovetailTesting
import StoreTestSupport
import Testing

/// Each page of a file is damaged in turn.
@Suite struct DamagedFileTests {
    /// What becomes of a page.
    enum Damage: CaseIterable {
        case zeros, ones, noise
        /// It holds what another page holds.
        case other
        /// One byte changes.
        case byte

        /// Whether SQLite can tell: it has no checksums, so what looks like a page is one.
        var isFound: Bool { self != .other && self != .byte }

        func apply(to bytes: inout Data, page: Int, using random: inout SeededRandom) {
            let start = page * 4096
            switch self {
            case .zeros: bytes.replaceSubrange(start..<start + 4096, with: Data(count: 4096))
            case .ones:
                let ones = Data(repeating: 0xFF, count: 4096)
                bytes.replaceSubrange(start..<start + 4096, with: ones)
            case .noise:
                for index in start..<start + 4096 {
                    bytes[index] = UInt8.random(in: 0...255, using: &random)
                }
            case .other:
                let other = Int.random(in: 0..<bytes.count / 4096, using: &random) * 4096
                bytes.replaceSubrange(start..<start + 4096, with: bytes[other..<other + 4096])
            case .byte:
                let index = start + Int.random(in: 0..<4096, using: &random)
                bytes[index] ^= UInt8.random(in: 1...255, using: &random)
            }
        }
    }

    private let folder: TemporaryFolder
    private let file: URL
    private static let groups = 1...120

    init() throws {
        folder = try TemporaryFolder()
        file = folder.file()
    }

    private func opened(checks: Bool) throws -> ModelContext {
        var configuration = ModelConfiguration(url: file, busyTimeout: .zero)
        configuration.history = StoreHistory()
        configuration.checksIntegrity = checks
        return ModelContext(
            try ModelContainer(for: Entry.self, Worker.self, configurations: configuration)
        )
    }

    /// A file with tables, indexes and a history, and its state.
    private func made() throws -> (Data, Ledger.State) {
        let context = try opened(checks: false)
        var state: Ledger.State = [:]
        for group in Self.groups {
            context.insert(contentsOf: Ledger.entries(group, version: 1))
            context.insert(Worker.made(group, email: "\(group)@x"))
            if group % 20 == 0 { try context.save() }
            state[group] = 1
        }
        try context.container.store.checkpoint()
        return (try Data(contentsOf: file), state)
    }

    @Test(arguments: Damage.allCases)
    func `a damaged page is a typed error, or it was not needed`(damage: Damage) throws {
        let seed = Soak.seed(for: "damaged pages, \(damage)")
        var random = SeededRandom(seed: seed)
        let (whole, state) = try made()
        let pages = Array(0..<whole.count / 4096)
        let chosen =
            Soak.isOn ? pages : [0, 1, 2, 3, 4, 5] + pages.shuffled(using: &random).prefix(40)
        var errors = 0
        for page in chosen {
            var bytes = whole
            damage.apply(to: &bytes, page: page, using: &random)
            for suffix in ["-wal", "-shm"] {
                try? FileManager.default.removeItem(atPath: file.path + suffix)
            }
            try bytes.write(to: file)
            let comment: Comment = "seed \(seed), page \(page + 1) of \(pages.count)"
            errors += use(damage, state, checks: page % 2 == 0, comment)
        }
        print("\(damage): \(chosen.count) of \(pages.count) pages, \(errors) errors")
        // A byte may lie where nothing is.
        #expect(errors > 0 || damage == .byte)
    }

    /// Opens the file, reads and writes it.
    ///
    /// - Returns: How many errors there were.
    private func use(
        _ damage: Damage,
        _ state: Ledger.State,
        checks: Bool,
        _ comment: Comment
    ) -> Int {
        var errors = 0
        func attempt(_ body: () throws -> Void) {
            do {
                try body()
            } catch {
                errors += 1
                expectTyped(error, damage, comment)
            }
        }
        attempt {
            let context = try opened(checks: checks)
            attempt {
                let found = try Ledger.state(in: context)
                #expect(found == state || !damage.isFound, comment)
            }
            attempt {
                let mail = "7@x"
                let workers = try context.fetch(
                    FetchDescriptor<Worker>(predicate: #Predicate { $0.email == mail })
                )
                #expect(workers.map(\.id) == [7] || !damage.isFound, comment)
            }
            attempt {
                context.upsert(Ledger.entries(7, version: 2))
                context.insert(contentsOf: Ledger.entries(200, version: 1))
                try context.save()
            }
            context.rollback()
            attempt {
                try context.delete(model: Entry.self, where: #Predicate { $0.group == 9 })
                try context.save()
            }
            context.rollback()
            attempt { _ = try context.history(since: 0) }
            attempt { try context.container.store.backup(to: folder.file("copy.sqlite")) }
            try? FileManager.default.removeItem(at: folder.file("copy.sqlite"))
        }
        return errors
    }

    private func expectTyped(_ error: any Error, _ damage: Damage, _ comment: Comment) {
        switch error {
        case let error as StoreError:
            let kinds: [StoreError.Kind] = [.corrupt, .notADatabase]
            #expect(
                kinds.contains(error.kind) || !damage.isFound,
                "\(comment): \(error.debugDescription)"
            )
        case is ModelDecodingError, is Ledger.Half:
            #expect(!damage.isFound, "\(comment): \(error)")
        default:
            Issue.record(error, comment)
        }
    }
}
