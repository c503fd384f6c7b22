import Dovetail
import DovetailTesting
import Testing

/// `@ModelDefaults` and the options of `@Model` that stand for all attributes.
struct ModelDefaultsTests {
    @ModelDefaults(
        naming: .snakeCaseWithDigits,
        typeNaming: .snakeCase,
        omits: .empty,
        unknownFields: .preserve
    )
    enum API {
        @Model struct ImageAsset: Identifiable, Equatable {
            var id: Int
            var thumb360W: String
            var lineItems: [String]
            var labels: [String: Int]
            var caption: String?
        }
        @Model enum State: String { case inProgress, done = "DONE", paused2 }
        @Model enum Change: Equatable { case statusChange(to: State) }
        @Model(naming: .asDeclared, omits: .nothing) struct Own: Equatable {
            var aB: Int?
            var list: [Int] = []
        }
        @ModelDefaults(typeNaming: .pascalCase, omits: .nothing)
        enum Inner {
            @Model struct deepThing: Equatable { var aB: Int?; var list: [Int] = [] }
        }
    }

    @Test
    func `models take the names of what is around them`() throws {
        #expect(API.ImageAsset.typeName == "image_asset" && API.State.typeName == "state")
        #expect(API.Inner.deepThing.typeName == "DeepThing" && API.Own.typeName == "own")
        #expect(
            API.ImageAsset.modelAttributes.map(\.name) == [
                "id", "thumb_360_w", "line_items", "labels", "caption", "$unknownFields",
            ]
        )
        let own = String(decoding: try API.Own(aB: nil).encoded(as: .json), as: UTF8.self)
        #expect(own == #"{"aB":null,"list":[]}"#)
        let deep = String(
            decoding: try API.Inner.deepThing(aB: nil).encoded(as: .json),
            as: UTF8.self
        )
        #expect(deep == #"{"a_b":null,"list":[]}"#)
        let change = try API.Change.statusChange(to: .inProgress).encoded(as: .json)
        #expect(
            String(decoding: change, as: UTF8.self) == #"{"status_change":{"to":"in_progress"}}"#
        )
    }

    @Test(arguments: [ModelFormat.json, .plist, .binaryPlist, .cbor])
    func `empty collections are left out and unknown fields kept`(format: ModelFormat) throws {
        for json in [
            #"{"id":1,"thumb_360_w":"a"}"#,
            #"{"id":1,"thumb_360_w":"a","line_items":["x"],"labels":{"k":1},"caption":"c","z":[1]}"#,
        ] {
            let asset = try API.ImageAsset(decoding: Data(json.utf8), as: .json)
            let again = try API.ImageAsset(decoding: asset.encoded(as: format), as: format)
            #expect(try again.encoded(as: .json) == Data(json.utf8))
            try checkModel(asset, changes: 2_000)
        }
    }

    @Test
    func `cases of raw enums are named, also as keys and in rows`() throws {
        let states: [API.State] = [.inProgress, .done, .paused2]
        let json = String(decoding: try states.encoded(as: .json), as: UTF8.self)
        #expect(json == #"["in_progress","DONE","paused_2"]"#)
        #expect(try [API.State](decoding: Data(json.utf8), as: .json) == states)
        let counts = Data(#"{"DONE":2,"in_progress":1}"#.utf8)
        #expect(try [API.State: Int](decoding: counts, as: .json).encoded(as: .json) == counts)
        try checkModels(states, changes: 500)
        let error = try #require(throws: ModelDecodingError.self) {
            try [API.State](decoding: Data(#"["inProgress"]"#.utf8), as: .json)
        }
        #expect(error.kind == .unknownCase && error.path == "[0]")
        let container = try ModelContainer(
            for: NamedStateRow.self,
            configurations: ModelConfiguration(isStoredInMemoryOnly: true)
        )
        let context = ModelContext(container)
        context.insert(NamedStateRow(id: 1, state: .inProgress))
        context.insert(NamedStateRow(id: 2, state: .done))
        try context.save()
        let found = try context.fetch(
            FetchDescriptor<NamedStateRow>(predicate: #Predicate { $0.state == .inProgress })
        )
        #expect(found.map(\.id) == [1])
    }
}

@Model struct NamedStateRow: Identifiable {
    var id: Int
    var state: ModelDefaultsTests.API.State
}
