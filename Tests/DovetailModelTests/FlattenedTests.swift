import Dovetail
import DovetailTesting
import Testing

@Model(flattenable: true)
private struct Head: Equatable {
    var name: String
    var opacity = 1.0
    @Attribute(.omittedWhenEmpty) var tags: [String]
    @Attribute(name: "the note", aliases: ["remark"]) var note: String?
}

@Model
private struct Layer: Equatable {
    var id: Int
    @Attribute(.flattened) var head: Head
    var text: String?
}

@Model(flattenable: true, naming: .snakeCase)
private struct Frame: Equatable {
    @Attribute(.flattened) var head: Head?
    @Attribute(.flattened, prefix: "alt") var other: Head?
    var lineWidth = 2
    let kind = "frame"
}

@Model(naming: .kebabCase, unknownFields: .preserve)
private struct Sheet: Equatable {
    @Attribute(.flattened, prefix: "page_") var frame: Frame?
    @Attribute(name: "meta.pageCount") var pageCount: Int?
    @Attribute(.flattened) var head: Head?
    var lastPage = 1
}

@Model
private struct Quantity: Equatable { var value: Double; var unit: String? }

@Model(flattenable: true)
private enum Value: Equatable {
    case string(String), quantity(Quantity), list([Int])
    @Attribute(name: "bool", aliases: ["truth"]) case boolean(Bool)
}

@Model
private struct Observation: Equatable {
    var code: String
    @Attribute(.flattened, prefix: "value") var value: Value?
    @Attribute(.flattened, prefix: "default") var fallback: Value = .standard
}

extension Value {
    fileprivate static var standard: Value { .boolean(false) }
}

@Model
private struct Required: Equatable {
    @Attribute(.flattened, prefix: "is") var value: Value
    var x = 0
}

@Model(unknownFields: .throw)
private struct StrictFlat: Equatable {
    @Attribute(.flattened) var head: Head
}

@Model(version: 2)
private struct Versioned: Equatable {
    @Attribute(.flattened) var head: Head
    var size: Int

    static func migrate(_ document: inout ModelDocument, from version: Int) throws {
        document.rename("title", to: "name")
    }
}

@Model(flattenable: true)
private struct Hooked: Equatable, ModelLifecycle {
    var low: Int
    var high: Int
    var isRead = false

    mutating func didDecode() throws {
        if low > high { throw Refusal() }
        isRead = true
    }

    mutating func willEncode() throws { isRead = false }
}

private struct Refusal: Error {}

@Model
private struct Limited: Equatable { @Attribute(.flattened, prefix: "limit-") var limits: Hooked }

@Model(flattenable: true)
private struct Crate<Content: ModelValue & Equatable>: Equatable {
    var content: Content
    @Attribute(.flattened) var head: Head?
}

@Model
private struct Crates<Content: ModelValue & Equatable>: Equatable {
    @Attribute(.flattened) var box: Crate<Content>
    @Attribute(.flattened, prefix: "second") var second: Crate<Content>?
}

private enum Flat {
    struct Part: Codable, Equatable { var x = 1 }
    @Model(flattenable: true) struct Inner: Equatable {
        var part: Part
        var count: Int?
        init(_ part: Part) { self.part = part }
    }
    @Model struct Whole: Equatable { @Attribute(.flattened) var inner: Inner? }
}

@Model(managed: false)
private final class FlatObject {
    @Attribute(.flattened) var head: Head
    var x = 1
    init(_ head: Head) { self.head = head }
}

@ModelProtocol
private protocol Outline { var name: String { get } }

@Model
private struct Disc: Outline, Equatable {
    @Attribute(.flattened) var head: Head
    var radius: Double
    var name: String { head.name }
}

@Model
private struct Tile: Outline, Equatable {
    var side: Double
    @Attribute(.flattened) var head: Head
    var name: String { head.name }
}

@Model
private struct Clash {
    var name: String
    @Attribute(.flattened) var head: Head
}

@Model
private struct DeepClash {
    @Attribute(.flattened) var head: Head
    @Attribute(.flattened) var frame: Frame
}

@Model(flattenable: true)
private enum CaseClash { case string(Int); @Attribute(name: "String") case text(String) }

@Model
private struct PrefixClash { @Attribute(.flattened, prefix: "v") var value: CaseClash }

/// Models whose fields are among those of another one.
struct FlattenedTests {
    private let head = Head(name: "n", opacity: 0.5, tags: ["a"], note: "x")

    private func bytes(_ json: String) -> Data { Data(json.utf8) }

    @Test(arguments: [ModelFormat.json, .plist, .binaryPlist])
    func `an optional of which all fields are null is nil`(format: ModelFormat) throws {
        func frame(_ json: String) throws -> Frame {
            let document = try ModelDocument(decoding: Data(json.utf8), as: .json)
            let read = try Frame(document)
            #expect(try Frame(decoding: document.encoded(as: format), as: format) == read)
            #expect(try Frame(decoding: Data(json.utf8), as: .json) == read)
            return read
        }
        #expect(try frame(#"{"name":null,"opacity":null}"#).head == nil)
        #expect(try frame(#"{"altName":null,"altTags":null}"#).other == nil)
        #expect(try frame(#"{"name":"a","the note":null}"#).head == Head(name: "a", tags: []))
        for json in [#"{"name":null,"tags":["a"]}"#, #"{"tags":["a"],"name":null}"#] {
            let error = try #require(throws: ModelDecodingError.self) { try frame(json) }
            #expect(error.path == "name" && error.found == "null")
        }
        let repeated = try #require(throws: ModelDecodingError.self) {
            try Frame(decoding: Data(#"{"name":"a","name":null}"#.utf8), as: .json)
        }
        #expect(repeated.path == "name")
    }

    @Test(arguments: [ModelFormat.json, .plist, .binaryPlist])
    func `null is no case of an enum`(format: ModelFormat) throws {
        func observation(_ fields: String) throws -> Observation {
            let json = "{\"code\":\"a\",\(fields)}"
            let document = try ModelDocument(decoding: Data(json.utf8), as: .json)
            let read = try Observation(document)
            #expect(try Observation(decoding: document.encoded(as: format), as: format) == read)
            #expect(try Observation(decoding: Data(json.utf8), as: .json) == read)
            return read
        }
        #expect(try observation(#""valueString":null,"valueTruth":null"#).value == nil)
        let list = try observation(#""valueString":null,"valueList":[1],"valueQuantity":null"#)
        #expect(list.value == .list([1]) && list.fallback == .standard)
        let fallback = try observation(#""defaultString":null,"defaultList":[]"#)
        #expect(fallback.fallback == .list([]))
        #expect(try observation(#""defaultList":null"#).fallback == .standard)
        let required = #"{"isString":null}"#
        #expect(throws: ModelDecodingError.self) {
            try Required(decoding: Data(required.utf8), as: .json)
        }
    }

    @Test
    func `fields are written where the property stands and read in any order`() throws {
        let layer = Layer(id: 1, head: head, text: "t")
        let json = #"{"id":1,"name":"n","opacity":0.5,"tags":["a"],"the note":"x","text":"t"}"#
        #expect(try layer.json() == json)
        #expect(try Layer(json: json) == layer)
        let shuffled =
            #"{"remark":"x","tags":["a"],"new":[{}],"text":"t","name":"n","id":1,"opacity":0.5}"#
        #expect(try Layer(json: shuffled) == layer)
        #expect(try Layer(json: #"{"na\u006de":"m","id":2}"#).head == Head(name: "m", tags: []))
    }

    @Test
    func `every format brings back the same, one and many`() throws {
        let page = Sheet(
            frame: Frame(head: nil, other: head, lineWidth: 3),
            pageCount: nil,
            head: Head(name: "own", tags: []),
            lastPage: 4
        )
        var read = 0
        for format in [ModelFormat.json, .plist, .binaryPlist] {
            #expect(try Sheet(decoding: page.encoded(as: format), as: format) == page)
            for count in [0, 1, 1000] {
                let pages = Array(repeating: page, count: count)
                #expect(try [Sheet](decoding: pages.encoded(as: format), as: format) == pages)
                read += 1
            }
        }
        #expect(read == 9)
        #expect(try Sheet(ModelDocument(page)) == page)
    }

    @Test
    func `a model is read and written alone as well`() throws {
        #expect(try head.json() == #"{"name":"n","opacity":0.5,"tags":["a"],"the note":"x"}"#)
        #expect(try Head(json: #"{"$version":1,"x":[],"name":"n"}"#) == Head(name: "n", tags: []))
        let frame = Frame(head: head, other: nil)
        #expect(try Frame(json: frame.json()) == frame)
        #expect(try Value.string("x").json() == #"{"string":"x"}"#)
        #expect(try Value(json: #"{"truth":true}"#) == .boolean(true))
    }

    @Test
    func `all laws hold`() throws {
        try checkModel(Layer(id: 1, head: head, text: "t"))
        try checkModel(StrictFlat(head: head))
        try checkModel(
            Sheet(frame: Frame(head: head, other: head), pageCount: 1, head: head, lastPage: 2)
        )
        try checkModel(Sheet(frame: nil, pageCount: nil, head: nil, lastPage: 1))
        try checkModel(Observation(code: "c", value: .quantity(Quantity(value: 1, unit: "m"))))
        try checkModel(Required(value: .list([1, 2])))
        try checkModel(Value.quantity(Quantity(value: 1)))
        try checkModel(Crates(box: Crate(content: 1, head: head), second: Crate(content: 2)))
        try checkModels([Disc(head: head, radius: 1), Tile(side: 2, head: head)] as [any Outline])
    }

    @Test
    func `the naming of the outer changes nothing inside, and prefixes go together`() throws {
        let page = Sheet(
            frame: Frame(head: Head(name: "a", tags: []), other: Head(name: "b", tags: [])),
            pageCount: 3,
            head: nil
        )
        #expect(
            try page.json()
                == #"{"page_name":"a","page_opacity":1,"page_altName":"b","page_altOpacity":1,"#
                + #""page_line_width":2,"page_kind":"frame","meta":{"pageCount":3},"last-page":1}"#
        )
        #expect(try Sheet(json: page.json()) == page)
    }

    @Test
    func `fields that nobody declares are the outer's`() throws {
        let json = #"{"x":1,"name":"n","page_x":2,"page_altName":"b","meta":{"y":3},"Name":4}"#
        let page = try Sheet(json: json)
        #expect(page.unknownFields.members.map(\.key) == ["x", "page_x", "meta", "Name"])
        #expect(try ModelDocument(Sheet(json: page.json())) == ModelDocument(page))
        let error = #expect(throws: ModelDecodingError.self) {
            try StrictFlat(json: #"{"name":"n","size":1}"#)
        }
        #expect(error?.kind == .unknownField && error?.path == "size")
    }

    @Test
    func `an optional is nil where no field has a value`() throws {
        #expect(try Sheet(json: "{}").frame == nil)
        #expect(try Sheet(json: #"{"the note":null,"tags":[]}"#).head == nil)
        #expect(try Sheet(json: #"{"page_kind":"frame"}"#).frame == Frame(head: nil, other: nil))
        #expect(try Sheet(json: #"{"page_the note":"n","page_name":"a"}"#).frame?.head?.note == "n")
        let error = #expect(throws: ModelDecodingError.self) {
            try Sheet(json: #"{"page_altOpacity":1}"#)
        }
        #expect(
            error?.description
                == "page_altName: expected a value, found no such field (line 1, column 1)"
        )
    }

    @Test
    func `an enum is one field`() throws {
        let observation = Observation(code: "c", value: .string("x"))
        let json = #"{"code":"c","valueString":"x","defaultBool":false}"#
        #expect(try observation.json() == json)
        #expect(try Observation(json: json) == observation)
        #expect(try Observation(json: #"{"code":"c"}"#) == Observation(code: "c", value: nil))
        #expect(try Observation(json: #"{"valueTruth":true,"code":"c"}"#).value == .boolean(true))
        let second = #expect(throws: ModelDecodingError.self) {
            try Observation(json: #"{"valueString":"x","code":"c","valueList":[]}"#)
        }
        #expect(second?.kind == .unknownCase)
        #expect(second?.found == #""valueList" as well"#)
        let missing = #expect(throws: ModelDecodingError.self) { try Required(json: #"{"x":1}"#) }
        #expect(missing?.kind == .missingField)
        #expect(missing?.expected == #"one of "isString", "isQuantity", "isList", "isBool""#)
    }

    @Test(arguments: [ModelFormat.json, .plist, .binaryPlist])
    func `errors have the path that documents have`(format: ModelFormat) throws {
        func failure(_ document: ModelDocument) throws -> ModelDecodingError? {
            let data = try document.encoded(as: format)
            return #expect(throws: ModelDecodingError.self) {
                try [Sheet](decoding: data, as: format)
            }
        }
        let wrong = try failure([["page_altOpacity": "x"]])
        #expect(wrong?.path == "[0].page_altOpacity" && wrong?.kind == .typeMismatch)
        let missing = try failure([["page_name": "n"], ["tags": ["x"]]])
        #expect(missing?.path == "[1].name" && missing?.kind == .missingField)
        let inner = try failure([["name": "n", "tags": ["a", 1]]])
        #expect(inner?.path == "[0].tags[1]" && inner?.kind == .typeMismatch)
    }

    @Test
    func `a field that is there twice is refused`() throws {
        for json in [#"{"id":1,"name":"a","name":"b"}"#, #"{"id":1,"the note":"a","remark":"b"}"#] {
            let error = #expect(throws: ModelDecodingError.self) { try Layer(json: json) }
            #expect(error?.kind == .repeatedField)
        }
    }

    @Test
    func `an older document of the outer is migrated`() throws {
        let read = try Versioned(json: #"{"size":1,"title":"old"}"#)
        #expect(read == Versioned(head: Head(name: "old", tags: []), size: 1))
        #expect(try read.json() == #"{"$version":2,"name":"old","opacity":1,"size":1}"#)
        #expect(try Versioned(json: read.json()) == read)
    }

    @Test
    func `hooks of a flattened model are called`() throws {
        let range = try Limited(json: #"{"limit-high":2,"limit-low":1}"#)
        #expect(range.limits == Hooked(low: 1, high: 2, isRead: true))
        #expect(try range.json() == #"{"limit-low":1,"limit-high":2,"limit-isRead":false}"#)
        let error = #expect(throws: ModelDecodingError.self) {
            try Limited(json: #"{"limit-high":0,"limit-low":1}"#)
        }
        #expect(error?.kind == .rejected)
    }

    @Test
    func `generic, nested and class models`() throws {
        let boxes = Crates(box: Crate(content: "a", head: head), second: Crate(content: "b"))
        #expect(try Crates<String>(json: boxes.json()) == boxes)
        #expect(try Crates<Int>(json: #"{"content":1}"#) == Crates(box: Crate(content: 1)))
        let whole = try Flat.Whole(json: #"{"part":{"x":3}}"#)
        #expect(whole.inner?.part.x == 3)
        #expect(try whole.json() == #"{"part":{"x":3}}"#)
        #expect(try Flat.Whole(json: "{}").inner == nil)
        #expect(try FlatObject(json: #"{"x":2,"name":"n"}"#).head == Head(name: "n", tags: []))
        #expect(
            try FlatObject(head).json()
                == #"{"name":"n","opacity":0.5,"tags":["a"],"the note":"x","x":1}"#
        )
    }

    @Test
    func `conformers of a protocol have flattened models`() throws {
        let json =
            #"[{"$type":"Disc","name":"c","opacity":1,"radius":2},"#
            + #"{"side":1,"name":"s","$type":"Tile"}]"#
        let shapes = try [any Outline](decoding: bytes(json), as: .json)
        #expect(shapes.map(\.name) == ["c", "s"])
    }

    @Test
    func `two fields of one name are an error that names both`() throws {
        let read = #expect(throws: ModelDecodingError.self) { try Clash(json: #"{"name":"n"}"#) }
        #expect(read?.found == #""name" in Clash as name and as head.name"#)
        #expect(read?.kind == .rejected)
        let written = #expect(throws: ModelEncodingError.self) {
            try Clash(name: "n", head: head).json()
        }
        #expect(
            written?.explanation
                == #"two fields have one name: "name" in Clash as name and as head.name"#
        )
        let deep = #expect(throws: ModelDecodingError.self) { try DeepClash(json: "{}") }
        #expect(deep?.found == #""name" in DeepClash as head.name and as frame.head.name"#)
        let prefixed = #expect(throws: ModelDecodingError.self) { try PrefixClash(json: "{}") }
        #expect(prefixed?.found == #""vString" in PrefixClash as value.string and as value.text"#)
    }
}

@Model(flattenable: true)
private struct Tagged: Equatable {
    @Attribute(.constant) let format = "v1"
    let maker = "us"
    var x: Int?
}

@Model
private struct Package: Equatable { @Attribute(.flattened, prefix: "the") var tagged: Tagged? }

/// Constants of flattened models.
struct FlattenedConstantTests {
    @Test
    func `are written, compared and show that there is a value`() throws {
        let package = Package(tagged: Tagged(x: nil))
        #expect(try package.json() == #"{"theFormat":"v1","theMaker":"us"}"#)
        #expect(try Package(json: package.json()) == package)
        #expect(try Package(json: #"{"theMaker":"them"}"#) == package)
        #expect(try Package(json: "{}").tagged == nil)
        let error = #expect(throws: ModelDecodingError.self) {
            try Package(json: #"{"theFormat":"v2","theX":1}"#)
        }
        #expect(error?.path == "theFormat" && error?.kind == .rejected)
        #expect(try Tagged(json: #"{"x":1}"#) == Tagged(x: 1))
    }
}
