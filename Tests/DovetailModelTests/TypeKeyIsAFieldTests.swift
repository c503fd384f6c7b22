import Dovetail
import Testing

@ModelProtocol(typeKey: "type", aliases: ["kind"])
private protocol Event {}

/// Declares the field that is the protocol's type key, as backends with `"type"` invite one to.
@Model(typeName: "push", aliases: ["pushed", "a \"push\""])
private struct PushEvent: Event, Equatable {
    var ref: String
    var type = "push"
}

@Model
private enum EventType: String { case release, other }

@Model(typeName: "release")
private struct ReleaseEvent: Event, Equatable {
    var type: EventType = .release
}

@Model(typeName: "star")
private struct StarEvent: Event, Equatable {
    var type: String?
    /// Named like an alias of the type key only.
    var kind: Int = 1
}

@Model
private struct Log: Identifiable {
    var id: Int
    var event: any Event
}

/// A conformer with a property of the type key's name.
struct TypeKeyIsAFieldTests {
    private func write(_ event: any Event) throws -> String {
        String(decoding: try EventModel.encode(event, as: .json), as: UTF8.self)
    }

    private func read(_ json: String) throws -> any Event {
        try EventModel.decode(Data(json.utf8), as: .json)
    }

    @Test(
        arguments: [
            #"{"ref":"main","type":"push"}"#, #"{"type":"push","ref":"main"}"#,
            #"{ "x":{"type":1}, "t\u0079pe" : "p\u0075sh" , "ref":"main"}"#,
        ]
    )
    func `is read from foreign documents`(document: String) throws {
        #expect(try read(document) as? PushEvent == PushEvent(ref: "main"))
    }

    @Test
    func `is written once and first`() throws {
        #expect(try write(PushEvent(ref: "main")) == #"{"type":"push","ref":"main"}"#)
        #expect(try write(ReleaseEvent()) == #"{"type":"release"}"#)
        let events: [any Event] = [PushEvent(ref: ""), ReleaseEvent(), PushEvent(ref: "type")]
        let data = try events.encoded(as: .json)
        let again = try [any Event](decoding: data, as: .json)
        #expect(again[0] as? PushEvent == PushEvent(ref: ""))
        #expect(again[1] as? ReleaseEvent == ReleaseEvent())
        #expect(again[2] as? PushEvent == PushEvent(ref: "type"))
    }

    /// The property keeps the alias that it held, because reading accepts it as the name.
    @Test(arguments: ["pushed", "a \"push\""])
    func `an alias is kept`(name: String) throws {
        let event = PushEvent(ref: "main", type: name)
        let json = try write(event)
        #expect(json.hasPrefix(#"{"type":"\#(name.replacing("\"", with: "\\\""))","#))
        #expect(try read(json) as? PushEvent == event)
    }

    @Test
    func `nil becomes the name`() throws {
        let json = try write(StarEvent())
        #expect(json == #"{"type":"star","kind":1}"#)
        #expect(try read(json) as? StarEvent == StarEvent(type: "star"))
    }

    /// One field cannot hold both, so the document would be read as something else.
    @Test
    func `another value is an error`() throws {
        let events: [any Event] = [
            PushEvent(ref: "", type: "pull"), ReleaseEvent(type: .other), StarEvent(type: ""),
        ]
        for event in events {
            let error = try #require(throws: ModelEncodingError.self) { try write(event) }
            #expect(error.kind == .typeKeyConflict)
            #expect(error.explanation.contains("@Attribute(name:)"))
        }
    }

    @Test
    func `twice in a document it is an error`() throws {
        for json in [
            #"{"type":"push","ref":"","type":"push"}"#, #"{"ref":"","type":"push","type":"push"}"#,
            #"{"kind":"push","ref":"","kind":"push"}"#, #"{"type":"push","kind":"push","ref":""}"#,
        ] {
            let error = try #require(throws: ModelDecodingError.self) { try read(json) }
            #expect(error.kind == .repeatedField, "\(json)")
        }
    }

    @Test
    func `in a column`() async throws {
        let container = try ModelContainer(
            for: Log.self,
            configurations: ModelConfiguration(isStoredInMemoryOnly: true)
        )
        let events = try await container.perform { context in
            context.insert(Log(id: 1, event: PushEvent(ref: "main", type: "pushed")))
            context.insert(Log(id: 2, event: ReleaseEvent()))
            try context.save()
            let all = FetchDescriptor<Log>(sortBy: [SortDescriptor(\.id)])
            return try ModelContext(context.container).fetch(all).map { try write($0.event) }
        }
        #expect(events == [#"{"type":"pushed","ref":"main"}"#, #"{"type":"release"}"#])
    }
}
