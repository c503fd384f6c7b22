import Dovetail
import DovetailTesting
import Testing

@ModelProtocol(typeKey: "meta.kind") protocol PathShape {}
@Model(typeName: "circle") struct PathCircle: PathShape, Equatable { var radius: Int }
@Model(typeName: "square", unknownFields: .preserve)
struct PathSquare: PathShape, Equatable { var side: Int }
@Model(typeName: "line") struct PathLine: PathShape, Equatable {
    var length: Int
    @Attribute(name: "meta.at") var at: Int
}
@Model(typeName: "dot", unknownFields: .throw) struct PathDot: PathShape, Equatable {
    @Attribute(name: "meta.kind") var kind = "dot"
    @Attribute(name: "meta.at") var at: Int?
}
@Model(typeName: "gap", unknownFields: .throw) struct PathGap: PathShape {
    @Attribute(name: "meta.at") var at: Int
}

@ModelProtocol(typeKey: "v", default: FirstVersion.self, tagKind: .scalar) protocol AnyVersion {}
@Model(typeName: "1") struct FirstVersion: AnyVersion, Equatable { var a: Int }
@Model(typeName: "1.5") struct Fraction: AnyVersion, Equatable { var a: Int }
@Model(typeName: "true") struct Truth: AnyVersion, Equatable { var a: Int }
@Model(typeName: "beta") struct Beta: AnyVersion, Equatable { var a: Int }

/// Type keys that are a path, of any scalar kind, or absent.
struct TypeKeyFormTests {
    @Model struct Holder: Identifiable {
        var id: Int
        var shapes: [any PathShape]
        var versions: [any AnyVersion] = []
    }

    static let json =
        #"{"id":1,"shapes":[{"meta":{"kind":"circle"},"radius":1},"#
        + #"{"side":2,"meta":{"kind":"square","unit":"m"}},{"meta":{"kind":"square"},"side":3},"#
        + #"{"length":4,"meta":{"kind":"line","at":5}},{"meta":{"kind":"dot","at":6}}],"#
        + #""versions":[{"v":1,"a":1},{"v":1.5,"a":2},{"v":true,"a":3},{"v":"beta","a":4}]}"#

    @Test(arguments: [ModelFormat.json, .plist, .binaryPlist, .cbor])
    func `what is written is read`(format: ModelFormat) throws {
        let holder = try Holder(decoding: Data(Self.json.utf8), as: .json)
        #expect(holder.shapes[0] as? PathCircle == PathCircle(radius: 1))
        #expect((holder.shapes[1] as? PathSquare)?.unknownFields["meta"]?["unit"] == "m")
        #expect(holder.shapes[2] as? PathSquare == PathSquare(side: 3))
        #expect(holder.shapes[3] as? PathLine == PathLine(length: 4, at: 5))
        #expect(holder.versions[1] as? Fraction == Fraction(a: 2))
        #expect(try holder.encoded(as: .json) == Data(Self.json.utf8))
        let again = try Holder(decoding: holder.encoded(as: format), as: format)
        #expect(try again.encoded(as: .json) == Data(Self.json.utf8))
        #expect(try Holder(ModelDocument(again)).encoded(as: .json) == Data(Self.json.utf8))
        try checkModel(again, changes: 2_000)
    }

    @Test
    func `rows hold them`() throws {
        let container = try ModelContainer(
            for: Holder.self,
            configurations: ModelConfiguration(isStoredInMemoryOnly: true)
        )
        let context = ModelContext(container)
        context.insert(try Holder(decoding: Data(Self.json.utf8), as: .json))
        try context.save()
        let stored = try context.fetch(FetchDescriptor<Holder>())
        #expect(try stored[0].encoded(as: .json) == Data(Self.json.utf8))
    }

    @Test
    func `a scalar is read from a string too, and an absent tag is the default`() throws {
        let json = #"[{"a":1},{"v":null,"a":1},{"a":1,"v":"1"},{"v":1.0,"a":1},{"v":1e0,"a":1}]"#
        let versions = try [any AnyVersion](decoding: Data(json.utf8), as: .json)
        #expect(versions.compactMap { $0 as? FirstVersion }.count == 5)
        let others = #"[{"v":"1.5","a":1},{"v":1.50,"a":1},{"v":"true","a":1}]"#
        let read = try [any AnyVersion](decoding: Data(others.utf8), as: .json)
        #expect(read[0] is Fraction && read[1] is Fraction && read[2] is Truth)
        for format in [ModelFormat.plist, .binaryPlist] {
            let absent = try ModelDocument.object([.init(key: "a", value: 7)]).encoded(as: format)
            let value = try AnyVersionModel.decode(absent, as: format)
            #expect(value as? FirstVersion == FirstVersion(a: 7))
        }
        #expect(try AnyVersionModel.decode(["a": 7]) as? FirstVersion == FirstVersion(a: 7))
    }

    @Test(
        arguments: [
            (#"{"meta":{"x":1},"radius":2}"#, "", "object without \"meta.kind\""),
            (#"{"meta":null,"radius":2}"#, "", "object without \"meta.kind\""),
            (#"{"radius":2}"#, "", "object without \"meta.kind\""),
            (#"{"meta":1,"radius":2}"#, "meta", "1"),
            (#"{"meta":{"kind":1},"radius":2}"#, "meta.kind", "1"),
            (#"{"meta":{"kind":"oval"},"radius":2}"#, "", "type \"oval\""),
            (#"{"meta":{"kind":"circle"},"radius":"x"}"#, "radius", "\"x\""),
            (#"{"meta":{"kind":"circle"},"meta":{},"radius":1}"#, "meta", "\"meta\" again"),
        ]
    )
    func `errors know their place`(json: String, path: String, found: String) throws {
        let error = try #require(throws: ModelDecodingError.self) {
            try PathShapeModel.decode(Data(json.utf8), as: .json)
        }
        #expect(error.path == path)
        #expect(error.found == found)
    }

    @Test
    func `a name that could not be read again is not written`() throws {
        let wrong = try #require(throws: ModelEncodingError.self) {
            try PathShapeModel.encode(PathDot(kind: "circle", at: nil), as: .json)
        }
        #expect(wrong.kind == .typeKeyConflict)
        let gap = try #require(throws: ModelEncodingError.self) {
            try PathShapeModel.encode(PathGap(at: 1), as: .json)
        }
        #expect(gap.kind == .notRepresentable)
    }
}
