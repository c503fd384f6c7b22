import Dovetail
import DovetailTesting
import Testing

@ModelProtocol(typeKey: "object", unknown: .preserve, wrapper: true)
protocol WorldObject { var id: String { get } }
@Model(typeName: "charge") struct WorldCharge: WorldObject, Equatable {
    var id: String
    var amount: Int
}
@Model(typeName: "refund") struct WorldRefund: WorldObject, Equatable { var id: String }

/// A protocol as the argument of a generic model, and behind a typealias.
struct ProtocolWrapperTests {
    @Model(naming: .snakeCase) struct List<Item: ModelValue> {
        var hasMore: Bool
        var data: [Item]
        var first: Item?
        var byID: [String: Item] = [:]
    }

    static let json =
        #"{"has_more":false,"data":[{"object":"charge","id":"ch_1","amount":5},"#
        + #"{"object":"refund","id":"re_1"},{"object":"payout","id":"po_1","n":1.50}],"#
        + #""first":{"object":"refund","id":"re_2"},"by_id":{"a":{"object":"refund","id":"re_3"}}}"#

    @Test(arguments: [ModelFormat.json, .plist, .binaryPlist])
    func `a generic model holds conformers`(format: ModelFormat) throws {
        let list = try List<AnyWorldObject>(decoding: Data(Self.json.utf8), as: .json)
        #expect(list.data[0].wrapped as? WorldCharge == WorldCharge(id: "ch_1", amount: 5))
        #expect(list.data.map(\.id) == ["ch_1", "re_1", "po_1"])
        #expect(list.data[2].wrapped is UnknownWorldObject)
        let again = try List<AnyWorldObject>(decoding: list.encoded(as: format), as: format)
        #expect(
            try ModelDocument(decoding: again.encoded(as: .json), as: .json)
                == ModelDocument(decoding: Data(Self.json.utf8), as: .json)
        )
        try checkModel(list, changes: 2_000)
    }

    @Test
    func `errors know their place`() throws {
        let broken = #"{"has_more":true,"data":[{"object":"charge","id":1}]}"#
        let error = try #require(throws: ModelDecodingError.self) {
            try List<AnyStrict>(decoding: Data(broken.utf8), as: .json)
        }
        #expect(error.path == "data[0].id")
    }

    @Test
    func `a conformer comes from a document and goes to one`() throws {
        let document: ModelDocument = ["object": "refund", "id": "re_1"]
        let value = try WorldObjectModel.decode(document)
        #expect(value as? WorldRefund == WorldRefund(id: "re_1"))
        #expect(try WorldObjectModel.document(of: value) == document)
        let error = try #require(throws: ModelDecodingError.self) {
            try StrictModel.decode(["object": "nothing"])
        }
        #expect(error.kind == .unknownType)
    }

    typealias Objects = [any Strict]
    typealias MaybeObjects = [any Strict]?
    typealias ObjectsByName = [String: any Strict]

    @Model struct Aliased: Identifiable {
        var id: Int
        var all: Objects
        var some: MaybeObjects
        var named: ObjectsByName = [:]
        @Attribute(.omittedWhenEmpty) var rest: Objects
    }

    @Test
    func `a typealias of a list of conformers is read and written as the list`() throws {
        let json =
            #"{"id":1,"all":[{"object":"charge","id":"a"}],"some":[{"object":"charge","id":"b"}],"#
            + #""named":{"k":{"object":"charge","id":"c"}}}"#
        let value = try Aliased(decoding: Data(json.utf8), as: .json)
        #expect(value.all.map(\.id) == ["a"] && value.rest.isEmpty)
        #expect(value.named["k"]?.id == "c" && value.some?.count == 1)
        #expect(try value.encoded(as: .json) == Data(json.utf8))
        try checkModel(value, changes: 2_000)
        let container = try ModelContainer(
            for: Aliased.self,
            configurations: ModelConfiguration(isStoredInMemoryOnly: true)
        )
        let context = ModelContext(container)
        context.insert(value)
        context.insert(Aliased(id: 2, all: [], some: nil, rest: []))
        try context.save()
        let stored = try context.fetch(FetchDescriptor<Aliased>(sortBy: [SortDescriptor(\.id)]))
        #expect(try stored[0].encoded(as: .json) == Data(json.utf8))
        #expect(stored[1].all.isEmpty && stored[1].some == nil)
    }
}

@ModelProtocol(typeKey: "object", wrapper: true) protocol Strict { var id: String { get } }
@Model(typeName: "charge") struct StrictCharge: Strict { var id: String }
