import Dovetail
import Testing

// Two builds of one program: the older one does not know every type of the newer one.

@ModelProtocol(typeKey: "kind", unknown: .preserve)
private protocol OldItem {}

@ModelProtocol(typeKey: "kind", unknown: .preserve)
private protocol NewItem {}

@ModelProtocol(tagging: .adjacent(tag: "t", content: "c"), unknown: .preserve)
private protocol BesideItem {}

@ModelProtocol(tagging: .external, unknown: .preserve)
private protocol AroundItem {}

private enum OldBuild {
    @Model(version: 2, unknownFields: .preserve)
    struct Chest: OldItem {
        var items: [any OldItem] = []
        var lid: (any OldItem)?
        var byName: [String: any OldItem]?
        var beside: [any BesideItem]?
        var around: [any AroundItem]?
        @Attribute(name: "size.width") var width: Int?

        static func migrate(_ document: inout ModelDocument, from version: Int) throws {
            document.rename("content", to: "items")
            document["size.width"] = document.remove("width")
        }
    }

    /// A step that makes a kind of value that JSON lacks.
    @Model(version: 2, unknownFields: .preserve)
    final class Sack: OldItem {
        var at: Date
        var item: (any OldItem)?

        static func migrate(_ document: inout ModelDocument, from version: Int) throws {
            document["at"] = .date(Date(timeIntervalSinceReferenceDate: 0.5))
        }
    }

    @Model(version: 3)
    struct Fragile: OldItem, BesideItem, AroundItem {
        var x: Int

        static func migrate(_ document: inout ModelDocument, from version: Int) throws {
            guard document["x"]?.intValue != nil else { throw CocoaError(.coderInvalidValue) }
        }
    }

    @Model
    struct Row: Identifiable {
        var id: Int
        var chest: Chest
        var any: any OldItem
    }
}

private enum NewBuild {
    @Model(version: 2, unknownFields: .preserve)
    struct Chest: NewItem { var items: [any NewItem] = [] }

    @Model(version: 2, unknownFields: .preserve)
    struct Jewel: NewItem {
        var carats: Double
        var setting: (any NewItem)?

        static func migrate(_ document: inout ModelDocument, from version: Int) throws {
            document.rename("weight", to: "carats")
        }
    }
}

/// What is kept stays as it is when the objects around it are migrated.
struct PreservedMigrationTests {
    private static let formats: [ModelFormat] = [.json, .plist, .binaryPlist]

    private func document(_ json: String) throws -> ModelDocument {
        try ModelDocument(decoding: Data(json.utf8), as: .json)
    }

    /// Writes what was read, and reads and writes that once more, which changes nothing.
    private func rewritten(_ before: ModelDocument, _ format: ModelFormat) throws -> ModelDocument {
        let value = try OldItemModel.decode(before.encoded(as: format), as: format)
        let written = try OldItemModel.encode(value, as: format)
        let again = try OldItemModel.decode(written, as: format)
        #expect(try OldItemModel.encode(again, as: format) == written)
        return try ModelDocument(decoding: written, as: format)
    }

    @Test(arguments: [
        // An element of an unknown type, with known ones of old versions in it.
        (
            #""content":[{"kind":"Gem","content":[{"kind":"Chest","width":1}],"n":1.25}]"#,
            #""items":[{"kind":"Gem","content":[{"kind":"Chest","width":1}],"n":1.25}]"#
        ),
        // In a single value and in a dictionary, beside one that is migrated itself.
        (
            #""lid":{"kind":"Gem"},"byName":{"a":{"kind":"Chest","width":2},"b":{"kind":7}}"#,
            #""items":[],"lid":{"kind":"Gem"},"byName":{"a":{"kind":"Chest","$version":2,"#
                + #""items":[],"size":{"width":2}},"b":{"kind":7}}"#
        ),
        // Elements whose own step refuses them, or that are too new.
        (
            #""content":[{"kind":"Fragile","x":"y"},{"kind":"Fragile","$version":2,"x":[]},"#
                + #"{"kind":"Fragile","$version":9,"z":1},{"kind":"Fragile","x":3}]"#,
            #""items":[{"kind":"Fragile","x":"y"},{"kind":"Fragile","$version":2,"x":[]},"#
                + #"{"kind":"Fragile","$version":9,"z":1},{"kind":"Fragile","$version":3,"x":3}]"#
        ),
        // Other forms of tagging.
        (
            #""beside":[{"t":"Gem","c":[1],"more":2},{"t":"Fragile","c":{"x":1}},{"c":{}}],"#
                + #""around":[{"Gem":{}},{"Fragile":{"x":[]}},{"Fragile":{"x":2}}]"#,
            #""items":[],"beside":[{"t":"Gem","c":[1],"more":2},{"t":"Fragile","c":{"$version":3,"x":1}},"#
                + #"{"c":{}}],"around":[{"Gem":{}},{"Fragile":{"x":[]}},{"Fragile":{"$version":3,"x":2}}]"#
        ),
        // Undeclared fields, also in an object around an attribute.
        (
            #""width":4,"size":{"depth":{"a":[1,2]},"w":2},"z":{"kind":"Chest","width":1},"y":"","x":[]"#,
            #""items":[],"size":{"width":4,"depth":{"a":[1,2]},"w":2},"z":{"kind":"Chest","width":1},"#
                + #""y":"","x":[]"#
        ),
        // Undeclared fields on every level of migrated objects in each other.
        (
            #""u":1,"content":[{"kind":"Chest","v":2,"content":[{"kind":"Chest","w":3},{"kind":"?"}]}]"#,
            #""u":1,"items":[{"kind":"Chest","$version":2,"v":2,"items":[{"kind":"Chest","$version":2,"#
                + #""w":3,"items":[]},{"kind":"?"}]}]"#
        ),
    ])
    func `stays as it is`(old: String, new: String) throws {
        for format in Self.formats {
            let after = try rewritten(document(#"{"kind":"Chest",\#(old)}"#), format)
            #expect(
                try after == document(#"{"kind":"Chest","$version":2,\#(new)}"#),
                "\(format.name)"
            )
        }
    }

    @Test
    func `numbers keep their text and repeated keys both members`() throws {
        let kept =
            #"{"kind":"Gem","a":1.50,"b":-0,"c":1e400,"d":12345678901234567890123,"a":2E0,"e":null}"#
        let fields = #""f":0.10,"f":1E2,"g":[-0.0,1e-999],"h":"$null""#
        let chest = #"{"kind":"Chest",\#(fields),"content":[\#(kept)]}"#
        let value = try OldItemModel.decode(Data(chest.utf8), as: .json)
        #expect(
            try String(decoding: OldItemModel.encode(value, as: .json), as: UTF8.self)
                == #"{"kind":"Chest","$version":2,"items":[\#(kept)],\#(fields)}"#
        )
        // The same where the migrated document is no JSON.
        let sack = #"{"kind":"Sack",\#(fields),"item":\#(kept)}"#
        let other = try OldItemModel.decode(Data(sack.utf8), as: .json)
        #expect(
            try String(decoding: OldItemModel.encode(other, as: .json), as: UTF8.self)
                == #"{"kind":"Sack","$version":2,"at":"2001-01-01T00:00:00.5Z","item":\#(kept),\#(fields)}"#
        )
    }

    @Test(arguments: [ModelFormat.plist, .binaryPlist])
    func `kinds of property lists stay`(format: ModelFormat) throws {
        let kinds = ModelDocument.object([
            .init(key: "kind", value: "Gem"), .init(key: "no", value: .null),
            .init(key: "at", value: .date(Date(timeIntervalSinceReferenceDate: 8))),
            .init(key: "raw", value: .data(Data([0, 255]))), .init(key: "real", value: .double(2)),
        ])
        let old = ModelDocument.object([
            .init(key: "kind", value: "Chest"), .init(key: "content", value: [kinds]),
            .init(key: "field", value: kinds),
        ])
        let after = try rewritten(old, format)
        for kept in [after["items[0]"], after["field"]] {
            #expect(kept == kinds)
            #expect(kept?.members?.map(\.value.kind) == [.string, .null, .date, .data, .double])
        }
    }

    @Test(arguments: formats)
    func `becomes the real type when a later build knows it`(format: ModelFormat) throws {
        let jewel = #""kind":"Jewel","weight":2,"by":"Ann","setting":{"kind":"Jewel","weight":1}"#
        let old = #"{"kind":"Chest","content":[{\#(jewel)},{"kind":"Box","of":{\#(jewel)}}]}"#
        let kept = try OldItemModel.decode(document(old).encoded(as: format), as: format)
        let items = try #require(kept as? OldBuild.Chest).items
        #expect(items.allSatisfy { $0 is UnknownOldItem })
        // The later build reads what this one has written, which is of its own version of `Chest`
        // and holds jewels of the first one.
        let written = try OldItemModel.encode(kept, as: format)
        let chest = try #require(NewItemModel.decode(written, as: format) as? NewBuild.Chest)
        let real = try #require(chest.items.first as? NewBuild.Jewel)
        #expect(real.carats == 2)
        #expect(real.unknownFields["by"] == "Ann")
        #expect((real.setting as? NewBuild.Jewel)?.carats == 1)
        #expect(chest.items.last is UnknownNewItem)
        let current =
            #"{"kind":"Jewel","$version":2,"carats":2,"by":"Ann","#
            + #""setting":{"kind":"Jewel","$version":2,"carats":1}}"#
        let after = try ModelDocument(
            decoding: NewItemModel.encode(chest, as: format),
            as: format
        )
        #expect(
            try after
                == document(
                    #"{"kind":"Chest","$version":2,"items":[\#(current),{"kind":"Box","of":{\#(jewel)}}]}"#
                )
        )
    }

    @Test
    func `the error of an element says why it was kept`() throws {
        let old =
            #"{"kind":"Chest","content":[{"kind":"Fragile","x":"y"},{"kind":"Fragile","$version":9}]}"#
        for format in Self.formats {
            let chest = try OldItemModel.decode(document(old).encoded(as: format), as: format)
            let items = (chest as? OldBuild.Chest)?.items.compactMap { $0 as? UnknownOldItem }
            let errors = items?.compactMap { $0.preserved.error as? ModelDecodingError }
            #expect(errors?.map(\.kind) == [.rejected, .futureVersion])
            #expect(items?.map { OldItemModel.typeName(of: $0) } == ["Fragile", "Fragile"])
        }
    }

    @Test
    func `rows hold migrated and kept elements`() async throws {
        let chest = #"{"content":[{"kind":"Gem","n":1.50}],"width":3,"q":[null]}"#
        let any = #"{"kind":"Gem","in":\#(chest)}"#
        let json = #"{"id":1,"chest":\#(chest),"any":\#(any)}"#
        let container = try ModelContainer(
            for: OldBuild.Row.self,
            configurations: ModelConfiguration(isStoredInMemoryOnly: true)
        )
        let fetched = try await container.perform { context in
            context.insert(try OldBuild.Row(json: json))
            try context.save()
            return try context.fetch(FetchDescriptor<OldBuild.Row>()).map { try $0.json() }
        }
        #expect(
            fetched == [
                #"{"id":1,"chest":{"$version":2,"items":[{"kind":"Gem","n":1.50}],"#
                    + #""size":{"width":3},"q":[null]},"any":\#(any)}"#
            ]
        )
    }
}
