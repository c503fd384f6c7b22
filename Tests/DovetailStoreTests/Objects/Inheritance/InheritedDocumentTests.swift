import Dovetail
import Foundation
import StoreTestSupport
import Testing

/// Documents of objects whose class inherits from another one.
struct InheritedDocumentTests {
    @Test func `an object of a subclass names its class, and is read as that`() throws {
        let truck = TankLorry("k", liquid: "milk", bay: 2)
        truck.note2 = 5
        truck.crates = [LorryCrate(3)]
        for format in [ModelFormat.json, .binaryPlist, .plist] {
            let data = try truck.encoded(as: format)
            let same = try TankLorry(decoding: data, as: format)
            #expect(same.plate == "k" && same.liquid == "milk" && same.load == 9 && same.bay == 2)
            #expect(same.note2 == 5 && same.name == "truck" && same.crates.map(\.weight) == [3])
            let error = #expect(throws: ModelDecodingError.self) {
                _ = try Vehicle(decoding: data, as: format)
            }
            #expect(error?.kind == .rejected && error?.expected.contains("Vehicle") == true)
        }
        let document = try ModelDocument(decoding: truck.encoded(as: .json), as: .json)
        #expect(document[key: "$type"]?.stringValue == "TankLorry")
        let plain = try ModelDocument(decoding: Vehicle("v").encoded(as: .json), as: .json)
        #expect(plain[key: "$type"] == nil)
        let missing = #expect(throws: ModelDecodingError.self) {
            _ = try Lorry(decoding: Data(#"{"plate":"x","name":"y","wheels":3}"#.utf8), as: .json)
        }
        #expect(missing?.kind == .missingField && missing?.path == "load")
    }

    @Test(arguments: StoreKind.allCases)
    func `a context reads an object as what its document says`(_ kind: StoreKind) throws {
        let context = ModelContext(try kind.container(TankLorry.self, Bicycle.self))
        let tank = TankLorry("k", liquid: "milk", bay: 2)
        tank.crates = [LorryCrate(3)]
        let all: [Vehicle] = [tank, Bicycle("b"), Vehicle("v")]
        let data = try all.encoded(as: .json)
        let read = try context.decode([Vehicle].self, from: data, as: .json)
        #expect(read.map { "\(type(of: $0))" } == ["TankLorry", "Bicycle", "Vehicle"])
        #expect((read[0] as? Lorry)?.crates.map(\.weight) == [3])
        try context.save()
        let again = try context.decode([Vehicle].self, from: data, as: .json)
        #expect(again[0] === read[0] && again[1] === read[1])
    }
}
