import Dovetail
import StoreTestSupport
import Testing

@Model struct PetName: Equatable, Sendable {
    var age: Int?
    var name: String
}

/// Other names than those of the columns, which are the ones in documents.
@Model struct PetCard: Equatable, Sendable {
    @Attribute(name: "name") var title: String
    @Attribute(name: "kind") var species: String
}

@Model struct GrownPet: Equatable, Sendable { var age: Int }
@Model struct WrongPet { var weight: String }
@Model struct UnknownPet { var name: String; var color: String? }
@Model struct TransformedPet {
    @Attribute(.transformed(by: AsString<Int>.self)) var name: Int
}

private enum InHex: ModelTransform {
    static func decode(_ value: String) throws -> Int { Int(value, radix: 16) ?? 0 }
    static func encode(_ value: Int) throws -> String { String(value, radix: 16) }
}

private enum InOctal: ModelTransform {
    static func decode(_ value: String) throws -> Int { Int(value, radix: 8) ?? 0 }
    static func encode(_ value: Int) throws -> String { String(value, radix: 8) }
}

@Model private struct HexPart: Identifiable, Sendable {
    let id: Int
    @Attribute(.transformed(by: InHex.self)) var code: Int
}
@Model private struct HexCode { @Attribute(.transformed(by: InHex.self)) var code: Int }
@Model private struct OctalCode { @Attribute(.transformed(by: InOctal.self)) var code: Int }
@Model private struct OctalPlace: Sendable {
    @Attribute(.primaryKey, .transformed(by: InOctal.self)) var code: Int
}
@Model private struct HexPlace: Sendable {
    @Attribute(.primaryKey, .transformed(by: InHex.self)) var code: Int
}

/// Some columns of a model as values of another one.
@Suite struct ProjectionTests {
    private func context(_ kind: StoreKind) throws -> ModelContext {
        let context = ModelContext(try kind.container(Pet.self))
        context.insert(contentsOf: Pet.four)
        try context.save()
        return context
    }

    private static let byName = [SortDescriptor(\Pet.name, comparator: .lexical)]

    @Test(arguments: StoreKind.allCases)
    func `properties are filled from the columns with their names`(kind: StoreKind) throws {
        let context = try context(kind)
        var dogs = FetchDescriptor<Pet>(
            predicate: #Predicate { $0.species == .dog },
            sortBy: Self.byName
        )
        #expect(
            try context.fetch(dogs, as: PetName.self)
                == [PetName(age: 3, name: "Rex"), PetName(age: 0, name: "max \"the\" 2nd")]
        )
        #expect(
            try context.fetch(dogs, as: PetCard.self).map { [$0.title, $0.species] }
                == [["Rex", "dog"], ["max \"the\" 2nd", "dog"]]
        )
        (dogs.fetchLimit, dogs.fetchOffset) = (1, 1)
        #expect(try context.fetch(dogs, as: GrownPet.self) == [GrownPet(age: 0)])
        dogs.fetchOffset = 2
        #expect(try context.fetch(dogs, as: GrownPet.self).isEmpty)
    }

    @Test(arguments: StoreKind.allCases)
    func `what waits to be saved is seen, and waits on`(kind: StoreKind) throws {
        let context = try context(kind)
        context.insert(Pet(9, "Ann", age: 1))
        context.delete(Pet.four[0])
        try context.update(Pet.self, where: #Predicate { $0.id == 2 }) { try $0.set(\.name, "Zoe") }
        let all = FetchDescriptor<Pet>(sortBy: Self.byName)
        #expect(
            try context.fetch(all, as: PetName.self).map(\.name)
                == ["Ann", "Bubbles", "Zoe", "max \"the\" 2nd"]
        )
        context.rollback()
        #expect(try context.fetch(all, as: PetName.self).count == 4)
    }

    @Test(arguments: StoreKind.allCases)
    func `a column that is missing or of another kind is an error that names it`(
        kind: StoreKind
    ) throws {
        let context = try context(kind)
        let all = FetchDescriptor<Pet>()
        for (model, word) in [
            (WrongPet.self, "weight"), (UnknownPet.self, "color"), (TransformedPet.self, "name"),
        ] as [(any Model.Type, String)] {
            let error = #expect(throws: QueryError.self) { try context.fetch(all, as: model) }
            #expect(error?.description.contains("\(model).\(word)") == true)
        }
        let error = #expect(throws: ModelDecodingError.self) {
            try context.fetch(all, as: GrownPet.self)
        }
        #expect(error?.path == "age")
    }

    @Test(arguments: StoreKind.allCases)
    func `columns of two transforms are neither read as each other nor joined`(
        kind: StoreKind
    ) throws {
        let context = ModelContext(
            try kind.container(HexPart.self, OctalPlace.self, HexPlace.self)
        )
        context.insert(HexPart(id: 1, code: 8))
        context.insert(contentsOf: [OctalPlace(code: 8), OctalPlace(code: 6)])
        context.insert(HexPlace(code: 8))
        try context.save()
        let all = FetchDescriptor<HexPart>()
        #expect(try context.fetch(all, as: HexCode.self).map(\.code) == [8])
        #expect {
            try context.fetch(all, as: OctalCode.self)
        } throws: {
            "\($0)".contains("another transform")
        }
        let places = try context.fetch(HexPart.self, joining: \.code, to: HexPlace.self)
        #expect(places.map { $1.code } == [8])
        #expect {
            try context.fetch(HexPart.self, joining: \.code, to: OctalPlace.self)
        } throws: {
            "\($0)".contains("another transform")
        }
    }

    @Test func `no other column is read`() throws {
        let folder = try TemporaryFolder()
        let log = StatementLog()
        var configuration = ModelConfiguration(url: folder.file())
        configuration.trace = log.trace()
        let container = try ModelContainer(for: Pet.self, configurations: configuration)
        let some = FetchDescriptor<Pet>(predicate: #Predicate { $0.id > 1 })
        _ = try ModelContext(container).fetch(some, as: PetName.self)
        #expect(log.take().last?.sql == #"SELECT "age", "name" FROM "Pet" WHERE ("id" > ?1)"#)
    }
}
