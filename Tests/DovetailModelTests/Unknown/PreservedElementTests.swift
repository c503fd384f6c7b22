import Dovetail
import Testing

/// Elements of unknown types, and those that are not as their types declare.
struct PreservedElementTests {
    private static let formats: [ModelFormat] = [.json, .plist, .binaryPlist]

    private func document(_ json: String) throws -> ModelDocument {
        try ModelDocument(decoding: Data(json.utf8), as: .json)
    }

    private func parts(_ json: String) throws -> [any Part] {
        try [any Part](decoding: Data(json.utf8), as: .json)
    }

    private func text(_ data: Data) -> String { String(decoding: data, as: UTF8.self) }

    /// Reads and writes `json` in every format and expects an equal document.
    private func expectKept<Value>(
        _ json: String,
        _ read: (Data, ModelFormat) throws -> Value,
        _ write: (Value, ModelFormat) throws -> Data,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        for format in Self.formats {
            let before = try document(json)
            let value = try read(try before.encoded(as: format), format)
            let after = try ModelDocument(decoding: write(value, format), as: format)
            #expect(after == before, sourceLocation: sourceLocation)
            let order = try after.encoded(as: .json) == before.encoded(as: .json)
            #expect(order, "\(after)", sourceLocation: sourceLocation)
        }
    }

    static let lists = [
        #"[{"kind":"Nut","name":"n"},{"kind":"Bolt","name":"b","size":2}]"#,
        #"[{"z":1,"kind":"Nut","a":{"b":[]}},{"was":"Nut"}]"#,
        #"[{"kind":"Bolt","name":5,"size":"x"},{"kind":"Bolt"}]"#,
        #"[{"name":"no type"},{},[],[{"kind":"Bolt"}],7,true,"s"]"#,
        #"[{"kind":3},{"kind":null},{"kind":[]}]"#,
        #"[{"kind":"Nut","parts":[{"kind":"Bolt","name":"b","size":1},{"kind":"X"}]}]"#,
        #"[{"kind":"Assembly","name":"a","parts":[{"kind":"X","y":1}],"main":{"kind":"Y"},"#
            + #""byName":{"k":{"kind":"Z"}},"moving":[{"kind":"Bolt","name":"b"}]}]"#,
        #"[{"kind":"Assembly","name":1,"parts":[{"kind":"X"}]}]"#,
        "[]",
    ]

    @Test(arguments: lists)
    func `is written back equal`(json: String) throws {
        try expectKept(
            json,
            { try [any Part](decoding: $0, as: $1) },
            { try $0.encoded(as: $1) }
        )
    }

    @Test(arguments: [
        #"{"t":"Nut","c":{"name":"n"},"x":1}"#, #"{"c":[1],"t":"Nut"}"#, #"{"t":"7","c":5}"#,
        #"{"c":1}"#, #"{"t":"Nut"}"#, "3",
    ])
    func `is kept beside its tag`(json: String) throws {
        try expectKept(
            json,
            { try BesidePartModel.decode($0, as: $1) },
            { try BesidePartModel.encode($0, as: $1) }
        )
    }

    @Test(arguments: [
        #"{"Nut":{"name":"n"}}"#, #"{"Nut":1,"Screw":2}"#, #"{"7":{"name":0}}"#, "{}", "[]",
    ])
    func `is kept inside its tag`(json: String) throws {
        try expectKept(
            json,
            { try AroundPartModel.decode($0, as: $1) },
            { try AroundPartModel.encode($0, as: $1) }
        )
    }

    @Test(arguments: [
        #"{"n":12,"name":"n"}"#, #"{"n":7}"#, #"{"n":"7","name":"n"}"#, #"{"n":7.5}"#,
    ])
    func `is kept beside numbers and closed lists`(json: String) throws {
        try expectKept(
            json,
            { try NumberedPartModel.decode($0, as: $1) },
            { try NumberedPartModel.encode($0, as: $1) }
        )
    }

    @Test
    func `numbers keep their text`() throws {
        let json = #"[{"kind":"Nut","a":1.50,"b":2e0,"c":123456789012345678901234567890,"d":-0}]"#
        #expect(text(try parts(json).encoded(as: .json)) == json)
    }

    @Test
    func `repeated members are kept`() throws {
        let json = #"[{"kind":"Nut","a":1,"a":2,"kind":"Bolt"}]"#
        #expect(text(try parts(json).encoded(as: .json)) == json)
    }

    @Test
    func `stands in every kind of property`() throws {
        let json = """
            {"id":1,"one":{"kind":"A","x":1},"maybe":{"kind":"Bolt"},"all":[{"kind":"B"},7],\
            "named":{"k":{"kind":"C"},"l":{"kind":"Bolt","name":"b","size":1}}}
            """
        try expectKept(json, { try Stock(decoding: $0, as: $1) }, { try $0.encoded(as: $1) })
        #expect(try Stock(json: #"{"id":1,"one":7,"maybe":null}"#).maybe == nil)
    }

    @Test
    func `is kept in rows`() async throws {
        let json = """
            {"id":1,"one":{"kind":"A","x":1.50},"maybe":{"kind":"Bolt"},\
            "all":[{"kind":"B"},7,{"kind":"Bolt","name":"b","size":1}],"named":{"k":{"kind":"C"}}}
            """
        let container = try ModelContainer(
            for: Stock.self,
            configurations: ModelConfiguration(isStoredInMemoryOnly: true)
        )
        let fetched = try await container.perform { context in
            context.insert(try Stock(json: json))
            try context.save()
            return try context.fetch(FetchDescriptor<Stock>()).map { try $0.json() }
        }
        #expect(fetched == [json])
    }

    @Test
    func `behaves as its protocol`() throws {
        let json = """
            [{"kind":"Nut","name":"n","weight":2e0,"grade":"good","parts":[{"kind":"Bolt",\
            "name":"b"}]},{"kind":"Nut","name":7,"weight":"x","grade":"?"}]
            """
        let parts = try parts(json)
        #expect(parts.map(\.name) == ["n", ""])
        #expect(parts.map(\.weight) == [2, nil])
        #expect(parts.map(\.grade) == [.good, .bad])
        #expect(parts[0].parts.map(\.name) == ["b"])
        #expect(parts[0].parts.first is Bolt)
        #expect(parts[0].label() == "part n")
        let moving = try MovingPartModel.decode(
            Data(#"{"kind":"Car","speed":3}"#.utf8),
            as: .json
        )
        #expect(moving.speed == 3)
        #expect(moving.name == "")
    }

    @Test
    func `says its type and why it was kept`() throws {
        let parts = try parts(
            #"[{"kind":"Nut"}, {"kind":"Bolt","name":5}, {"a":1}, {"was":["x"]}]"#
        )
        #expect(parts.map(PartModel.typeName) == ["Nut", "Bolt", "", "x"])
        let elements = parts.compactMap { ($0 as? any UnknownModel)?.preserved }
        #expect(elements.map(\.typeName) == ["Nut", "Bolt", nil, "x"])
        let errors = elements.compactMap { $0.error as? ModelDecodingError }
        #expect(errors.map(\.kind) == [.unknownType, .typeMismatch, .unknownType, .typeMismatch])
        #expect(errors[1].description == "name: expected String, found 5 (line 1, column 23)")
        #expect(elements[0].content == [:])
        #expect(elements[1].content == ["name": 5])
    }

    @Test
    func `becomes the type that is known later`() throws {
        let data = Data(#"[{"name":"n","n":7},{"n":8,"name":"n"}]"#.utf8)
        let older = try [any Part](decoding: data, as: .json)
        #expect(older.allSatisfy { $0 is UnknownPart })
        let newer = try [any NumberedPart](decoding: older.encoded(as: .json), as: .json)
        #expect(newer[0] as? Gear == Gear(name: "n"))
        #expect(newer[1] is UnknownNumberedPart)
    }

    @Test
    func `is compared by what it holds`() throws {
        let first = try parts(#"[{"kind":"Nut","a":1}]"#)[0] as? UnknownPart
        let same = try parts(#" [ {"a":1.0,"kind":"Nut"} ]"#)[0] as? UnknownPart
        let other = try parts(#"[{"kind":"Nut","a":2}]"#)[0] as? UnknownPart
        #expect(first != nil)
        #expect(first == same)
        #expect(first?.hashValue == same?.hashValue)
        #expect(first != other)
    }

    @Test
    func `names from outside are kept`() throws {
        let json = #"{"a":1.50,"action":"opened"}"#
        let part = try PartModel.decode(Data(json.utf8), as: .json, typeName: "Nut")
        #expect(PartModel.typeName(of: part) == "Nut")
        #expect(text(try PartModel.encodeContent(part, as: .json)) == json)
        #expect(
            text(try PartModel.encode(part, as: .json))
                == #"{"kind":"Nut","a":1.50,"action":"opened"}"#
        )
        let beside = try BesidePartModel.decode(Data("[1]".utf8), as: .json, typeName: "Nut")
        #expect(text(try BesidePartModel.encode(beside, as: .json)) == #"{"t":"Nut","c":[1]}"#)
        let around = try AroundPartModel.decode(Data("[1]".utf8), as: .json, typeName: "Nut")
        #expect(text(try AroundPartModel.encode(around, as: .json)) == #"{"Nut":[1]}"#)
        #expect(text(try AroundPartModel.encodeContent(around, as: .json)) == "[1]")
        let list = try PartModel.decode(Data("[1]".utf8), as: .json, typeName: "Nut")
        let error = try #require(throws: ModelEncodingError.self) {
            try PartModel.encode(list, as: .json)
        }
        #expect(error.kind == .noObject)
    }

    @Test
    func `is written in the form of the protocol it stands in`() throws {
        let numbered = try NumberedPartModel.decode(
            Data(#"{"n":12,"name":"n"}"#.utf8),
            as: .json
        )
        let parts: [any Part] = [numbered]
        #expect(text(try parts.encoded(as: .json)) == #"[{"kind":"12","name":"n"}]"#)
    }

    static let broken = [
        #"[{"kind":"Nut","x":[1,}]"#: "[0].x[1]: expected a value, found \"}\" (line 1, column 23)",
        #"[{"kind":"Nut"},{"kind":"Bolt","name":tru}]"#:
            "[1].name: expected a value, found tru (line 1, column 39)",
        #"[{"kind":"Assembly","name":"a","parts":[{"kind":"Assembly","parts":[{"kind" 1}]}]}]"#:
            "[0].parts[0].parts[0].kind: expected \":\", found 1 (line 1, column 77)",
        "[{\"kind\":\"Nut\"":
            "[0].kind: expected \",\" or \"}\", found end of input (line 1, column 15)",
        "[{\"kind\":\"Nut\",\n\"a\":01}]":
            "[0].a: expected a number without leading zeros, found 01 (line 2, column 5)",
    ]

    @Test(arguments: broken.keys.sorted())
    func `broken documents are errors`(json: String) throws {
        let error = try #require(throws: ModelDecodingError.self) { try parts(json) }
        #expect(error.description == Self.broken[json])
    }

    @Test
    func `depth is still limited`() throws {
        for count in [510, 511, 512, 600, 100_000] {
            let json =
                #"[{"kind":"Nut","a":"# + String(repeating: "[", count: count)
                + String(repeating: "]", count: count) + "}]"
            let parts = try? parts(json)
            #expect((parts == nil) == (count > 510), "\(count)")
            if let parts { #expect(text(try parts.encoded(as: .json)) == json) }
        }
    }

    @Test
    func `broken deep elements are read once`() throws {
        // Each level around the broken one would read all of it again.
        let levels = 500
        let open = #"{"kind":"Assembly","name":"a","main":"#
        let json =
            String(repeating: open, count: levels) + "[" + String(repeating: "1,", count: 200_000)
        let error = try #require(throws: ModelDecodingError.self) {
            try PartModel.decode(Data(json.utf8), as: .json)
        }
        #expect(error.kind == .unexpectedEnd)
        #expect(error.path.hasPrefix("main.main"))
    }
}
