import Dovetail
import StoreTestSupport
import Testing

@ModelProtocol(unknown: .preserve)
private protocol KeptAttachment: Sendable {}

@Model(version: 2, unknownFields: .preserve)
private struct KeptPhoto: KeptAttachment {
    var width: Int

    static func migrate(_ document: inout ModelDocument, from version: Int) throws {
        document.rename("w", to: "width")
    }
}

@Model(unknownFields: .preserve)
private struct KeptMessage: Identifiable, Sendable {
    let id: Int
    var text: String
    var first: (any KeptAttachment)?
    var all: [any KeptAttachment] = []
    @Attribute(name: "meta.stars") var stars: Int?
}

/// Models that keep what they do not know, in rows.
@Suite struct PreservedTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// What a backend sends, of which this program knows a part.
    private static let documents = [
        #"{"id":1,"text":"a","first":{"$type":"Clip","s":1.50,"w":2},"all":[],"plan":"pro"}"#,
        #"{"id":2,"text":"b","all":[{"$type":"KeptPhoto","w":3,"by":"x"},{"$type":"KeptPhoto","w":"y"},7,null]}"#,
        #"{"id":3,"text":"c","first":{"$type":"KeptPhoto","$version":2,"width":1,"z":[{}]},"all":[],"meta":{"stars":1,"q":null},"n":-0,"n":1e400}"#,
        #"{"id":4,"text":"d","all":[]}"#,
    ]
    /// The same as this program writes it.
    private static let current = [
        documents[0],
        #"{"id":2,"text":"b","all":[{"$type":"KeptPhoto","$version":2,"width":3,"by":"x"},{"$type":"KeptPhoto","w":"y"},7,null]}"#,
        documents[2], documents[3],
    ]

    private func messages(_ documents: [String]) throws -> [KeptMessage] {
        try documents.map { try KeptMessage(decoding: Data($0.utf8), as: .json) }
    }

    private func texts(in context: ModelContext) throws -> [String] {
        try context.fetch(FetchDescriptor<KeptMessage>(sortBy: [SortDescriptor(\.id)])).map {
            String(decoding: try $0.encoded(as: .json), as: UTF8.self)
        }
    }

    private func containers() throws -> [ModelContainer] {
        [
            try .inMemory(KeptMessage.self),
            try .file(folder.url.appendingPathComponent("messages.sqlite"), KeptMessage.self),
        ]
    }

    @Test func `rows hold everything, and a second run changes nothing`() throws {
        for container in try containers() {
            let context = ModelContext(container)
            let given = try messages(Self.documents)
            #expect(try context.synchronize(given).inserted == [1, 2, 3, 4])
            try context.save()
            #expect(try texts(in: context) == Self.current)
            for again in [given, try messages(Self.current)] {
                let result = try context.synchronize(again)
                #expect(result.isEmpty)
                #expect(result.unchanged == 4)
            }
            // What is fetched is stored again without a change.
            let stored = try context.fetch(FetchDescriptor<KeptMessage>())
            #expect(try context.synchronize(stored).isEmpty)
        }
    }

    static let changes = [
        (0, #"1.50"#, #"1.51"#), (0, #""plan":"pro""#, #""plan":"free""#),
        (0, #","plan":"pro""#, ""), (1, #""by":"x""#, #""by":"y""#), (1, "7", "8"),
        (2, #""q":null"#, #""q":[]"#), (3, "]", #"],"new":{}"#),
    ]

    @Test(arguments: changes.indices)
    func `a change of what is not known is an update`(index: Int) throws {
        let (place, old, new) = Self.changes[index]
        for container in try containers() {
            let context = ModelContext(container)
            try context.synchronize(messages(Self.current))
            try context.save()
            var documents = Self.current
            documents[place] = documents[place].replacingOccurrences(of: old, with: new)
            let result = try context.synchronize(messages(documents))
            #expect(result.updated == [place + 1])
            #expect(result.unchanged == 3)
            try context.save()
            #expect(try texts(in: context) == documents)
        }
    }

    @Test func `upserts and updates keep it too`() throws {
        for container in try containers() {
            let context = ModelContext(container)
            context.insert(contentsOf: try messages(Self.documents))
            try context.save()
            var message = try #require(
                context.fetch(FetchDescriptor<KeptMessage>(predicate: #Predicate { $0.id == 1 }))
                    .first
            )
            message.text = "new"
            context.upsert([message])
            try context.save()
            #expect(
                try texts(in: context).first
                    == Self.current[0].replacingOccurrences(of: #""a""#, with: #""new""#)
            )
        }
    }

    @Test func `a file that was closed has it still`() throws {
        let url = folder.url.appendingPathComponent("closed.sqlite")
        do {
            let context = ModelContext(try .file(url, KeptMessage.self))
            try context.synchronize(messages(Self.documents))
            try context.save()
        }
        #expect(try texts(in: ModelContext(.file(url, KeptMessage.self))) == Self.current)
    }
}
