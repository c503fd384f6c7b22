import Dovetail
import Testing

@ModelProtocol
private protocol Record {}

@Model(naming: .snakeCase, unknownFields: .preserve)
private struct Person: Record, Equatable, Identifiable {
    var id: Int
    var fullName = "x"
    @Attribute(name: "profile.avatar.url") var avatar: String?
    @Attribute(name: "profile.age") var age: Int?
}

@Model(unknownFields: .throw)
private struct Form: Record, Equatable {
    var a: Int
    @Attribute(name: "n.b", aliases: ["bee"]) var b: Int?
}

@Model(unknownFields: .preserve)
private final class Folder {
    var title: String
    var owner: Person?

    init(title: String) { self.title = title }
}

private enum Place {
    @Model(unknownFields: .preserve)
    struct Crate<Content: ModelValue & Equatable>: Equatable {
        var content: Content
        var folders: [Folder]?

        static func == (left: Self, right: Self) -> Bool {
            left.content == right.content && left.unknownFields == right.unknownFields
        }
    }
}

/// Fields of documents that models do not declare.
struct UnknownFieldsTests {
    private static let formats: [ModelFormat] = [.json, .plist, .binaryPlist]

    private func text(_ data: Data) -> String { String(decoding: data, as: UTF8.self) }

    private func expectKept<Value: Model>(
        _ type: Value.Type,
        _ json: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let before = try ModelDocument(decoding: Data(json.utf8), as: .json)
        for format in Self.formats {
            let value = try Value(decoding: before.encoded(as: format), as: format)
            let after = try ModelDocument(decoding: value.encoded(as: format), as: format)
            #expect(after == before, sourceLocation: sourceLocation)
        }
    }

    @Test(arguments: [
        #"{"id":1,"full_name":"n"}"#,
        #"{"a":[{}],"id":1,"b":null,"full_name":"n","c":{"id":2}}"#,
        #"{"id":1,"full_name":"n","profile":{"q":1,"avatar":{"url":"u","w":2},"age":4},"z":1}"#,
        #"{"id":1,"full_name":"n","profile":{"avatar":{"w":2}},"profile.age":9,"":0,"$type":"x"}"#,
        #"{"id":1,"full_name":"n","$unknownFields":{"a":1},"fullName":"m"}"#,
    ])
    func `are written back equal`(json: String) throws {
        try expectKept(Person.self, json)
        let person = try Person(json: json)
        try expectRoundTrip(person)
    }

    @Test
    func `follow the declared ones in their order`() throws {
        let json = #"{"z":1.50,"full_name":"n","a":2e0,"id":1,"z":-0}"#
        let person = try Person(json: json)
        #expect(person.unknownFields.members.map(\.key) == ["z", "a", "z"])
        #expect(person.unknownFields["a"] == 2)
        #expect(person.unknownFields["b"] == nil)
        #expect(try person.json() == #"{"id":1,"full_name":"n","z":1.50,"a":2e0,"z":-0}"#)
    }

    @Test
    func `memberwise initializers stay`() throws {
        var person = Person(id: 1, fullName: "n")
        #expect(person.unknownFields.isEmpty)
        person.unknownFields.members.append(.init(key: "k", value: [1]))
        #expect(try person.json() == #"{"id":1,"full_name":"n","k":[1]}"#)
        #expect(person != Person(id: 1, fullName: "n"))
    }

    @Test
    func `type key and version are none`() throws {
        let json = #"{"id":1,"$type":"Person","$version":1,"full_name":"n","x":1}"#
        for format in Self.formats {
            let data = try ModelDocument(decoding: Data(json.utf8), as: .json).encoded(as: format)
            let record = try RecordModel.decode(data, as: format)
            #expect((record as? Person)?.unknownFields.members.map(\.key) == ["x"])
            #expect(
                text(try RecordModel.encode(record, as: .json))
                    == #"{"$type":"Person","id":1,"full_name":"n","x":1}"#
            )
        }
        // Where the type itself is declared the key is a field; written as a conformer, the object
        // has one key.
        let person = try Person(json: #"{"id":1,"$type":"other"}"#)
        #expect(
            text(try RecordModel.encode(person, as: .json))
                == #"{"$type":"Person","id":1,"full_name":"x"}"#
        )
    }

    @Test
    func `classes and nested and generic types keep them`() throws {
        try expectKept(Folder.self, #"{"title":"t","x":1,"owner":{"id":1,"full_name":"n","y":[]}}"#)
        try expectKept(
            Place.Crate<[Int]>.self,
            #"{"content":[1],"x":{"y":{}},"folders":[{"title":"t","z":0}]}"#
        )
    }

    @Test
    func `are kept in rows`() async throws {
        let json = #"{"id":1,"full_name":"n","profile":{"age":4,"q":1},"z":1.50,"z":2}"#
        let container = try ModelContainer(
            for: Person.self,
            configurations: ModelConfiguration(isStoredInMemoryOnly: true)
        )
        let fetched = try await container.perform { context in
            context.insert(try Person(json: json))
            context.insert(Person(id: 2))
            try context.save()
            return try context.fetch(FetchDescriptor<Person>()).map { try $0.json() }
        }
        #expect(fetched.sorted() == [json, #"{"id":2,"full_name":"x"}"#].sorted())
    }

    @Test(arguments: [
        #"{"a":1,"x":2}"#: "x: expected a declared field, found \"x\" (line 1, column 12)",
        #"{"a":1,"n":{"c":2}}"#: "n.c: expected a declared field, found \"c\" (line 1, column 17)",
        #"{"a":1,"n.b":2}"#:
            "[\"n.b\"]: expected a declared field, found \"n.b\" (line 1, column 14)",
        // Only the model's own object has a version.
        #"{"a":1,"n":{"$version":2}}"#:
            "n.$version: expected a declared field, found \"$version\" (line 1, column 24)",
    ])
    func `are errors where the model says so`(json: String, message: String) throws {
        let error = try decodingError(of: Form.self, json)
        #expect(error.kind == .unknownField)
        #expect(error.description == message)
    }

    @Test
    func `strict models take aliases type keys and versions`() throws {
        #expect(try Form(json: #"{"a":1,"bee":2,"$version":1}"#) == Form(a: 1, b: 2))
        for json in [#"{"a":1,"$type":"Form"}"#, #"{"$type":"Form","a":1}"#] {
            for format in Self.formats {
                let document = try ModelDocument(decoding: Data(json.utf8), as: .json)
                let record = try RecordModel.decode(document.encoded(as: format), as: format)
                #expect(record as? Form == Form(a: 1))
            }
        }
    }
}
