import Dovetail
import DovetailTesting
import Foundation
import Testing

/// Model protocols inside of types: what is written beside them is inside of the type, too.
@ModelDefaults(naming: .snakeCase)
enum Drawings {
    @ModelProtocol(typeKey: "kind", unknown: .preserve, wrapper: true)
    protocol Shape: Equatable, Sendable {
        var title: String { get }
        var colour: Colour? { get }
        var inner: (any Shape)? { get }
    }
    @Model enum Colour: String { case red, green }
    @ModelProtocol protocol Round: Shape { var radiusInMetres: Int { get } }

    @ModelProtocol(typeKey: "object") protocol Part: Equatable { var id: String { get } }
    @ModelProtocol(typeKey: "type", typeName: "block") protocol Block: Part {}

    @Model struct Circle: Round {
        var title: String
        var colour: Colour?
        var inner: (any Shape)?
        var radiusInMetres: Int
        static func == (first: Self, second: Self) -> Bool { sameDocument(first, second) }
    }
    @Model(typeName: "page") struct Page: Part, Identifiable { var id: String }
    @Model(typeName: "text", writesTypeKey: true)
    struct Text: Block, Identifiable { var id: String }

    typealias Shapes = [any Shape]

    @Model struct Sheet: Equatable {
        var allShapes: [any Shape]
        var first: (any Shape)?
        var byName: [String: any Round & Sendable] = [:]
        var aliased: Shapes = []
        @Attribute(unknown: .skip) var lenient: [any Round] = []
        static func == (first: Self, second: Self) -> Bool { sameDocument(first, second) }
    }
    @Model enum Choice: Equatable {
        case shape(any Shape), parts([any Part])
        static func == (first: Self, second: Self) -> Bool { sameDocument(first, second) }
    }
    @Model(tagging: .untagged) enum Loose { case part(any Part), number(Int) }
    @Model final class Binder {
        var name: String
        var cover: (any Shape)?
        init(name: String, cover: (any Shape)? = nil) { (self.name, self.cover) = (name, cover) }
    }
    enum Deeper {}
}

extension Drawings.Deeper {
    @ModelProtocol protocol Solid: Drawings.Shape {}
    @Model struct Cube: Solid {
        var title = "cube"
        var colour: Drawings.Colour?
        var inner: (any Drawings.Shape)?
        var solids: [any Solid] = []
        static func == (first: Self, second: Self) -> Bool { sameDocument(first, second) }
    }
}

/// At file scope, of a protocol that is not.
@Model private struct Tile: Drawings.Shape {
    var title: String
    var colour: Drawings.Colour?
    var inner: (any Drawings.Shape)?
    static func == (first: Self, second: Self) -> Bool { sameDocument(first, second) }
}
@Model private struct Sheaf { var shapes: [any Drawings.Shape]; var page: Drawings.AnyShape? }

struct NestedProtocolTests {
    private static let shapes: [any Drawings.Shape] = [
        Tile(title: "a", colour: .red, inner: nil),
        Drawings.Circle(
            title: "b",
            inner: Tile(title: "c", colour: nil, inner: nil),
            radiusInMetres: 2
        ),
        Drawings.Deeper.Cube(solids: [Drawings.Deeper.Cube(title: "d")]),
    ]
    private static let text =
        #"[{"kind":"Tile","title":"a","colour":"red"},"#
        + #"{"kind":"Circle","title":"b","inner":{"kind":"Tile","title":"c"},"radius_in_metres":2},"#
        + #"{"kind":"Cube","title":"cube","solids":[{"kind":"Cube","title":"d","solids":[]}]}]"#

    @Test
    func `conformers inside and outside of the type are read and written`() throws {
        let written = try Self.shapes.encoded(as: .json)
        #expect(String(decoding: written, as: UTF8.self) == Self.text)
        let read = try [any Drawings.Shape](decoding: written, as: .json)
        #expect(read[0] is Tile && read[1] is Drawings.Circle && read[2] is Drawings.Deeper.Cube)
        let round = try [any Drawings.Round](
            decoding: Data(#"[{"kind":"Circle","title":"x","radius_in_metres":1}]"#.utf8),
            as: .json
        )
        #expect(round[0].radiusInMetres == 1)
    }

    @Test
    func `properties hold them in models inside and outside of the type`() throws {
        let circle = try #require(Self.shapes[1] as? Drawings.Circle)
        let sheet = Drawings.Sheet(
            allShapes: Self.shapes,
            first: Self.shapes[0],
            byName: ["x": circle],
            aliased: Self.shapes,
            lenient: [circle]
        )
        try checkModel(sheet, changes: 2_000)
        try checkModel(Drawings.Sheet(allShapes: [], first: nil), changes: 200)
        try checkModel(Drawings.Choice.shape(circle), changes: 200)
        try checkModel(Drawings.Choice.parts([Drawings.Page(id: "p")]), changes: 200)
        let sheaf = Sheaf(shapes: Self.shapes, page: .init(circle))
        let again = try Sheaf(decoding: sheaf.encoded(as: .binaryPlist), as: .binaryPlist)
        #expect(again.page?.title == "b" && again.shapes.count == 3)
    }

    @Test
    func `unknown elements are kept, and answer by types of the namespace`() throws {
        let data = Data(#"[{"kind":"Hexagon","title":"h","colour":"green","sides":6}]"#.utf8)
        let read = try [any Drawings.Shape](decoding: data, as: .json)
        #expect(read[0] is Drawings.UnknownShape)
        #expect(read[0].title == "h" && read[0].colour == .green)
        #expect(try read.encoded(as: .json) == data)
    }

    @Test
    func `levels, tags of concrete values and unions work there`() throws {
        let parts: [any Drawings.Part] = [Drawings.Page(id: "1"), Drawings.Text(id: "2")]
        let text = #"[{"object":"page","id":"1"},{"object":"block","type":"text","id":"2"}]"#
        #expect(try String(decoding: parts.encoded(as: .json), as: UTF8.self) == text)
        let read = try [any Drawings.Part](decoding: Data(text.utf8), as: .json)
        #expect(read[1] is Drawings.Text)
        let both = Data("[\(text.dropFirst().dropLast()),3]".utf8)
        let loose = try [Drawings.Loose](decoding: both, as: .json)
        #expect(loose.count == 3)
        #expect(
            try String(decoding: Drawings.Text(id: "2").encoded(as: .json), as: UTF8.self)
                == #"{"object":"block","type":"text","id":"2"}"#
        )
    }

    @Test
    func `an error has the path and the name of the protocol`() {
        let error = #expect(throws: ModelDecodingError.self) {
            _ = try Drawings.Choice(
                decoding: Data(#"{"parts":{"_0":[{"object":"page","id":3}]}}"#.utf8),
                as: .json
            )
        }
        #expect(error?.path == "parts._0[0].id")
    }

    @Test
    func `stores keep them, and predicates ask for what the protocol requires`() throws {
        let container = try ModelContainer(
            for: Drawings.Page.self,
            Drawings.Text.self,
            Drawings.Binder.self,
            configurations: ModelConfiguration(isStoredInMemoryOnly: true)
        )
        let context = ModelContext(container)
        context.insert(Drawings.Page(id: "1"))
        context.insert(Drawings.Text(id: "2"))
        context.insert(Drawings.Binder(name: "b", cover: Self.shapes[1]))
        try context.save()
        let parts = try context.fetch(
            FetchDescriptor<any Drawings.Part>(predicate: #Predicate { $0.id >= "2" })
        )
        #expect(parts.count == 1 && parts.first is Drawings.Text)
        let binder = try ModelContext(container).fetch(FetchDescriptor<Drawings.Binder>()).first
        #expect(binder?.cover?.title == "b")
    }
}
