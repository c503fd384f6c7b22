import Dispatch
import Dovetail
import Synchronization

/// Eight threads that read a fixed number of pages each, and one that saves a record about every
/// millisecond until they are done.
final class Crowd: Sendable {
    private let running = Atomic(8)
    private let failures = Atomic(0)
    private let done = DispatchGroup()

    /// Runs it. Each thread makes what it works with.
    ///
    /// - Throws: ``DifferentResults`` when a page was short or a thread failed.
    static func run(
        write: @escaping @Sendable () throws -> (FlatRecord) throws -> Void,
        read: @escaping @Sendable () throws -> (Int) throws -> Int
    ) throws {
        let crowd = Crowd()
        for thread in 0..<8 {
            crowd.start {
                defer { crowd.running.subtract(1, ordering: .relaxed) }
                let page = try read()
                for number in 0..<40 {
                    try expect(try page((thread * 40 + number) * 150 % 49_000) == 1000)
                }
            }
        }
        crowd.start {
            let save = try write()
            var record = FlatRecord.samples(1)[0]
            while crowd.running.load(ordering: .relaxed) > 0 {
                record.change()
                try save(record)
                Thread.sleep(forTimeInterval: 0.001)
            }
        }
        crowd.done.wait()
        try expect(crowd.failures.load(ordering: .relaxed) == 0)
    }

    private func start(_ body: @escaping @Sendable () throws -> Void) {
        done.enter()
        Thread {
            do {
                try body()
            } catch {
                self.failures.add(1, ordering: .relaxed)
            }
            self.done.leave()
        }
        .start()
    }
}
