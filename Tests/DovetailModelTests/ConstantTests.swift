import Dovetail
import Testing

@ModelProtocol(typeKey: "type") private protocol ConstantNotice {}
@Model(typeName: "push") private struct ConstantPush: ConstantNotice, Equatable {
    let type: String = "push"
    var ref: String
}
@Model private struct ConstantRecord: Equatable, Identifiable {
    var id: Int
    @Attribute(.constant) let version = 3
    @Attribute(.constant, name: "meta.kind") let kind: String = "full"
    let extra: [Int] = [1, 2]
}
@Model(unknownFields: .throw) private struct StrictConstant { let a = 1; var b: Int }
@Model(unknownFields: .preserve) private struct KeepingConstant { let a = 1; var b: Int }
@Model private final class ConstantCounter { let kind = "counter"; var x: Int; init() { x = 0 } }

/// A `let` with a value is written, and passed over where it is read.
struct ConstantTests {
    @Test(arguments: [ModelFormat.json, .plist, .binaryPlist])
    func `a constant comes back from every format`(format: ModelFormat) throws {
        let value = ConstantRecord(id: 1)
        #expect(try ConstantRecord(decoding: value.encoded(as: format), as: format) == value)
    }

    @Test
    func `a constant is written`() throws {
        let text = String(decoding: try ConstantRecord(id: 1).encoded(as: .json), as: UTF8.self)
        #expect(text == #"{"id":1,"version":3,"meta":{"kind":"full"},"extra":[1,2]}"#)
        let push = try ConstantNoticeModel.encode(ConstantPush(ref: "main"), as: .json)
        #expect(String(decoding: push, as: UTF8.self) == #"{"type":"push","ref":"main"}"#)
        #expect(
            try ConstantNoticeModel.decode(push, as: .json) as? ConstantPush
                == ConstantPush(ref: "main")
        )
        let counter = try ConstantCounter(decoding: Data(#"{"kind":"?","x":2}"#.utf8), as: .json)
        #expect(
            String(decoding: try counter.encoded(as: .json), as: UTF8.self)
                == #"{"kind":"counter","x":2}"#
        )
    }

    @Test
    func `a constant is passed over`() throws {
        let other = #"{"type":"push","ref":"r"}"#
        #expect(try ConstantPush(decoding: Data(other.utf8), as: .json).type == "push")
        #expect(
            try ConstantRecord(decoding: Data(#"{"id":1,"extra":"?"}"#.utf8), as: .json).id == 1
        )
        #expect(try StrictConstant(decoding: Data(#"{"a":7,"b":2}"#.utf8), as: .json).b == 2)
        let kept = try KeepingConstant(decoding: Data(#"{"a":7,"b":2,"c":3}"#.utf8), as: .json)
        #expect(
            String(decoding: try kept.encoded(as: .json), as: UTF8.self)
                == #"{"a":1,"b":2,"c":3}"#
        )
    }

    @Test(
        arguments: [
            (#"{"id":1,"version":4}"#, "version", "the constant 3", "4"),
            (#"{"id":1,"meta":{"kind":"part"}}"#, "meta.kind", "the constant full", "part"),
        ]
    )
    func `another value than the constant is an error`(
        json: String,
        path: String,
        expected: String,
        found: String
    ) throws {
        let error = try #require(throws: ModelDecodingError.self) {
            try ConstantRecord(decoding: Data(json.utf8), as: .json)
        }
        #expect(error.kind == .rejected && error.path == path)
        #expect(error.expected == expected && error.found == found)
        #expect(error.line == 1)
    }

    @Test
    func `a constant is a column`() throws {
        #expect(
            ConstantRecord.modelAttributes.map(\.name) == ["id", "version", "meta.kind", "extra"]
        )
        let container = try ModelContainer(
            for: ConstantRecord.self,
            configurations: ModelConfiguration(isStoredInMemoryOnly: true)
        )
        let context = ModelContext(container)
        context.insert(ConstantRecord(id: 5))
        try context.save()
        #expect(try context.fetch(FetchDescriptor<ConstantRecord>()) == [ConstantRecord(id: 5)])
        let found = FetchDescriptor<ConstantRecord>(predicate: #Predicate { $0.version == 3 })
        #expect(try context.fetch(found).count == 1)
    }
}
