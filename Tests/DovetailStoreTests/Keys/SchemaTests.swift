import Dovetail
import StoreTestSupport
import Testing

enum First {
    @Model
    struct Twin: Identifiable, Sendable { let id: Int }
}

enum Second {
    @Model
    struct Twin: Identifiable, Sendable { let id: Int }
}

@Model(typeName: "tWIN")
struct OddTwin: Identifiable, Sendable { let id: Int }

@Model
struct Keyless: Sendable { var name: String }

@Model
struct CaseClash: Identifiable, Sendable {
    let id: Int
    var url: String
    var URL: String
}

@Model
struct MaybeKey: Identifiable, Sendable {
    let id: Int?
    var name: String
}

@Model(typeName: "table \"x\"; DROP TABLE y; -- '%s")
struct Nasty: Identifiable, Equatable, Sendable {
    @Attribute(name: "rowid") let id: Int
    @Attribute(name: "; --") var a: String
    @Attribute(name: "'quoted'") var b: Int
    @Attribute(name: "größe 😀") var c: Double
    @Attribute(name: "group") var d: Bool
    @Attribute(name: "[x]`y`") var e: String?
    @Attribute(name: "?1") var f: Int
}

@Suite struct SchemaTests {
    static let refused: [([any Model.Type], table: String, column: String?)] = [
        ([Keyless.self], "Keyless", nil),
        ([Species.self], "Species", nil),
        ([CaseClash.self], "CaseClash", "URL"),
        ([MaybeKey.self], "MaybeKey", "id"),
        ([First.Twin.self, Second.Twin.self], "Twin", nil),
        ([First.Twin.self, OddTwin.self], "tWIN", nil),
    ]

    @Test(arguments: refused.indices)
    func `models that cannot be stored are refused before a file is made`(index: Int) throws {
        let (models, table, column) = Self.refused[index]
        let folder = try TemporaryFolder()
        let error = #expect(throws: StoreError.self) {
            try ModelContainer(for: models, configuration: ModelConfiguration(url: folder.file()))
        }
        #expect(error?.kind == .invalidSchema)
        #expect(error?.table == table)
        #expect(error?.column == column)
        #expect(error?.description.contains(table) == true)
        #expect(!FileManager.default.fileExists(atPath: folder.file().path))
    }

    @Test(arguments: refused.indices)
    func `a schema describes what its validation refuses`(index: Int) throws {
        let (models, table, column) = Self.refused[index]
        let schema = Schema(models)
        #expect(schema.entities.count == models.count)
        #expect(try schema.entity(models[0]).table == models[0].typeName)
        let error = #expect(throws: StoreError.self) { try schema.validate() }
        #expect(error?.kind == .invalidSchema)
        #expect(error?.table == table)
        #expect(error?.column == column)
    }

    @Test func `two models of one name are both named`() throws {
        let error = #expect(throws: StoreError.self) {
            try ModelContainer.inMemory(First.Twin.self, Second.Twin.self)
        }
        for name in ["First.Twin", "Second.Twin", "typeName"] {
            #expect(error?.explanation.contains(name) == true)
        }
    }

    @Test func `a model that is given twice counts once`() throws {
        let container = try ModelContainer.inMemory(Pet.self, Seat.self, Pet.self)
        #expect(container.schema.entities.map(\.table) == ["Pet", "Seat"])
    }

    @Test func `names of every shape`() throws {
        let folder = try TemporaryFolder()
        let context = ModelContext(try .file(folder.file(), Nasty.self))
        let values = (1...3).map {
            Nasty(id: $0, a: "a\($0)", b: $0, c: Double($0), d: $0 == 2, e: nil, f: -$0)
        }
        context.insert(contentsOf: values)
        try context.save()
        context.upsert(values)
        context.update(values)
        try context.save()
        let found = FetchDescriptor<Nasty>(
            predicate: #Predicate { $0.a == "a2" && $0.c > 1.5 && $0.d && $0.e == nil && $0.f < 0 },
            sortBy: [SortDescriptor(\.b), SortDescriptor(\.c, order: .reverse)]
        )
        #expect(try context.fetch(found) == [values[1]])
        context.delete(values)
        try context.save()
        #expect(try context.fetchCount(FetchDescriptor<Nasty>()) == 0)
        _ = try ModelContainer.file(folder.file(), Nasty.self)
    }

    @Test func `attributes in the order of their declaration`() throws {
        let entity = EntityBinding(Visit.self)
        #expect(entity.attributes.map(\.name) == ["day", "note", "place", "owner"])
        #expect(entity.keyColumns == [0, 2, 3])
        #expect(entity.column(of: \Visit.place) == 2)
        #expect(entity.column(of: \Pet.name) == nil)
        #expect(EntityBinding(Product.self).column(of: \Product.id) == 1)
        let stock = EntityBinding(StockItem.self).attributes.map(\.name)
        #expect(stock == ["article_number", "unit_price"])
    }
}
