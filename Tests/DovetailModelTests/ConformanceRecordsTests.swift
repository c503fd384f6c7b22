import Dovetail
import Testing

@testable import DovetailModel

/// What is read of the Swift runtime's memory is checked before it is used.
struct ConformanceRecordsTests {
    @Test(arguments: [0, 2, 6, 1 << 40] as [UInt])
    func `sections of another version are an error`(version: UInt) {
        #expect {
            try ConformanceRecords.Section(version: version, start: 4096, length: 8)
        } throws: { error in
            "\(error)"
                == "conformers cannot be found, as the Swift runtime has sections of version "
                + "\(version); list them with @ModelProtocol(conformers:)"
        }
    }

    @Test(arguments: [(4096, 7), (4097, 8), (4096, -4)] as [(UInt, Int)])
    func `records of another size are an error`(start: UInt, length: Int) {
        #expect(throws: ConformanceRecords.UnknownLayout.self) {
            try ConformanceRecords.Section(version: 5, start: start, length: length)
        }
    }

    @Test
    func `an empty section may begin anywhere`() throws {
        let section = try ConformanceRecords.Section(version: 5, start: 4097, length: 0)
        #expect(ConformanceRecords.types(in: section, conformingTo: try model).isEmpty)
    }

    @Test(
        arguments: [
            Int.self, Any.self, (any CustomStringConvertible & Error).self, [any Error].self,
        ] as [Any.Type]
    )
    func `what is no existential of one protocol is an error`(type: Any.Type) {
        #expect(throws: ConformanceRecords.UnknownLayout.self) {
            try ConformanceRecords.descriptor(ofProtocolIn: type)
        }
    }

    @Test
    func `this runtime is known`() throws {
        #expect(ModelRegistry.failure == nil)
        #expect(try ConformanceRecords.sections().count == ConformanceRecords.imageCount)
    }

    @Test
    func `structs, enums and classes are found and generic types are not`() throws {
        let model = try model
        let found = try ConformanceRecords.sections().flatMap {
            ConformanceRecords.types(in: $0, conformingTo: model)
        }
        let names = found.map { String(reflecting: $0) }
        #expect(Set(names).count == names.count)
        for name in ["Struct", "Struct.Enum", "Object"] {
            #expect(names.contains("DovetailModelTests.Found\(name)"))
        }
        #expect(!names.contains { $0.contains("FoundGeneric") })
    }

    private var model: UnsafeRawPointer {
        get throws { try ConformanceRecords.descriptor(ofProtocolIn: (any Model).self) }
    }
}

@Model struct FoundStruct {
    var x = 0
    @Model enum Enum { case one }
}
@Model final class FoundObject {
    var x = 0
    init() {}
}
@Model struct FoundGeneric<Value: ModelValue> {
    var value: Value
}
