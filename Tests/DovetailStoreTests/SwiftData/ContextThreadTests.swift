import Dispatch
import Dovetail
import Foundation
import StoreTestSupport
import Synchronization
import Testing

/// A context that two threads use at the same time, which debug builds notice.
struct ContextThreadTests {
    /// Hands a context to another thread in spite of the compiler, as programs without its checks do.
    private struct Smuggled: @unchecked Sendable {
        let context: ModelContext
    }

    /// Runs a body on another thread, and waits for it.
    private func elsewhere(_ body: @escaping @Sendable () -> Void) {
        let isDone = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            body()
            isDone.signal()
        }
        isDone.wait()
    }

    @Test(arguments: StoreKind.allCases)
    func `a call during that of another thread is refused`(_ kind: StoreKind) throws {
        let context = ModelContext(try kind.boxes())
        let other = Smuggled(context: context)
        let kinds = Mutex<[StoreError.Kind]>([])
        try context.transaction {
            context.insert(StoredBox(title: "a"))
            elsewhere {
                let calls: [(ModelContext) throws -> Void] = [
                    { _ = try $0.fetch(FetchDescriptor<StoredBox>()) },
                    { _ = try $0.fetchCount(FetchDescriptor<StoredBox>()) },
                    { _ = try $0.fetchIdentifiers(FetchDescriptor<StoredBox>()) },
                    { try $0.save() },
                    { try $0.transaction {} },
                    { try $0.delete(model: StoredBox.self) },
                ]
                for call in calls {
                    do {
                        try call(other.context)
                    } catch let error as StoreError {
                        kinds.withLock { $0.append(error.kind) }
                    } catch {}
                }
            }
        }
        #expect(kinds.withLock { $0 } == Array(repeating: .concurrentUse, count: 6))
        #expect(try context.fetch(FetchDescriptor<StoredBox>()).map(\.title) == ["a"])
    }

    @Test(arguments: StoreKind.allCases)
    func `a call that cannot throw does nothing, and the next one throws`(_ kind: StoreKind) throws
    {
        let context = ModelContext(try kind.boxes())
        let other = Smuggled(context: context)
        context.insert(StoredBox(title: "a"))
        try context.save()
        let error = #expect(throws: StoreError.self) {
            try context.enumerate(FetchDescriptor<StoredBox>()) { box in
                elsewhere {
                    other.context.insert(StoredBox(title: "b"))
                    other.context.rollback()
                }
            }
            _ = try context.fetch(FetchDescriptor<StoredBox>())
        }
        #expect(error?.kind == .concurrentUse)
        #expect("\(error!)".contains("two threads"))
        // It is said once.
        #expect(try context.fetch(FetchDescriptor<StoredBox>()).map(\.title) == ["a"])
    }

    @Test(arguments: StoreKind.allCases)
    func `a context may go from thread to thread`(_ kind: StoreKind) throws {
        let context = ModelContext(try kind.boxes())
        let other = Smuggled(context: context)
        let failures = Mutex<[String]>([])
        for number in 0..<50 {
            elsewhere {
                do {
                    other.context.insert(StoredBox(title: "\(number)"))
                    try other.context.save()
                    _ = try other.context.fetch(FetchDescriptor<StoredBox>())
                } catch {
                    failures.withLock { $0.append("\(error)") }
                }
            }
        }
        #expect(failures.withLock { $0 }.isEmpty)
        #expect(try context.fetchCount(FetchDescriptor<StoredBox>()) == 50)
    }

    @Test(arguments: StoreKind.allCases)
    func `calls inside of calls are those of one thread`(_ kind: StoreKind) throws {
        let context = ModelContext(try kind.boxes())
        for title in ["a", "b"] { context.insert(StoredBox(title: title)) }
        try context.save()
        try context.transaction {
            try context.transaction { context.insert(StoredBox(title: "c")) }
            try context.enumerate(FetchDescriptor<StoredBox>()) { box in
                box.weight = 1
                _ = try context.fetchCount(FetchDescriptor<StoredBox>())
                box.items.append(StoredItem(name: "i"))
            }
        }
        #expect(try context.fetchCount(FetchDescriptor<StoredItem>()) == 3)
        #expect(throws: CancellationError.self) {
            try context.transaction { throw CancellationError() }
        }
        #expect(try context.fetchCount(FetchDescriptor<StoredBox>()) == 3)
    }
}
