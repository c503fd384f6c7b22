import Dovetail
import TestAssets
import Testing

@Model
private final class Track {
    let id: Int
    private(set) var title: String {
        didSet { changes += 1 }
    }
    var note: String?
    var rating = 3
    @Relationship(deleteRule: .cascade) var next: Track?
    var cover: (any Asset)?
    weak var album: Album?
    @Transient var changes = 0
    var computed: String { title + "!" }

    init(id: Int, title: String) {
        self.id = id
        self.title = title
    }

    func rename(_ title: String) { self.title = title }
}

@Model
final class Album {
    var name: String?
}

@ModelProtocol
private protocol Playable: AnyObject {
    var length: Int { get }
}

@Model
private final class Song: Playable, Sendable {
    let length: Int

    init(length: Int) { self.length = length }
}

@Model
private struct Playlist {
    var items: [any Playable]
}

private enum Library {
    @Model
    final class Shelf<Item> {
        var items: [Item]
        @Attribute(.primaryKey) var code: String

        init(items: [Item], code: String) { (self.items, self.code) = (items, code) }
    }
}

private struct Around<Value: Equatable, Other> {
    /// Of a generic type, and one that is generic itself.
    @Model
    final class Node {
        let value: Value
        var children: [Node] = []

        init(_ value: Value) { self.value = value }

        @Model
        final class Leaf<Item> {
            var item: Item?
            var node: Node
            var label = "leaf"

            init(_ item: Item?, _ node: Node) { (self.item, self.node) = (item, node) }
        }

        @Model
        struct Mark: Equatable { var value: Value, text: String }
    }
}

/// Final classes are written and read like structs.
struct ClassModelTests {
    @Test
    func `round trip`() throws {
        let track = Track(id: 1, title: "a")
        track.next = Track(id: 2, title: "b")
        track.cover = SoundAsset(name: "s", path: "p")
        track.rename("c")
        let json = """
            {"id":1,"title":"c","rating":3,"next":{"id":2,"title":"b","rating":3},\
            "cover":{"$type":"SoundAsset","name":"s","path":"p","type":"sound"}}
            """
        #expect(try track.json() == json)
        let back = try Track(json: json)
        #expect(try back.json() == json)
        #expect(back.changes == 0)
        #expect(back.next?.title == "b")
        #expect(try [Track](json: "[\(json),\(json)]").json() == "[\(json),\(json)]")
        #expect(
            Track.modelAttributes.map(\.name)
                == ["id", "title", "note", "rating", "cover", "album"]
        )
        #expect(Track.typeName == "Track")
        #expect(Track.modelRelationships.map(\.name) == ["next"])
    }

    @Test
    func `errors about classes have their place`() throws {
        #expect(
            try decodingError(of: Track.self, #"{"id":1,"title":"a","next":{"id":2}}"#).description
                == "next.title: expected a value, found no such field (line 1, column 28)"
        )
        #expect(
            try decodingError(of: Track.self, #"{"id":"x","title":"a"}"#).description
                == #"id: expected Int, found "x" (line 1, column 7)"#
        )
        let bomb = String(repeating: #"{"id":1,"title":"a","next":"#, count: 100_000)
        #expect(try decodingError(of: Track.self, bomb).kind == .tooDeep)
    }

    @Test
    func `conforms to a model protocol`() throws {
        let json = #"{"items":[{"$type":"Song","length":3}]}"#
        let list = try Playlist(json: json)
        #expect(list.items.first is Song)
        #expect(try list.json() == json)
    }

    @Test
    func `nested and generic`() throws {
        let shelf = Library.Shelf(items: [1, 2], code: "x")
        #expect(try shelf.json() == #"{"items":[1,2],"code":"x"}"#)
        #expect(try Library.Shelf<Int>(json: shelf.json()).items == [1, 2])
        #expect(shelf.id == "x")
    }

    @Test
    func `inside of generic types`() throws {
        typealias Place = Around<Int, String>
        let node = Place.Node(1)
        node.children = [Place.Node(2)]
        let json = #"{"value":1,"children":[{"value":2,"children":[]}]}"#
        #expect(try node.json() == json)
        #expect(try Place.Node(json: json).children.first?.value == 2)
        // What is in no property may be anything.
        #expect(try Around<Int, any Error>.Node(2).json() == #"{"value":2,"children":[]}"#)
        let leaf = #"{"item":"i","node":\#(json),"label":"leaf"}"#
        #expect(try Place.Node.Leaf("i", node).json() == leaf)
        #expect(try Place.Node.Leaf<String>(json: leaf).node.value == 1)
        try expectRoundTrip(Place.Node.Mark(value: 1, text: "t"))
        #expect(Place.Node.Leaf<Int>.modelAttributes.map(\.name) == ["item", "node", "label"])
        let error = try decodingError(of: Place.Node.Leaf<Int>.self, #"{"node":{"value":"x"}}"#)
        #expect(error.description == #"node.value: expected Int, found "x" (line 1, column 18)"#)
    }
}
