import Dovetail
import TestAssets
import Testing

@Model
private struct Bag: Equatable {
    @Attribute(.omittedWhenEmpty) var list: [Int]
    @Attribute(.omittedWhenEmpty) let fixed: [String]
    @Attribute(.omittedWhenEmpty) var distinct: Set<Int>
    @Attribute(.omittedWhenEmpty) var table: [String: Int]
    @Attribute(.omittedWhenEmpty) var text: String
    @Attribute(.omittedWhenEmpty) var data: Data
    @Attribute(.omittedWhenEmpty) var defaulted: [Int] = [1, 2]
    @Attribute(.omittedWhenEmpty) var plains: [Plain] = []
    @Attribute(.omittedWhenEmpty, .transformed(elementsBy: SecondsSince1970.self))
    var dates: [Date] = []
    @Attribute(.omittedWhenEmpty, name: "extra.names", aliases: ["names"]) var names: [String]
}

@Model
private struct Crate {
    @Attribute(.omittedWhenEmpty) var assets: [any Asset]
    @Attribute(.omittedWhenEmpty) var byName: [String: any Asset] = [:]
}

/// Collections that are left out of documents when they are empty.
struct OmittedWhenEmptyTests {
    @Test
    func `empty ones are left out and come back`() throws {
        let bag = try Bag(json: "{}")
        #expect(bag.list.isEmpty && bag.fixed.isEmpty && bag.distinct.isEmpty)
        #expect(bag.table.isEmpty && bag.text.isEmpty && bag.data.isEmpty)
        // An absent field is an empty one, not the default: else the empty value could not be
        // written.
        #expect(bag.defaulted.isEmpty)
        #expect(bag.plains.isEmpty && bag.dates.isEmpty && bag.names.isEmpty)
        #expect(try bag.json() == "{}")
        #expect(try Crate(json: "{}").json() == "{}")
    }

    @Test
    func `filled ones are written`() throws {
        let json = """
            {"list":[1],"fixed":["a"],"distinct":[2],"table":{"k":3},"text":"t","data":"AQ==",\
            "defaulted":[4],"plains":[{"marks":[],"title":"p"}],"dates":[0.5],\
            "extra":{"names":["n"]}}
            """
        let bag = try Bag(json: json)
        #expect(try bag.json() == json)
        #expect(try Bag(json: bag.json()) == bag)
        let crate = #"{"assets":[{"$type":"SoundAsset","name":"s","path":"p","type":"sound"}]}"#
        #expect(try Crate(json: crate).json() == crate)
    }

    @Test
    func `empty ones may be there`() throws {
        let bag = try Bag(json: #"{"list":[],"text":"","table":{},"extra":{"names":[]}}"#)
        #expect(try bag.json() == "{}")
        #expect(try decodingError(of: Bag.self, #"{"list":null}"#).path == "list")
    }
}
