import Dovetail
import DovetailTesting
import Testing

@ModelProtocol(typeKey: "object") protocol KeepsTag { var id: String { get } }
@Model(typeName: "customer", aliases: ["client"], unknownFields: .throw, writesTypeKey: true)
struct TaggedCustomer: Equatable, KeepsTag {
    var id: String
    var friends: [TaggedCustomer] = []
}
@Model(typeName: "card", unknownFields: .preserve, writesTypeKey: true)
struct TaggedCard: KeepsTag, Equatable { var id: String }

/// `@Model(writesTypeKey: true)`: a value keeps its type key where its own type is declared.
struct ConcreteTagTests {
    @Model struct Charge: Identifiable {
        var id: Int
        var customer: TaggedCustomer
        var card: TaggedCard?
        var source: any KeepsTag
    }

    static let json =
        #"{"id":1,"customer":{"object":"customer","id":"c","friends":[{"object":"customer","#
        + #""id":"d","friends":[]}]},"card":{"object":"card","id":"k","brand":"visa"},"#
        + #""source":{"object":"card","id":"l"}}"#

    @Test(arguments: [ModelFormat.json, .plist, .binaryPlist, .cbor])
    func `the type key is written once`(format: ModelFormat) throws {
        let charge = try Charge(decoding: Data(Self.json.utf8), as: .json)
        let again = try Charge(decoding: charge.encoded(as: format), as: format)
        #expect(try again.encoded(as: .json) == Data(Self.json.utf8))
        #expect(try Charge(ModelDocument(again)).encoded(as: .json) == Data(Self.json.utf8))
        try checkModel(charge, changes: 2_000)
        try checkModel(charge.customer, changes: 2_000)
    }

    @Test
    func `rows hold it in documents alone`() throws {
        let container = try ModelContainer(
            for: Charge.self,
            TaggedRow.self,
            configurations: ModelConfiguration(isStoredInMemoryOnly: true)
        )
        let context = ModelContext(container)
        context.insert(try Charge(decoding: Data(Self.json.utf8), as: .json))
        context.insert(TaggedRow(id: "r"))
        try context.save()
        let stored = try context.fetch(FetchDescriptor<Charge>())
        #expect(try stored[0].encoded(as: .json) == Data(Self.json.utf8))
        #expect(try context.fetch(FetchDescriptor<TaggedRow>()).map(\.id) == ["r"])
    }

    @Test
    func `the key may be absent or an alias, and has to name the type`() throws {
        for json in [#"{"id":"c"}"#, #"{"id":"c","object":"client"}"#] {
            let customer = try TaggedCustomer(decoding: Data(json.utf8), as: .json)
            #expect(customer == TaggedCustomer(id: "c"))
        }
        let error = try #require(throws: ModelDecodingError.self) {
            try Charge(
                decoding: Data(#"{"id":1,"customer":{"object":"card","id":"c"}}"#.utf8),
                as: .json
            )
        }
        #expect(error.path == "customer.object" && error.kind == .unknownType)
    }
}

@ModelProtocol(typeKey: "type") protocol SeveralTags {}
@Model(
    typeName: "circle",
    aliases: ["disc", "ring"],
    unknownFields: .preserve,
    keepsTypeName: true
)
struct SeveralCircle: SeveralTags, Identifiable, Equatable { var id: Int }
@ModelProtocol(typeKey: "kind", typeName: "round") protocol SeveralRound: SeveralTags {}
@Model(typeName: "dot", aliases: ["spot"], unknownFields: .preserve, keepsTypeName: true)
struct SeveralDot: SeveralRound, Equatable { var id: Int }

/// `@Model(keepsTypeName: true)`: a value is written under the name that it was read with.
struct KeptTypeNameTests {
    @Model struct Holder: Identifiable {
        var id: Int
        var shapes: [any SeveralTags]
    }

    static let json =
        #"{"id":1,"shapes":[{"type":"disc","id":1},{"type":"circle","id":2,"x":1},"#
        + #"{"type":"ring","id":3,"x":{"y":1.50}},{"type":"round","kind":"spot","id":4},"#
        + #"{"type":"round","kind":"dot","id":5}]}"#

    @Test(arguments: [ModelFormat.json, .plist, .binaryPlist, .cbor])
    func `the name comes back`(format: ModelFormat) throws {
        let holder = try Holder(decoding: Data(Self.json.utf8), as: .json)
        #expect(try holder.encoded(as: .json) == Data(Self.json.utf8))
        let again = try Holder(decoding: holder.encoded(as: format), as: format)
        // A property list has no text of numbers.
        let expected =
            format == .plist || format == .binaryPlist
            ? Self.json.replacingOccurrences(of: "1.50", with: "1.5") : Self.json
        #expect(
            try ModelDocument(decoding: again.encoded(as: .json), as: .json)
                == ModelDocument(decoding: Data(expected.utf8), as: .json)
        )
        try checkModel(holder, changes: 2_000)
    }

    @Test
    func `the key may be anywhere, and a name of its own is not kept`() throws {
        let late = Data(#"{"id":1,"z":[1],"type":"disc"}"#.utf8)
        let disc = try SeveralTagsModel.decode(late, as: .json)
        let written = String(decoding: try SeveralTagsModel.encode(disc, as: .json), as: UTF8.self)
        #expect(written == #"{"type":"disc","id":1,"z":[1]}"#)
        let named = Data(#"{"id":1,"type":"circle"}"#.utf8)
        let circle = try SeveralTagsModel.decode(named, as: .json) as? SeveralCircle
        #expect(circle == SeveralCircle(id: 1))
    }

    @Test
    func `rows keep it`() throws {
        let container = try ModelContainer(
            for: SeveralCircle.self,
            Holder.self,
            configurations: ModelConfiguration(isStoredInMemoryOnly: true)
        )
        let context = ModelContext(container)
        let holder = try Holder(decoding: Data(Self.json.utf8), as: .json)
        context.insert(holder)
        if let disc = holder.shapes[0] as? SeveralCircle { context.insert(disc) }
        try context.save()
        let stored = try context.fetch(FetchDescriptor<Holder>())
        #expect(try stored[0].encoded(as: .json) == Data(Self.json.utf8))
        let rows: [any SeveralTags] = try context.fetch(FetchDescriptor<SeveralCircle>())
        let json = String(decoding: try rows.encoded(as: .json), as: UTF8.self)
        #expect(json == #"[{"type":"disc","id":1}]"#)
    }
}

@Model(typeName: "row", writesTypeKey: true) struct TaggedRow: KeepsTag, Identifiable {
    var id: String
}
