import Dovetail
import StoreTestSupport
import Testing

@Suite(.enabled(if: SystemAbility.mounts, "small file systems cannot be mounted here"))
struct FullDiskTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Sizes in KB, from one that does not take an empty database to one that takes some saves.
    @Test(arguments: [4, 16, 32, 48, 64, 80, 100, 128, 160, 200, 260, 400])
    func `on a full disk all that was acknowledged is there, and with space it goes on`(
        size: Int
    ) throws {
        let disk = folder.file("disk")
        try FileManager.default.createDirectory(at: disk, withIntermediateDirectories: false)
        #expect(
            SystemAbility.run("mount", "-t", "tmpfs", "-o", "size=\(size)k", "tmpfs", disk.path)
        )
        defer { SystemAbility.run("umount", disk.path) }
        let file = disk.appendingPathComponent("test.sqlite")
        var state: Ledger.State = [:]
        var context: ModelContext?
        let error = #expect(throws: StoreError.self) {
            context = ModelContext(try .file(file, Entry.self))
            for group in 1...1000 {
                context?.insert(contentsOf: Ledger.entries(group, version: 1))
                try context?.save()
                state[group] = 1
            }
        }
        #expect([.storageFailure, .cannotOpen].contains(error?.kind), "\(size): \(error as Any)")
        if let context {
            #expect(try Ledger.state(in: ModelContext(context.container)) == state)
            #expect(context.hasChanges)
        }
        #expect(SystemAbility.run("mount", "-o", "remount,size=4m", disk.path))
        if let context {
            try context.save()
            state[state.count + 1] = 1
        }
        context = nil
        let next = ModelContext(try .file(file, Entry.self))
        #expect(try Ledger.state(in: next) == state)
        next.insert(contentsOf: Ledger.entries(2000, version: 1))
        try next.save()
        #expect(try RawDatabase(file).value("PRAGMA integrity_check") == "ok")
    }
}
