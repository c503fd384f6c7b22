import Dovetail
import TestAssets
import Testing

@Model
private struct Shelf {
    var first: any Asset
    var file: (any FileAsset)?
    var list: Array<any Asset> = []
    var maybe: [(any Asset)?] = []
    var grid: [[any FileAsset]] = []
    var table: [String: any Asset] = [:]
    var numbered: Dictionary<Int, [any Asset]>?
    var shapes: [any Shape]?
    var figure: Optional<any Figure> = nil
    var concrete: SoundAsset?
}

/// `any P` in properties and collections.
struct PolymorphicPropertyTests {
    private let sound = SoundAsset(name: "s", path: "p")
    private let color = ColorAsset(name: "c", red: 1, green: 2, blue: 3)

    @Test
    func `every place`() throws {
        let shelf = Shelf(
            first: color,
            file: sound,
            list: [color, sound, Studio.NestedAsset(name: "n", path: "q", tint: color)],
            maybe: [nil, LateAsset(name: "l"), nil],
            grid: [[], [sound, LateAsset(name: "m")], [Studio.NestedAsset(name: "n", path: "q")]],
            table: ["": color, "k\"": Studio.NamedAsset(name: "film")],
            numbered: [-1: [sound], 2: []],
            shapes: [Square(side: 2), Circle(radius: 1)],
            figure: Square(side: 3),
            concrete: sound
        )
        let json = try shelf.json()
        let back = try Shelf(json: json)
        #expect(back.first as? ColorAsset == color)
        #expect(back.file as? SoundAsset == sound)
        #expect(back.list.map(\.name) == ["c", "s", "n"])
        #expect((back.list[2] as? Studio.NestedAsset)?.tint == color)
        #expect(back.maybe.map { $0?.name } == [nil, "l", nil])
        #expect(back.grid.map { $0.map(\.path) } == [[], ["p", "/m"], ["q"]])
        #expect(back.table["k\""] as? Studio.NamedAsset == .init(name: "film"))
        #expect(back.numbered?[-1]?.first as? SoundAsset == sound)
        #expect(back.numbered?[2]?.isEmpty == true)
        #expect(back.shapes?.map(\.area) == [4, 3])
        #expect(back.figure as? Square == Square(side: 3))
        #expect(try back.json() == json)
    }

    /// The key is first, and only where the declared type is a protocol.
    @Test
    func `the type key is first`() throws {
        var shelf = Shelf(first: sound)
        shelf.concrete = sound
        shelf.shapes = [Square(side: 1), Circle(radius: 2)]
        shelf.figure = Square(side: 1)
        let text = #""name":"s","path":"p","type":"sound"}"#
        #expect(
            try shelf.json() == """
                {"first":{"$type":"SoundAsset",\(text),"list":[],"maybe":[],"grid":[],"table":{},\
                "shapes":[{"$type":"Square","side":1},{"$type":"Circle","radius":2}],\
                "figure":{"the \\"kind\\"":"Square","side":1},"concrete":{\(text)}
                """
        )
        #expect(try sound.json() == "{\(text)")
    }

    @Test
    func `an empty model has only its key`() throws {
        #expect(
            try [First.Other() as any Twin].encoded(as: .json)
                == Data(#"[{"$type":"Other","x":1}]"#.utf8)
        )
        #expect(
            try [First.One() as any Twin].encoded(as: .json) == Data(#"[{"$type":"same"}]"#.utf8)
        )
    }

    @Test
    func `groups inside of groups`() throws {
        let inner = GroupAsset(name: "inner", memberAssets: [sound], mainAsset: sound)
        let outer = GroupAsset(name: "outer", memberAssets: [inner, color, inner])
        let shelf = Shelf(first: outer)
        let json = try shelf.json()
        let first = try Shelf(json: json).first
        let back = try #require(first as? GroupAsset)
        #expect(back.memberAssets.map(\.name) == ["inner", "c", "inner"])
        #expect((back.memberAssets[2] as? GroupAsset)?.mainAsset?.path == "p")
        #expect(try Shelf(first: back).json() == json)
    }
}
