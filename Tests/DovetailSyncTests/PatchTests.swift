import Dovetail
import DovetailTesting
import StoreTestSupport
import TestAssets
import Testing

@Model(unknownFields: .preserve)
struct Profile: Identifiable, Equatable {
    let id: Int
    var name: String
    var phone: String?
    @Attribute(.omittedWhenEmpty) var tags: [String] = []
    @Attribute(name: "contact.city") var city: String?
    @Attribute(name: "contact.zip") var zip: Int = 0
    var born: Date?
    var token: UUID?
    var photo: Data?
    var balance: Decimal = 0
    var role: Role = .member
    var asset: (any Asset)?

    init(_ id: Int, _ name: String) {
        self.id = id
        self.name = name
    }

    static func == (left: Profile, right: Profile) -> Bool {
        (try? left.encoded(as: .json)) == (try? right.encoded(as: .json))
    }
}

@Model(version: 2, unknownFields: .throw)
struct Strict: Identifiable, Equatable, Sendable, ModelLifecycle {
    let id: Int
    var name: String
    var size = 1

    func didDecode() throws {
        if size < 0 { throw CocoaError(.coderInvalidValue) }
    }
}

@Suite struct PatchTests {
    private func patch<Value>(_ text: String, _ type: Value.Type) throws -> Patch<Value> {
        try Patch(decoding: Data(text.utf8), as: .json)
    }

    private func sample() -> Profile {
        var value = Profile(7, "Ann")
        value.phone = "1"
        value.tags = ["a", "b"]
        value.city = "Ulm"
        value.zip = 89_073
        value.born = Date(timeIntervalSinceReferenceDate: 0.25)
        value.token = UUID()
        value.photo = Data([0, 255])
        value.balance = 1.5
        value.asset = ColorAsset(name: "c", red: 1, green: 2, blue: 3)
        return value
    }

    @Test(arguments: StoreKind.allCases)
    func `absent is no change, null clears, and an empty list empties`(_ kind: StoreKind) throws {
        let context = ModelContext(try kind.container(Profile.self))
        let old = sample()
        try context.store([old])
        func expect(_ text: String, _ change: (inout Profile) -> Void) throws {
            try context.apply(patch(text, Profile.self), to: 7)
            var wanted = old
            change(&wanted)
            #expect(try context.fetch(Profile.self, id: 7) == wanted, "\(text)")
            try context.save()
            #expect(try ModelContext(context.container).fetch(Profile.self, id: 7) == wanted)
            context.upsert(old)
            try context.save()
        }
        try expect("{}") { _ in }
        try expect(#"{"name":"Eve"}"#) { $0.name = "Eve" }
        try expect(#"{"phone":null,"asset":null}"#) {
            $0.phone = nil
            $0.asset = nil
        }
        try expect(#"{"tags":[]}"#) { $0.tags = [] }
        try expect(#"{"contact":{"city":null}}"#) { $0.city = nil }
        try expect(#"{"contact":{"zip":5},"id":7}"#) { $0.zip = 5 }
        try expect(#"{"born":"2001-01-01T00:00:01Z","photo":"AQI=","balance":2.25,"role":"owner"}"#)
        {
            $0.born = Date(timeIntervalSinceReferenceDate: 1)
            $0.photo = Data([1, 2])
            $0.balance = 2.25
            $0.role = .owner
        }
        let asset = #"{"$type":"ColorAsset","red":9,"green":9,"blue":9,"name":"n"}"#
        try expect(#"{"asset":\#(asset)}"#) {
            $0.asset = ColorAsset(name: "n", red: 9, green: 9, blue: 9)
        }
    }

    @Test func `only the columns of the patch are written`() throws {
        let folder = try TemporaryFolder()
        let context = ModelContext(try .file(folder.file(), User.self))
        try context.store([User(1, "Ann", age: 3)])
        let database = try RawDatabase(folder.file())
        try context.apply(patch(#"{"name":"Eve","score":0}"#, User.self), to: 1)
        // Somebody else changes other columns, and one of these, which was equal.
        try database.execute("UPDATE User SET age = 50, score = 9 WHERE id = 1")
        try context.save()
        #expect(try database.rows("SELECT name, age, score FROM User") == [["Eve", "50", "0.0"]])
    }

    @Test(arguments: StoreKind.allCases)
    func `what is wrong has a path, and nothing waits`(_ kind: StoreKind) throws {
        let context = ModelContext(try kind.container(Profile.self, Strict.self))
        try context.store([sample()])
        try context.store([Strict(id: 1, name: "s")])
        func expectPath(_ text: String, _ path: String) throws {
            let patch = try patch(text, Profile.self)
            let error = #expect(throws: ModelDecodingError.self, "\(text)") {
                try context.apply(patch, to: 7)
            }
            #expect(error?.path == path)
        }
        try expectPath(#"{"name":null}"#, "name")
        try expectPath(#"{"name":5}"#, "name")
        try expectPath(#"{"contact":{"zip":"x"}}"#, "contact.zip")
        try expectPath(#"{"tags":["a",1]}"#, "tags[1]")
        try expectPath(#"{"role":"none"}"#, "role")
        try expectPath(#"{"id":8}"#, "id")
        #expect(throws: ModelDecodingError.self) {
            try context.apply(patch(#"{"size":-1}"#, Strict.self), to: 1)
        }
        let unknown = #expect(throws: ModelDecodingError.self) {
            try context.apply(patch(#"{"colour":1}"#, Strict.self), to: 1)
        }
        #expect(unknown?.kind == .unknownField)
        let wrong = ["[]", "5", "null", "{", #"{"$version":1}"#, #"{"$version":3}"#]
        for text in wrong + [#"{"name":"a","size":1,"name":"b"}"#] {
            #expect(throws: ModelDecodingError.self) { try patch(text, Strict.self) }
        }
        let missing = #expect(throws: StoreError.self) {
            try context.apply(patch("{}", Profile.self), to: 8)
        }
        #expect(missing?.kind == .notFound && !context.hasChanges)
        try context.apply(patch(#"{"$version":2,"size":4}"#, Strict.self), to: 1)
        try context.save()
        #expect(try context.fetch(Strict.self, id: 1) == Strict(id: 1, name: "s", size: 4))
    }

    @Test func `fields that are not declared are kept where the model keeps them`() throws {
        let context = ModelContext(try .inMemory(Profile.self))
        try context.store([sample()])
        try context.apply(patch(#"{"nick":"A"}"#, Profile.self), to: 7)
        try context.save()
        let stored = try #require(try context.fetch(Profile.self, id: 7))
        #expect(try ModelDocument(stored)["nick"] == "A")
    }

    @Test func `a patch between two values says what differs`() throws {
        let old = sample()
        var new = old
        new.phone = nil
        new.tags = []
        new.zip = 1
        let patch = try Patch(from: old, to: new)
        #expect(
            String(decoding: try patch.encoded(as: .json), as: UTF8.self)
                == #"{"phone":null,"tags":[],"contact":{"zip":1}}"#
        )
        #expect(try patch.applied(to: old) == new)
        #expect(try Patch(from: old, to: old).isEmpty)
        #expect(throws: ModelEncodingError.self) { try Patch(from: old, to: Profile(8, "x")) }
    }

    @Test(arguments: SeededRandom.seeds, StoreKind.allCases)
    func `what differs, applied to the row, gives the other value`(
        seed: UInt64,
        kind: StoreKind
    ) throws {
        var random = SeededRandom(seed: seed)
        let context = ModelContext(try kind.container(User.self))
        var value = User(id: 1, using: &random)
        try context.store([value])
        for round in 0..<60 {
            let next = User(id: 1, using: &random)
            let patch = try Patch(from: value, to: next)
            let comment: Comment = "\(kind), seed \(seed), round \(round)"
            // JSON has no form for infinity, and property lists have none for null.
            var sent = patch
            if next.score.isFinite {
                sent = try Patch(decoding: patch.encoded(as: .json), as: .json)
            } else if patch.document["age"]?.isNull != true {
                sent = try Patch(decoding: patch.encoded(as: .binaryPlist), as: .binaryPlist)
            }
            try context.apply(sent, to: 1)
            if random.isOne(in: 2) { try context.save() }
            #expect(try context.fetch(User.self, id: 1) == next, comment)
            value = next
        }
    }

    @Test(arguments: [ModelFormat.json, .plist, .binaryPlist])
    func `a patch is of any format`(_ format: ModelFormat) throws {
        let old = sample()
        var new = old
        new.born = Date(timeIntervalSinceReferenceDate: 99.5)
        new.photo = Data([7])
        new.balance = 3
        new.tags = []
        new.zip = 0
        new.asset = SoundAsset(name: "s", path: "p")
        let patch = try Patch(from: old, to: new)
        let read = try Patch<Profile>(decoding: patch.encoded(as: format), as: format)
        #expect(try read.applied(to: old) == new)
        #expect(try Patch<Profile>(decoding: read.encoded(as: format), as: format) == read)
    }

    @Test func `objects are changed by their properties`() throws {
        let context = ModelContext(try .inMemory(MessageEntity.self))
        let error = #expect(throws: StoreError.self) {
            try context.apply(patch("{}", MessageEntity.self), to: 1)
        }
        #expect(error?.kind == .unsupported)
    }
}
