import Dovetail
import StoreTestSupport
import Testing

@Suite struct StreamCancellationTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// The files that this process has open below the folder.
    private func openFiles() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap {
            try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + $0)
        }.filter { $0.hasPrefix(folder.url.path) }
    }

    /// Waits until the reading threads have closed their files.
    private func expectNoOpenFiles() async throws {
        for _ in 0..<500 where try !openFiles().isEmpty {
            try await Task.sleep(for: .milliseconds(10))
        }
        #expect(try openFiles().isEmpty)
    }

    private func largeFile() throws -> URL {
        try Array(0..<100_000).save(as: .json, to: folder.file())
        return folder.file()
    }

    @Test func `a cancelled task gets no further element`() async throws {
        let file = try largeFile()
        let task = Task {
            var count = 0
            do {
                for try await _ in [Int].stream(from: file) {
                    count += 1
                    if count == 1000 { withUnsafeCurrentTask { $0?.cancel() } }
                }
            } catch {
                #expect(error is CancellationError)
                return count
            }
            return -1
        }
        #expect(await task.value == 1000)
        try await expectNoOpenFiles()
    }

    @Test func `after a cancellation there is nothing more`() async throws {
        let file = try largeFile()
        let task = Task { () async throws -> Void in
            var iterator = [Int].stream(from: file).makeAsyncIterator()
            _ = try? await iterator.next()
            withUnsafeCurrentTask { $0?.cancel() }
            await #expect(throws: CancellationError.self) { try await iterator.next() }
            #expect(try await iterator.next() == nil)
        }
        try await task.value
    }

    @Test func `a pipe without a writer is left at once`() async throws {
        let pipe = folder.file("pipe")
        #expect(SystemAbility.run("mkfifo", pipe.path))
        let task = Task {
            for try await _ in [Int].stream(from: pipe) {}
        }
        while try openFiles().isEmpty { try await Task.sleep(for: .milliseconds(1)) }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        try await expectNoOpenFiles()
    }

    @Test func `a pipe is closed when the loop is left`() async throws {
        let pipe = folder.file("pipe")
        #expect(SystemAbility.run("mkfifo", pipe.path))
        // Opened for both, so that it never ends.
        let handle = try FileHandle(forUpdating: pipe)
        try handle.write(contentsOf: Data("[1,2,".utf8))
        for try await number in [Int].stream(from: pipe) {
            #expect(number == 1)
            break
        }
        try handle.close()
        try await expectNoOpenFiles()
    }

    @Test func `files are closed at the end, after an error, and when the loop is left`()
        async throws
    {
        let file = try largeFile()
        #expect(await StreamOutcome(of: [Int].stream(from: file)).elements.count == 100_000)
        #expect(await StreamOutcome(of: [String].stream(from: file)).error != nil)
        for try await _ in [Int].stream(from: file) { break }
        do {
            let stream = [Int].stream(from: file)
            var iterator = stream.makeAsyncIterator()
            #expect(try await iterator.next() == 0)
        }
        try await expectNoOpenFiles()
    }

    @Test func `a task that is cancelled before it starts reads nothing`() async throws {
        let absent = folder.file("absent")
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            for try await _ in [Int].stream(from: absent) {}
        }
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func `many streams at one time`() async throws {
        let file = try largeFile()
        try await withThrowingTaskGroup(of: Int.self) { group in
            for index in 0..<40 {
                group.addTask {
                    var count = 0
                    for try await _ in [Int].stream(from: file) {
                        count += 1
                        if count == index * 200 { break }
                    }
                    return count
                }
            }
            var total = 0
            for try await count in group { total += count }
            #expect(total == 100_000 + (1..<40).reduce(0) { $0 + $1 * 200 })
        }
        try await expectNoOpenFiles()
    }
}
