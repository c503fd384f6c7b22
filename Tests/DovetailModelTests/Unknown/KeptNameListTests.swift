import Dovetail
import Testing

@ModelProtocol(typeKey: "type", aliases: ["kind"], tagKind: .stringOrList, unknown: .preserve)
private protocol ListDescribed {}

/// Takes no lists.
@ModelProtocol(typeKey: "type")
private protocol PlainlyNamed {}

@Model(typeName: "Person", aliases: ["Human"], unknownFields: .preserve)
private struct ListedPerson: ListDescribed, PlainlyNamed, Equatable {
    var name: String?
    @Attribute(name: "address.city") var city: String?
}

@Model(version: 2, unknownFields: .preserve)
private struct ListBot: ListDescribed {
    var name: String
    var owner: (any ListDescribed)?

    static func migrate(_ document: inout ModelDocument, from version: Int) throws {
        document["name"] = .string(document.members?.map(\.key).joined(separator: " ") ?? "")
    }
}

@Model(unknownFields: .preserve)
private final class ListCrowd: ListDescribed {
    var members: [any ListDescribed] = []
}

@Model
private struct ListVisit: Identifiable {
    var id: Int
    var visitor: any ListDescribed
}

/// Lists of type names, kept by models that keep what they do not declare.
struct KeptNameListTests {
    private static let formats: [ModelFormat] = [.json, .plist, .binaryPlist]

    @Test(arguments: [
        #"{"type":["Person","foaf:Agent"],"name":"a"}"#, #"{"type":["Person"]}"#,
        #"{"name":"a","x":1,"type":["x","Human"],"address":{"city":"c","zip":"1"}}"#,
        #"{ "type" : ["x", "Person"] , "y":[] }"#,
        #"{"type":["ListCrowd","Group"],"members":[{"type":["Person"]},{"type":["Ghost","x"]},{"type":"Person"}]}"#,
        #"{"type":["ListBot","ListCrowd"],"$version":2,"name":"b","owner":{"type":["Person","y"],"$version":1}}"#,
    ])
    func `are written back`(_ json: String) throws {
        let before = try ModelDocument(decoding: Data(json.utf8), as: .json)
        for format in Self.formats {
            let value = try ListDescribedModel.decode(before.encoded(as: format), as: format)
            #expect(!(value is UnknownListDescribed))
            let written = try ListDescribedModel.encode(value, as: format)
            let after = try ModelDocument(decoding: written, as: format)
            var expected = before
            expected["owner"]?["$version"] = nil
            #expect(after == expected, "\(format)")
            #expect(after.members?.first?.key == "type")
            let again = try ListDescribedModel.decode(written, as: format)
            #expect(try ListDescribedModel.encode(again, as: format) == written)
        }
    }

    @Test(arguments: formats)
    func `migrations neither see nor lose them`(_ format: ModelFormat) throws {
        let json = #"{"a":1,"type":["ListBot","x"],"owner":{"owner":null,"type":["z","ListBot"]}}"#
        let old = try ModelDocument(decoding: Data(json.utf8), as: .json).encoded(as: format)
        let bot = try ListDescribedModel.decode(old, as: format)
        let after = try ModelDocument(
            decoding: ListDescribedModel.encode(bot, as: format),
            as: format
        )
        #expect(
            try after
                == ModelDocument(
                    decoding: Data(
                        """
                        {"type":["ListBot","x"],"$version":2,"a":1,"name":"a owner",
                         "owner":{"type":["z","ListBot"],"$version":2,"name":"owner"}}
                        """.utf8
                    ),
                    as: .json
                )
        )
    }

    @Test
    func `names that do not fit are replaced`() throws {
        var person = ListedPerson(name: "a")
        for list in [["ListBot"], [], [1, "Person"], "Person"] as [ModelDocument] {
            person.unknownFields.members = [.init(key: "type", value: list)]
            let value: any ListDescribed = person
            #expect(
                try String(decoding: value.encoded(as: .json), as: UTF8.self)
                    == #"{"type":"Person","name":"a"}"#
            )
        }
        person.unknownFields.members = [.init(key: "type", value: ["Person", "x"])]
        let value: any PlainlyNamed = person
        #expect(
            try String(decoding: value.encoded(as: .json), as: UTF8.self)
                == #"{"type":"Person","name":"a"}"#
        )
    }

    @Test(arguments: formats)
    func `a second type key is still an error`(_ format: ModelFormat) throws {
        for json in [
            #"{"type":["Person"],"kind":["Person"]}"#, #"{"kind":"Person","type":["Person"]}"#,
        ] {
            let document = try ModelDocument(decoding: Data(json.utf8), as: .json)
            let value = try ListDescribedModel.decode(document.encoded(as: format), as: format)
            let error = (value as? UnknownListDescribed)?.preserved.error as? ModelDecodingError
            #expect(error?.kind == .repeatedField)
        }
    }

    @Test
    func `are kept in rows`() async throws {
        let json = #"{"type":["Person","x"],"name":"a"}"#
        let container = try ModelContainer(
            for: ListVisit.self,
            configurations: ModelConfiguration(isStoredInMemoryOnly: true)
        )
        let fetched = try await container.perform { context in
            let visitor = try ListDescribedModel.decode(Data(json.utf8), as: .json)
            context.insert(ListVisit(id: 1, visitor: visitor))
            try context.save()
            return try context.fetch(FetchDescriptor<ListVisit>()).map { try $0.json() }
        }
        #expect(fetched == [#"{"id":1,"visitor":\#(json)}"#])
    }
}
