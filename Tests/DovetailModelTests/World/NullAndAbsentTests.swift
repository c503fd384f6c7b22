import Dovetail
import DovetailTesting
import Testing

/// `T??`, `ModelDocument?` and `(any P)??` tell null from an absent field; `.nullWhenNil` writes nil
/// as null.
struct NullAndAbsentTests {
    /// The body of a request that changes a subscription, in which null clears.
    @Model struct Change: Identifiable {
        var id: Int
        var coupon: String??
        var trialEnd: Date??
        var seats: Int??
        var metadata: ModelDocument?
        var source: (any WorldSource)??
        var address: Address??
        @Attribute(.transformed(by: SecondsSince1970.self)) var billedAt: Date??
        @Attribute(.nullWhenNil) var cursor: String?
        @Attribute(name: "plan.trial") var trial: Int??
    }

    struct Address: Codable, Equatable { var city: String }

    private static let documents: [(json: String, isRewritten: Bool)] = [
        (
            #"{"id":1,"coupon":null,"trialEnd":null,"seats":null,"metadata":null,"source":null,"#
                + #""address":null,"billedAt":null,"cursor":null,"plan":{"trial":null}}"#, false
        ),
        (#"{"id":2,"cursor":null}"#, false),
        (#"{"id":3}"#, true),
        (
            #"{"id":4,"coupon":"C","trialEnd":"2024-03-01T10:20:30Z","seats":0,"#
                + #""metadata":{"a":null},"source":{"object":"card","last4":"4242"},"#
                + #""address":{"city":"Rome"},"billedAt":12,"cursor":"x","plan":{"trial":1}}"#,
            false
        ),
        (#"{"id":5,"coupon":null,"seats":3,"cursor":null}"#, false),
    ]

    private func change(_ json: String) throws -> Change {
        try Change(decoding: Data(json.utf8), as: .json)
    }

    @Test(arguments: [ModelFormat.json, .plist, .binaryPlist, .cbor])
    func `null and absent come back as they were`(format: ModelFormat) throws {
        var count = 0
        for (json, isRewritten) in Self.documents {
            let again = try Change(decoding: change(json).encoded(as: format), as: format)
            let written = String(decoding: try again.encoded(as: .json), as: UTF8.self)
            #expect(written == (isRewritten ? #"{"id":3,"cursor":null}"# : json))
            #expect(try Change(ModelDocument(again)).encoded(as: .json) == Data(written.utf8))
            count += 1
        }
        #expect(count == 5)
    }

    @Test
    func `null is some and absent is nil`() throws {
        let cleared = try change(Self.documents[0].json)
        #expect(cleared.coupon == .some(nil) && cleared.seats == .some(nil))
        #expect(cleared.metadata == .some(.null) && cleared.trial == .some(nil))
        if case .some(nil) = cleared.source {} else { Issue.record("null is no source") }
        #expect(cleared.address == .some(nil) && cleared.billedAt == .some(nil))
        #expect(cleared.cursor == nil)
        let absent = try change(Self.documents[2].json)
        #expect(absent.coupon == .none && absent.seats == .none && absent.metadata == nil)
        if case .none = absent.source {} else { Issue.record("an absent source is nil") }
        let filled = try change(Self.documents[3].json)
        #expect(filled.seats == 0 && filled.metadata?["a"] == .null && filled.billedAt != nil)
    }

    @Test
    func `laws hold`() throws {
        for (json, _) in Self.documents { try checkModel(change(json), changes: 2_000) }
    }

    @Test
    func `rows tell null from absent`() async throws {
        let container = try ModelContainer(
            for: Change.self,
            configurations: ModelConfiguration(isStoredInMemoryOnly: true)
        )
        try await container.perform { context in
            let changes = try Self.documents.map {
                try Change(decoding: Data($0.json.utf8), as: .json)
            }
            context.insert(contentsOf: changes)
            try context.save()
            let stored = try context.fetch(FetchDescriptor<Change>(sortBy: [SortDescriptor(\.id)]))
            #expect(try stored.encoded(as: .json) == changes.encoded(as: .json))
            let absent = try context.fetch(
                FetchDescriptor<Change>(predicate: #Predicate { $0.seats == nil })
            )
            #expect(Set(absent.map(\.id)) == [2, 3])
        }
        let kinds = Change.modelAttributes.filter(\.isOptional).map(\.columnType)
        #expect(kinds.count == 9)
        #expect(Change.modelAttributes.first { $0.name == "seats" }?.columnType == .document)
        #expect(Change.modelAttributes.first { $0.name == "cursor" }?.columnType == .text)
    }

    @Test
    func `errors know their place`() throws {
        let error = try #require(throws: ModelDecodingError.self) {
            try change(#"{"id":1,"plan":{"trial":"x"}}"#)
        }
        #expect(error.path == "plan.trial" && error.column == 25)
    }

    @Model enum Setting: Equatable {
        case limit(Int??)
        case name(String)
    }

    @Test
    func `values of cases and generic models tell them apart`() throws {
        let settings: [Setting] = [.limit(nil), .limit(.some(nil)), .limit(3), .name("x")]
        let json = String(decoding: try settings.encoded(as: .json), as: UTF8.self)
        #expect(
            json == #"[{"limit":{}},{"limit":{"_0":null}},{"limit":{"_0":3}},{"name":{"_0":"x"}}]"#
        )
        #expect(try [Setting](decoding: Data(json.utf8), as: .json) == settings)
        let patches = try [Patched<Int>](
            decoding: Data(#"[{},{"to":null},{"to":1}]"#.utf8),
            as: .json
        )
        #expect(patches.map(\.to) == [nil, .some(nil), 1])
    }

    @Model struct Patched<Value: ModelValue> { var to: Value?? }
}

@ModelProtocol(typeKey: "object") protocol WorldSource {}
@Model(typeName: "card") struct WorldCard: WorldSource { var last4: String }
