import Dovetail
import StoreTestSupport
import Testing

/// What a program does with one file from making it to opening it again, while something may fail.
///
/// Of each group it knows the versions that may be stored: one, unless its last save failed.
final class FaultStory {
    let folder: TemporaryFolder
    private let comment: Comment
    /// The versions that each group may have; nil for none.
    private var possible: [Int: Set<Int?>] = [:]
    /// What waits in `context`.
    private var waiting: [Int: Int?] = [:]
    private var context: ModelContext?
    private var commits: [Int64] = []
    /// What the backup may hold; nil without one.
    private var copied: [Int: Set<Int?>]?
    private(set) var errors = 0

    private struct Stop: Error {}

    /// What a caller can act on.
    private static let expected: Set<StoreError.Kind> = [
        .storageFailure, .cannotOpen, .readOnly, .locked,
    ]

    init(_ comment: String) throws {
        folder = try TemporaryFolder()
        self.comment = Comment(rawValue: comment)
    }

    /// All of it, each part also after one that failed.
    func run() {
        open()
        for group in 1...4 { save([group: 1]) }
        save([2: 2, 5: 1])
        save([1: nil])
        saveByPredicate(3)
        nested()
        attempt { try context?.container.store.checkpoint() }
        save([4: 2])
        look()
        attempt {
            try context?.container.store.backup(to: folder.file("copy.sqlite"))
            copied = context == nil ? nil : possible
        }
        close()
        open()
        save([6: 1, 4: 3])
        look()
    }

    /// After the failures: the context goes on, and the next one finds what it should.
    func check() throws {
        if let context {
            if !waiting.isEmpty {
                try context.save()
                saved()
            }
            try enqueue([7: 1])
            try context.save()
            saved()
            try verify(context)
            close()
        }
        context = try made()
        try verify(#require(context))
        if !commits.isEmpty {
            let kept = try context?.history(since: 0).map(\.number) ?? []
            #expect(Set(commits).isSubset(of: kept), comment)
        }
        try enqueue([8: 1, 2: nil])
        try context?.save()
        saved()
        try verify(#require(context))
        close()
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        #expect(Set(names).isSubset(of: ["test.sqlite", "copy.sqlite"]), "\(comment): \(names)")
        let database = try RawDatabase(folder.file())
        #expect(try database.value("PRAGMA integrity_check") == "ok", comment)
        #expect(try database.value("SELECT count(*) FROM dovetail_open_commit") == "0", comment)
        #expect(names.contains("copy.sqlite") == (copied != nil), comment)
        if let copied {
            let copy = try RawDatabase(folder.file("copy.sqlite"))
            #expect(try copy.value("PRAGMA integrity_check") == "ok", comment)
            try compare(made("copy.sqlite"), copied)
        }
    }

    // MARK: Parts

    private func made(_ name: String = "test.sqlite") throws -> ModelContext {
        var configuration = ModelConfiguration(url: folder.file(name), busyTimeout: .zero)
        configuration.history = StoreHistory()
        return ModelContext(try ModelContainer(for: Entry.self, configurations: configuration))
    }

    private func open() {
        attempt { context = try made() }
    }

    private func close() {
        context = nil
        waiting = [:]
    }

    /// Makes groups wait with the versions that they shall have.
    private func enqueue(_ changes: [Int: Int?]) throws {
        for (group, version) in changes.sorted(by: { $0.key < $1.key }) {
            if let version {
                context?.upsert(Ledger.entries(group, version: version))
            } else {
                context?.delete(Ledger.entries(group, version: 1))
            }
            waiting[group] = version
        }
    }

    /// Saves groups. What failed waits for the next save.
    private func save(_ changes: [Int: Int?]) {
        guard let context else { return }
        attempt {
            try enqueue(changes)
            doubt()
            try context.save()
            saved()
        }
    }

    private func saveByPredicate(_ group: Int) {
        guard let context else { return }
        attempt {
            try context.delete(model: Entry.self, where: #Predicate { $0.group == group })
            waiting[group] = Int?.none
            doubt()
            try context.save()
            saved()
        }
    }

    /// Transactions in one another, of which some are thrown away, also by what failed.
    private func nested() {
        guard let context else { return }
        let before = waiting
        attempt {
            doubt([10: 1, 11: 1, 13: 1])
            do {
                try context.transaction {
                    try enqueue([10: 1])
                    do {
                        try context.transaction {
                            try enqueue([12: 1])
                            try context.save()
                            throw Stop()
                        }
                    } catch is Stop {
                        waiting[12] = nil
                    } catch let error as StoreError {
                        // A caller may go on. Then nothing of the transaction may be stored.
                        waiting[12] = nil
                        take(error)
                    }
                    try context.transaction { try enqueue([11: 1]) }
                    try enqueue([13: 1])
                }
            } catch {
                waiting = before
                throw error
            }
            saved()
        }
    }

    /// A fetch gives the right answer or an error.
    private func look() {
        guard let context else { return }
        attempt { try verify(context) }
    }

    // MARK: What is known

    /// What waits may be stored from now on.
    private func doubt(_ more: [Int: Int?] = [:]) {
        for (group, version) in waiting.merging(more, uniquingKeysWith: { $1 }) {
            possible[group, default: [nil]].insert(version)
        }
    }

    /// What waited is stored.
    private func saved() {
        for (group, version) in waiting { possible[group] = [version] }
        waiting = [:]
        if let number = context?.lastCommit.number { commits.append(number) }
    }

    private func verify(_ context: ModelContext) throws {
        // What waits is seen, too.
        try compare(context, possible.merging(waiting.mapValues { [$0] }) { $1 })
    }

    private func compare(_ context: ModelContext, _ possible: [Int: Set<Int?>]) throws {
        let state = try Ledger.state(in: context)
        for (group, versions) in possible {
            #expect(versions.contains(state[group]), "\(comment), group \(group)")
        }
        #expect(state.keys.allSatisfy { possible[$0] != nil }, comment)
    }

    private func attempt(_ body: () throws -> Void) {
        do {
            try body()
        } catch {
            take(error)
        }
    }

    private func take(_ error: any Error) {
        errors += 1
        guard let error = error as? StoreError else {
            Issue.record(error, comment)
            return
        }
        #expect(Self.expected.contains(error.kind), "\(comment): \(error.debugDescription)")
    }
}
