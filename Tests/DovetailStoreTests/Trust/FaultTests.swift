import Dovetail
import StoreTestSupport
import Testing

/// The first, second, third … operation on files fails, until the whole story passes without a
/// failure. The suite leaves out some of the many writes and reads; `Scripts/soak` none.
@Suite(.serialized) struct FaultTests {
    @Test(arguments: Fault.allCases)
    func `whatever fails ends in a typed error, and what was acknowledged is there`(
        fault: Fault
    ) throws {
        let stride = Soak.isOn ? 1 : fault.stride
        var number = 1 + (Fault.allCases.firstIndex { $0 == fault } ?? 0) % stride
        var errors = 0
        var places = 0
        while true {
            let story = try FaultStory("\(fault), number \(number)")
            fault.begin(in: story.folder.url, at: number)
            story.run()
            let failures = Fault.end()
            errors += story.errors
            try story.check()
            if failures == 0 { break }
            number += stride
            places += 1
        }
        print("\(fault): \(places) places, \(errors) errors")
        #expect(errors > 0)
    }

    /// More rows than SQLite keeps in memory (`PRAGMA cache_size`) are written before the end of the
    /// transaction. When that fails, SQLite ends all of it, and not only the inner one.
    @Test(arguments: [Fault.Operation.write, .fullWrite, .shortWrite], [1, 20, 300])
    func `a transaction that SQLite has undone stores nothing of what comes after`(
        operation: Fault.Operation,
        number: Int
    ) throws {
        let folder = try TemporaryFolder()
        let fault = Fault(operation: operation, stays: false)
        fault.begin(in: folder.url, at: .max)
        let container = try ModelContainer.file(folder.file(), Entry.self)
        let context = ModelContext(container)
        context.insert(contentsOf: Ledger.entries(1, version: 1))
        try context.save()
        fault.begin(in: folder.url, at: number)
        let outcome = try kind {
            try context.transaction {
                context.insert(contentsOf: Ledger.entries(2, version: 1))
                try #expect(kind { try insertMany(context) } == .storageFailure)
                #expect(Fault.end() == 1)
                // The caller goes on.
                try #expect(kind { _ = try Ledger.state(in: context) } == .storageFailure)
                context.insert(contentsOf: Ledger.entries(3, version: 1))
                try? context.save()
                try? context.transaction {
                    context.insert(contentsOf: Ledger.entries(4, version: 1))
                }
                try context.delete(model: Entry.self)
                try? context.save()
            }
        }
        #expect(outcome == .storageFailure)
        #expect(!context.hasChanges)
        #expect(try Ledger.state(in: ModelContext(container)) == [1: 1])
        context.insert(contentsOf: Ledger.entries(3, version: 1))
        try context.save()
        #expect(try Ledger.state(in: ModelContext(container)) == [1: 1, 3: 1])
    }

    private func insertMany(_ context: ModelContext) throws {
        try context.transaction {
            for group in 10..<900 {
                context.insert(
                    contentsOf: Ledger.entries(group * 5, version: 1).map { entry in
                        var entry = entry
                        entry.note = String(repeating: entry.note, count: 4)
                        return entry
                    }
                )
            }
        }
    }

    /// The kind of the error that `body` throws; nil without one.
    private func kind(_ body: () throws -> Void) throws -> StoreError.Kind? {
        do {
            try body()
            return nil
        } catch let error as StoreError {
            return error.kind
        }
    }
}
