import Dovetail
import Foundation
import StoreTestSupport
import Testing

/// Subclasses that have the initializers of their superclass.
struct InheritedInitializerTests {
    private func context(_ kind: StoreKind) throws -> ModelContext {
        ModelContext(try kind.container([Moped.self, TowLorry.self]))
    }

    @Test(arguments: StoreKind.allCases)
    func `objects are made with them, and read with all that they have`(_ kind: StoreKind) throws {
        let context = try context(kind)
        let (plain, numbered, own) = (Moped("a", name: "first"), Moped(from: 7), Moped(gears: 5))
        let tow = TowLorry("t", load: 2, bay: 4)
        plain.colour = "red"
        plain.lamps = [MopedLamp(1), MopedLamp(2)]
        numbered.owner = VehicleOwner("Ann")
        tow.length = 9
        tow.tows = plain
        tow.crates = [LorryCrate(1)]
        for object in [plain, numbered, own, tow] as [Vehicle] { context.insert(object) }
        try context.save()
        let other = ModelContext(context.container)
        let mopeds = try other.fetch(
            FetchDescriptor<Moped>(sortBy: [SortDescriptor(\.plate)])
        )
        #expect(mopeds.map(\.plate) == ["5", "7", "a"])
        #expect(
            mopeds.map(\.gears) == [5, 3, 3] && mopeds.map(\.kind).allSatisfy { $0 == "moped" }
        )
        #expect(mopeds.map(\.name) == ["", "", "first"] && mopeds.map(\.wheels) == [4, 4, 4])
        #expect(mopeds.map(\.colour) == [nil, nil, "red"])
        #expect(mopeds[2].lamps.map(\.watts) == [1, 2] && mopeds[1].owner?.name == "Ann")
        let found = try #require(try other.fetch(FetchDescriptor<TowLorry>()).first)
        #expect(found.length == 9 && found.load == 2 && found.bay == 4 && found.name == "truck")
        #expect(found.tows === mopeds[2] && found.crates.map(\.weight) == [1])
        // A commit of another context is taken over.
        mopeds[2].gears = 6
        mopeds[2].name = "other"
        try other.save()
        context.processPendingChanges()
        #expect(plain.gears == 6 && plain.name == "other" && plain.lamps.count == 2)
        plain.gears = 1
        context.rollback()
        #expect(plain.gears == 6)
        let loose = #Predicate<Vehicle> { (($0 as? Moped)?.gears ?? 0) > 4 }
        #expect(
            try context.fetch(FetchDescriptor(predicate: loose, sortBy: [SortDescriptor(\.plate)]))
                .map(\.plate) == ["5", "a"]
        )
    }

    @Test func `a document has all of it`() throws {
        let moped = Moped(gears: 5)
        moped.lamps = [MopedLamp(2)]
        let data = try moped.encoded(as: .json)
        let text = String(decoding: data, as: UTF8.self)
        #expect(text.contains(#""$type":"Moped""#) && text.contains(#""gears":5"#))
        let again = try Moped(decoding: data, as: .json)
        #expect(again.plate == "5" && again.gears == 5 && again.lamps.map(\.watts) == [2])
        let context = try context(.memory)
        let merged = try context.decode(Vehicle.self, from: data, as: .json)
        #expect(merged is Moped && (merged as? Moped)?.gears == 5)
        let error = #expect(throws: ModelDecodingError.self) {
            try Moped(decoding: Data(#"{"$type":"Moped","plate":"1"}"#.utf8), as: .json)
        }
        #expect(error.map { "\($0)" }?.contains("name") == true)
        #expect(throws: ModelDecodingError.self) {
            try Moped(decoding: Data(#"{"plate":"1","name":"","gears":"x"}"#.utf8), as: .json)
        }
    }
}
