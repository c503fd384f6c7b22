import Dovetail
import StoreTestSupport
import Testing

@Model(unknownFields: .throw) struct Tenant: Identifiable, Equatable {
    let id: Int
    @Attribute(name: "address.city") var city: String?
    @Attribute(name: "address.geo.lat") var latitude: Double?
    @Attribute(name: "address.geo.long") var longitude: Double = 0
    @Attribute(aliases: ["nick_name"]) var nick: String?
}

@Model(unknownFields: .preserve) struct Keeper: Identifiable, Equatable {
    let id: Int
    var name: String
    @Attribute(name: "place.town") var town: String?
}

@Model(unknownFields: .preserve) struct Dweller: Identifiable, Equatable {
    let id: Int
    @Attribute(name: "home.room.door") var door: String?
    @Attribute(name: "home.room.key") var key: Int??
    @Attribute(name: "home.floor") var floor: Int
}

/// Patches of what lies inside of other objects, and beside what is declared.
@Suite struct PatchPathTests {
    private func patch<Value>(_ text: String, _ type: Value.Type) throws -> Patch<Value> {
        try Patch(decoding: Data(text.utf8), as: .json)
    }

    private let full = Tenant(id: 1, city: "Ulm", latitude: 48, longitude: 10, nick: "t")

    @Test(arguments: StoreKind.allCases)
    func `what a patch clears leaves no object around nothing`(_ kind: StoreKind) throws {
        let old = Dweller(id: 1, door: "d", key: .none, floor: 2)
        let new = Dweller(id: 1, door: nil, key: .none, floor: 2)
        let context = ModelContext(try kind.container(Dweller.self))
        try context.store([old])
        let patch = try Patch(from: old, to: new)
        #expect(try patch.applied(to: old) == new)
        try context.apply(patch, to: 1)
        try context.save()
        #expect(try context.fetch(Dweller.self, id: 1) == new)
        #expect(try context.plan([new]).isEmpty)
        // Null is a value of the other one.
        let known = try self.patch(#"{"home":{"room":{"key":null}}}"#, Dweller.self)
        #expect(try known.applied(to: new).key == .some(nil))
    }

    @Test(arguments: StoreKind.allCases)
    func `null in the place of an object clears what is inside`(_ kind: StoreKind) throws {
        let context = ModelContext(try kind.container(Tenant.self))
        try context.store([full])
        try context.apply(patch(#"{"address":{"geo":null}}"#, Tenant.self), to: 1)
        var wanted = full
        (wanted.latitude, wanted.longitude) = (nil, 0)
        #expect(try context.fetch(Tenant.self, id: 1) == wanted)
        try context.apply(patch(#"{"address":null}"#, Tenant.self), to: 1)
        wanted.city = nil
        try context.save()
        #expect(try context.fetch(Tenant.self, id: 1) == wanted)
        try context.apply(patch(#"{"address":{"geo":{"lat":1}}}"#, Tenant.self), to: 1)
        wanted.latitude = 1
        #expect(try context.fetch(Tenant.self, id: 1) == wanted)
    }

    @Test(arguments: [
        (#"{"address":5}"#, "address", ModelDecodingError.Kind.typeMismatch),
        (#"{"address":[]}"#, "address", .typeMismatch),
        (#"{"address":{"geo":"x"}}"#, "address.geo", .typeMismatch),
        (#"{"address":{"city":"a","city":"b"}}"#, "address.city", .repeatedField),
        (#"{"address":{"nope":1}}"#, "address.nope", .unknownField),
        (#"{"nick_name":"q"}"#, "nick_name", .rejected),
    ])
    func `what stands where it cannot is refused with its path`(
        _ text: String,
        _ path: String,
        _ kind: ModelDecodingError.Kind
    ) throws {
        let context = ModelContext(try .inMemory(Tenant.self))
        try context.store([full])
        let error = #expect(throws: ModelDecodingError.self, "\(text)") {
            try context.apply(patch(text, Tenant.self), to: 1)
        }
        #expect(error?.path == path && error?.kind == kind, "\(text): \(String(describing: error))")
        #expect(!context.hasChanges)
    }

    @Test(arguments: StoreKind.allCases)
    func `fields that are not declared are changed by their own names`(_ kind: StoreKind) throws {
        func keeper(_ text: String) throws -> Keeper {
            try Keeper(decoding: Data(text.utf8), as: .json)
        }
        let context = ModelContext(try kind.container(Keeper.self))
        let old = try keeper(
            #"{"id":1,"name":"a","x":{"y":1},"z":[1],"same":true,"place":{"town":"u","e":1,"f":2}}"#
        )
        let new = try keeper(
            #"{"id":1,"name":"a","x":{"y":2},"same":true,"more":0,"place":{"town":"v","f":2}}"#
        )
        try context.store([old])
        let patch = try Patch(from: old, to: new)
        #expect(
            String(decoding: try patch.encoded(as: .json), as: UTF8.self)
                == #"{"place":{"town":"v","e":null},"x":{"y":2},"more":0,"z":null}"#
        )
        try context.apply(patch, to: 1)
        try context.save()
        #expect(try context.fetch(Keeper.self, id: 1) == new)
        #expect(try ModelDocument(patch.applied(to: old)) == ModelDocument(new))
        #expect(try patch.applied(to: old) == new)
    }
}
