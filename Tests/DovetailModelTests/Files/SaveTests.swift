import Dovetail
import TestAssets
import Testing

@Suite struct SaveTests {
    private let folder: TemporaryFolder
    private let file: URL

    init() throws {
        folder = try TemporaryFolder()
        file = folder.file()
    }

    private let sound = SoundAsset(name: "s", path: "p")
    private let color = ColorAsset(name: "c", red: 1, green: 2, blue: 3)

    @Test func `a model is saved and read back, with nothing beside it`() throws {
        try sound.save(as: .json, to: file)
        #expect(try text(of: file) == sound.json())
        #expect(try SoundAsset(contentsOf: file) == sound)
        #expect(try folder.names() == ["library.json"])
    }

    @Test func `collections are saved and read back`() throws {
        try [sound, sound].save(as: .json, to: file)
        #expect(try [SoundAsset](contentsOf: file) == [sound, sound])
        try Set([1, 2]).save(as: .json, to: file)
        #expect(try Set<Int>(contentsOf: file) == [1, 2])
        try ["a": sound].save(as: .json, to: file)
        #expect(try [String: SoundAsset](contentsOf: file) == ["a": sound])
    }

    @Test func `conformers keep their types`() throws {
        let assets: [any Asset] = [color, sound]
        try assets.save(as: .json, to: file)
        let back = try [any Asset](contentsOf: file)
        #expect(back.map(\.name) == ["c", "s"])
        #expect(back[1] as? SoundAsset == sound)
    }

    @Test func `one conformer keeps its type`() throws {
        for format in [ModelFormat.json, .plist, .binaryPlist] {
            try AssetModel.save(sound, as: format, to: file)
            #expect(try AssetModel.decode(contentsOf: file) as? SoundAsset == sound)
        }
    }

    @Test func `documents are saved and read back`() throws {
        let document: ModelDocument = ["a": [1, 2.5, nil]]
        try document.save(as: .json, to: file)
        #expect(try ModelDocument(contentsOf: file) == document)
    }

    @Test func `property lists are told from their content`() throws {
        for format in [ModelFormat.plist, .binaryPlist, .json] {
            try sound.save(as: format, to: file)
            #expect(ModelFormat(detectedIn: try Data(contentsOf: file)) == format)
            #expect(try SoundAsset(contentsOf: file) == sound)
            try [color, sound as any Asset].save(as: format, to: file)
            #expect(try [any Asset](contentsOf: file).map(\.name) == ["c", "s"])
        }
        #expect(ModelFormat(detectedIn: Data("\u{FEFF}\n <".utf8)) == .plist)
        #expect(ModelFormat(detectedIn: Data("\u{FEFF}\n ".utf8)) == .json)
    }

    @Test func `a layout is kept`() throws {
        try [1].save(as: .json(pretty: true), to: file)
        #expect(try text(of: file) == "[\n  1\n]")
    }

    @Test func `initializers of Foundation's stay theirs`() throws {
        try Data("[1]".utf8).write(to: file)
        #expect(try Data(contentsOf: file) == Data("[1]".utf8))
        #expect(try String(contentsOf: file, encoding: .utf8) == "[1]")
    }

    @Test func `a longer file is replaced whole`() throws {
        try Array(repeating: sound, count: 100_000).save(as: .json, to: file)
        #expect(try [SoundAsset](contentsOf: file).count == 100_000)
        try [sound].save(as: .json, to: file)
        #expect(try [SoundAsset](contentsOf: file) == [sound])
    }

    @Test(arguments: [0o600, 0o640, 0o664, 0o755])
    func `permissions are kept`(mode: Int) throws {
        try sound.save(as: .json, to: file)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file.path)
        try sound.save(as: .json, to: file)
        let kept = try FileManager.default.attributesOfItem(atPath: file.path)
        #expect(kept[.posixPermissions] as? Int == mode)
    }

    @Test func `a new file has the permissions of any new file`() throws {
        #expect(FileManager.default.createFile(atPath: folder.file("other").path, contents: nil))
        try sound.save(as: .json, to: file)
        let ours = try FileManager.default.attributesOfItem(atPath: file.path)
        let others = try FileManager.default.attributesOfItem(
            atPath: folder.file("other").path
        )
        #expect(ours[.posixPermissions] as? Int == others[.posixPermissions] as? Int)
    }

    @Test func `what a symbolic link leads to is replaced, and the link stays`() throws {
        try FileManager.default.createDirectory(
            at: folder.file("inner"),
            withIntermediateDirectories: true
        )
        let target = folder.file("inner/target.json")
        try sound.save(as: .json, to: target)
        let files = FileManager.default
        let (first, second) = (folder.file("first"), folder.file("second"))
        try files.createSymbolicLink(atPath: first.path, withDestinationPath: second.path)
        try files.createSymbolicLink(
            atPath: second.path,
            withDestinationPath: "inner/target.json"
        )
        let other = SoundAsset(name: "t", path: "q")
        try other.save(as: .json, to: first)
        #expect(try SoundAsset(contentsOf: target) == other)
        #expect(try files.destinationOfSymbolicLink(atPath: first.path) == second.path)
        #expect(try files.destinationOfSymbolicLink(atPath: second.path) == "inner/target.json")
        // One that leads nowhere yet.
        try files.removeItem(at: target)
        try sound.save(as: .json, to: first)
        #expect(try SoundAsset(contentsOf: target) == sound)
        #expect(try folder.names() == ["first", "inner", "second"])
        #expect(try files.contentsOfDirectory(atPath: folder.file("inner").path).count == 1)
    }

    @Test func `a file that others have open is not changed under them`() throws {
        try sound.save(as: .json, to: file)
        let handle = try FileHandle(forReadingFrom: file)
        try [sound].save(as: .json, to: file)
        let seen = try #require(try handle.readToEnd())
        #expect(try SoundAsset(decoding: seen, as: .json) == sound)
    }

    @Test func `savers at one time do not mix`() async throws {
        let documents = (0..<8).map { Array(repeating: $0, count: 20_000) }
        try documents[0].save(as: .json, to: file)
        try await withThrowingTaskGroup(of: Void.self) { [file] group in
            for document in documents {
                group.addTask {
                    for _ in 0..<5 {
                        try document.save(as: .json, to: file)
                        let read = try [Int](contentsOf: file)
                        #expect(Set(read).count == 1 && read.count == 20_000)
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try folder.names() == ["library.json"])
    }
}
