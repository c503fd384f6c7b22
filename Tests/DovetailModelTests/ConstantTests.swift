import Dovetail
import Testing

@ModelProtocol(typeKey: "type") private protocol Notice {}
@Model(typeName: "push") private struct Push: Notice, Equatable {
    let type: String = "push"
    var ref: String
}
@Model private struct Checked: Equatable, Identifiable {
    var id: Int
    @Attribute(.constant) let version = 3
    @Attribute(.constant, name: "meta.kind") let kind: String = "full"
    let extra: [Int] = [1, 2]
}
@Model(unknownFields: .throw) private struct Strict { let a = 1; var b: Int }
@Model(unknownFields: .preserve) private struct Keeping { let a = 1; var b: Int }
@Model private final class Counter { let kind = "counter"; var x: Int; init() { x = 0 } }

/// A `let` with a value is written, and passed over where it is read.
struct ConstantTests {
    @Test(arguments: [ModelFormat.json, .plist, .binaryPlist])
    func comesBackFromEveryFormat(format: ModelFormat) throws {
        let value = Checked(id: 1)
        #expect(try Checked(decoding: value.encoded(as: format), as: format) == value)
    }

    @Test
    func isWritten() throws {
        let text = String(decoding: try Checked(id: 1).encoded(as: .json), as: UTF8.self)
        #expect(text == #"{"id":1,"version":3,"meta":{"kind":"full"},"extra":[1,2]}"#)
        let push = try NoticeModel.encode(Push(ref: "main"), as: .json)
        #expect(String(decoding: push, as: UTF8.self) == #"{"type":"push","ref":"main"}"#)
        #expect(try NoticeModel.decode(push, as: .json) as? Push == Push(ref: "main"))
        let counter = try Counter(decoding: Data(#"{"kind":"?","x":2}"#.utf8), as: .json)
        #expect(String(decoding: try counter.encoded(as: .json), as: UTF8.self)
            == #"{"kind":"counter","x":2}"#)
    }

    @Test
    func isPassedOver() throws {
        let other = #"{"type":"push","ref":"r"}"#
        #expect(try Push(decoding: Data(other.utf8), as: .json).type == "push")
        #expect(try Checked(decoding: Data(#"{"id":1,"extra":"?"}"#.utf8), as: .json).id == 1)
        #expect(try Strict(decoding: Data(#"{"a":7,"b":2}"#.utf8), as: .json).b == 2)
        let kept = try Keeping(decoding: Data(#"{"a":7,"b":2,"c":3}"#.utf8), as: .json)
        #expect(String(decoding: try kept.encoded(as: .json), as: UTF8.self)
            == #"{"a":1,"b":2,"c":3}"#)
    }

    @Test(
        arguments: [
            (#"{"id":1,"version":4}"#, "version", "the constant 3", "4"),
            (#"{"id":1,"meta":{"kind":"part"}}"#, "meta.kind", "the constant full", "part"),
        ]
    )
    func anotherValueIsAnError(
        json: String,
        path: String,
        expected: String,
        found: String
    ) throws {
        let error = try #require(throws: ModelDecodingError.self) {
            try Checked(decoding: Data(json.utf8), as: .json)
        }
        #expect(error.reason == .rejected && error.path == path)
        #expect(error.expected == expected && error.found == found)
        #expect(error.line == 1)
    }

    @Test
    func isAColumn() throws {
        #expect(Checked.modelAttributes.map(\.name) == ["id", "version", "meta.kind", "extra"])
        let container = try ModelContainer(
            for: Checked.self,
            configurations: ModelConfiguration(isStoredInMemoryOnly: true)
        )
        let context = ModelContext(container)
        context.insert(Checked(id: 5))
        try context.save()
        #expect(try context.fetch(FetchDescriptor<Checked>()) == [Checked(id: 5)])
        let found = FetchDescriptor<Checked>(predicate: #Predicate { $0.version == 3 })
        #expect(try context.fetch(found).count == 1)
    }
}
