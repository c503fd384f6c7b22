import Dovetail
import TestAssets
import Testing

/// What the tests over whole corpora compare with, on documents that differ.
struct CorpusComparisonTests {
    private func document(_ json: String) throws -> ModelDocument {
        try ModelDocument(decoding: Data(json.utf8), as: .json)
    }

    @Test
    func `differences are named with their places`() throws {
        let before = try document(#"{"a":1,"b":{"c":null,"d":2},"e":[{"f":3},4],"g":[1]}"#)
        let after = try document(#"{"b":{"x":0},"a":1.0,"e":[{},5],"g":[]}"#)
        let differences = DocumentDifferences(from: before, to: after, "r")
        #expect(differences.lost == ["r.b.d", "r.e[0].f"])
        #expect(differences.added == ["r.b.x"])
        #expect(differences.changed == ["r.e[1]: 4 became 5", "r.g: [1] became []"])
        #expect(differences.absentNulls == 1)
        #expect(!differences.isEmpty)
        #expect(DocumentDifferences(from: before, to: before).isEmpty)
        let other = try DocumentDifferences(from: document("[null]"), to: document("[0]"))
        #expect(other.changed == ["[0]: null became 0"])
    }

    @Test
    func `types are compared at every depth`() throws {
        let color = #"{"$type":"ColorAsset","red":1,"green":2,"blue":3,"name":"c"}"#
        let sound = #"{"$type":"SoundAsset","name":"s","path":"p"}"#
        let json = #"{"name":"g","assets":[\#(color),\#(sound)]}"#
        let group = try AssetGroup(json: json)
        var walk = TypeWalk(typeKey: "$type", knownNames: ["ColorAsset", "SoundAsset"])
        try walk.walk(group, beside: document(json), "g")
        #expect(walk.kept == 2)
        #expect(walk.kept == TypeWalk.count(in: try document(json), "$type"))
        #expect(walk.names == ["ColorAsset", "SoundAsset"])
        #expect(walk.problems.isEmpty)

        var swapped = TypeWalk(typeKey: "$type", knownNames: ["ColorAsset", "SoundAsset"])
        try swapped.walk(group, beside: document(#"{"assets":[\#(sound)]}"#), "g")
        #expect(swapped.problems == ["g.assets[0]: SoundAsset was read as ColorAsset"])
        var unknown = TypeWalk(typeKey: "$type", knownNames: ["SoundAsset"])
        try unknown.walk(group, beside: document(json), "g")
        #expect(unknown.unknownNames == ["ColorAsset"])
        #expect(unknown.kept == 1)
    }
}
