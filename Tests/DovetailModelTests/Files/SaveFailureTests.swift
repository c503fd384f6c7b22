import Dovetail
import StoreTestSupport
import TestAssets
import Testing

/// Whatever stops a save, the old file is whole, there is nothing beside it, and the error says
/// what.
@Suite struct SaveFailureTests {
    private let folder: TemporaryFolder
    private let file: URL
    private let old = SoundAsset(name: "old", path: "p")
    private let large = Array(repeating: SoundAsset(name: "new", path: "q"), count: 10_000)

    init() throws {
        folder = try TemporaryFolder()
        file = folder.file()
        try old.save(as: .json, to: file)
    }

    private func expectOld(_ names: [String] = ["library.json"]) throws {
        #expect(try SoundAsset(contentsOf: file) == old)
        #expect(try folder.names() == names)
    }

    private func failure(_ url: URL) throws -> ModelFileError {
        try #require(throws: ModelFileError.self) { try large.save(as: .json, to: url) }
    }

    @Test func `a value without a form`() throws {
        #expect(throws: ModelEncodingError.self) { try Double.nan.save(as: .json, to: file) }
        try expectOld()
    }

    @Test func `a folder that does not exist`() throws {
        let url = folder.file("none/library.json")
        let error = try failure(url)
        #expect(error.kind == .notFound)
        #expect(error.operation == .open)
        #expect(error.code == ENOENT)
        #expect(error.description == "cannot open \(url.path): no such file or folder")
        let inFile = try failure(file.appendingPathComponent("x"))
        #expect(inFile.kind == .notFound)
        try expectOld()
    }

    @Test func `what is no file is not replaced`() throws {
        let inner = folder.file("inner")
        try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
        for url in [inner, folder.file("inner/"), folder.file("."), folder.file("inner/..")] {
            #expect(try failure(url).kind == .notAFile, "\(url)")
        }
        #expect(SystemAbility.run("mkfifo", folder.file("pipe").path))
        #expect(try failure(folder.file("pipe")).kind == .notAFile)
        #expect(try failure(URL(fileURLWithPath: "/dev/null")).kind == .notAFile)
        #expect(try failure(try #require(URL(string: "http://h/x"))).kind == .notAFile)
        let zero = try #require(URL(string: "file://\(file.path)%00x"))
        #expect(throws: ModelFileError.self) { try large.save(as: .json, to: zero) }
        try expectOld(["inner", "library.json", "pipe"])
    }

    @Test func `links in a circle`() throws {
        let files = FileManager.default
        let (first, second) = (folder.file("first"), folder.file("second"))
        try files.createSymbolicLink(atPath: first.path, withDestinationPath: second.path)
        try files.createSymbolicLink(atPath: second.path, withDestinationPath: first.path)
        let error = try failure(first)
        #expect(error.code == ELOOP)
        #expect(error.description.contains("symbolic links"))
    }

    @Test func `a name that is too long`() throws {
        let error = try failure(folder.file(String(repeating: "n", count: 300)))
        #expect(error.code == ENAMETOOLONG)
        try expectOld()
    }

    /// Modes do not bind root, so the folder is made immutable.
    @Test(.needsProtectedFiles) func `a folder that the system protects`() throws {
        #expect(SystemAbility.protect(folder.url, true))
        let error = Result { try failure(file) }
        SystemAbility.protect(folder.url, false)
        #expect(try error.get().kind == .notPermitted)
        #expect(try error.get().operation == .create)
        #expect(
            try error.get().description
                == "cannot create a file beside \(file.path): the permission is missing"
        )
        try expectOld()
    }

    /// In a process of its own, which gives up being root.
    @Test func `a folder and a file that may not be written`() async throws {
        let (path, mode) = (folder.url.path, [FileAttributeKey.posixPermissions: 0o555])
        try FileManager.default.setAttributes(mode, ofItemAtPath: path)
        await #expect(processExitsWith: .success) { [path = path as String] in
            _ = setgid(65_534)
            _ = setuid(65_534)
            let url = URL(fileURLWithPath: path + "/library.json")
            let error = #expect(throws: ModelFileError.self) { try [1].save(as: .json, to: url) }
            #expect(error?.kind == .notPermitted)
            let new = URL(fileURLWithPath: path + "/new.json")
            let other = #expect(throws: ModelFileError.self) { try [1].save(as: .json, to: new) }
            #expect(other?.operation == .create)
            #expect(other?.kind == .notPermitted)
        }
        try expectOld()
        // The folder would allow it, the file does not.
        let all = [FileAttributeKey.posixPermissions: 0o777]
        try FileManager.default.setAttributes(all, ofItemAtPath: path)
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o444],
            ofItemAtPath: file.path
        )
        await #expect(processExitsWith: .success) { [path = path as String] in
            _ = setgid(65_534)
            _ = setuid(65_534)
            let url = URL(fileURLWithPath: path + "/library.json")
            let error = #expect(throws: ModelFileError.self) { try [1].save(as: .json, to: url) }
            #expect(error?.kind == .notPermitted)
            #expect(error?.operation == .write)
        }
        try expectOld()
    }

    /// In a process of its own: the limit holds for all of its files.
    @Test func `a file larger than the system allows`() async throws {
        await #expect(processExitsWith: .success) { [path = file.path as String] in
            signal(SIGXFSZ, SIG_IGN)
            var limit = rlimit(rlim_cur: 4096, rlim_max: 4096)
            #expect(setrlimit(.init(RLIMIT_FSIZE.rawValue), &limit) == 0)
            let error = #expect(throws: ModelFileError.self) {
                try Array(0..<10_000).save(as: .json, to: URL(fileURLWithPath: path))
            }
            #expect(error?.kind == .tooLarge)
            #expect(error?.operation == .write)
        }
        try expectOld()
    }

    /// File systems of sixteen kilobytes.
    @Test(.needsMounts) func `a full disk, and one that is read-only`() throws {
        let disk = folder.file("disk")
        try FileManager.default.createDirectory(at: disk, withIntermediateDirectories: true)
        #expect(SystemAbility.run("mount", "-t", "tmpfs", "-o", "size=16k", "tmpfs", disk.path))
        defer { SystemAbility.run("umount", disk.path) }
        let file = disk.appendingPathComponent("library.json")
        try old.save(as: .json, to: file)
        let full = try failure(file)
        #expect(full.kind == .noSpace)
        #expect(full.code == ENOSPC)
        #expect(
            full.description == "cannot write \(file.path): no space is left on the device"
        )
        #expect(try FileManager.default.contentsOfDirectory(atPath: disk.path).count == 1)
        #expect(SystemAbility.run("mount", "-o", "remount,ro", disk.path))
        let readOnly = try #require(throws: ModelFileError.self) {
            try [1].save(as: .json, to: file)
        }
        #expect(readOnly.kind == .readOnly)
        #expect(readOnly.description.hasSuffix("the file system is read-only"))
        #expect(try SoundAsset(contentsOf: file) == old)
    }

    /// A process that saves without a pause is killed at a random instant, until one was in the
    /// middle of it: then its temporary file is left.
    @Test func `a crash in the middle leaves the old file or the new one`() async throws {
        var leftovers = 0
        for _ in 0..<60 where leftovers < 3 {
            await #expect(processExitsWith: .signal(SIGKILL)) { [path = file.path as String] in
                let file = URL(fileURLWithPath: path)
                let documents = (0..<2).map { number in
                    (0..<3000).map { SoundAsset(name: "\($0)", path: "\(number)") }
                }
                let milliseconds = Int.random(in: 5...25)
                Thread.detachNewThread {
                    usleep(UInt32(milliseconds) * 1000)
                    kill(getpid(), SIGKILL)
                }
                while true {
                    for document in documents { try document.save(as: .json, to: file) }
                }
            }
            let names = try folder.names()
            leftovers = names.count { $0.hasPrefix(".dovetail-") }
            #expect(names.count == leftovers + 1)
            if let read = try? SoundAsset(contentsOf: file) {
                #expect(read == old)
            } else {
                let read = try [SoundAsset](contentsOf: file)
                #expect(read.count == 3000 && Set(read.map(\.path)).count == 1)
            }
        }
        #expect(leftovers > 0)
    }
}
