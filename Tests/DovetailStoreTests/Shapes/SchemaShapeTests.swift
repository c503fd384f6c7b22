import Dovetail
import Foundation
import StoreTestSupport
import Testing

@Suite struct SchemaShapeTests {
    @Test func `schemas in every shape`() {
        let all: [any Model.Type] = [Shelf.self, Book.self, Loan.self]
        let schemas = [
            Schema([Shelf.self, Book.self, Loan.self]),
            Schema(all),
            Schema(Shelf.self, Book.self, Loan.self),
            Schema([Shelf.self, Book.self, Loan.self], version: Schema.Version(1, 0, 0)),
            Schema(Shelf.self, Book.self, Loan.self, version: .init(1, 0, 0)),
        ]
        for schema in schemas {
            #expect(schema == schemas[0] && schema.hashValue == schemas[0].hashValue)
            #expect(schema.entities.map(\.name) == ["Shelf", "Book", "Loan"])
        }
        let newest = Schema(versionedSchema: LatestLibrary.self)
        #expect(newest.version == Schema.Version(2, 0, 0) && newest != schemas[0])
        #expect(newest == Schema(LatestLibrary.models, version: LatestLibrary.versionIdentifier))
        #expect(Schema().entities.isEmpty && Schema([]).entities.isEmpty)
        #expect(newest.encodingVersion == Schema.Version(1, 0, 0))
    }

    @Test func `versions are compared, printed and coded`() throws {
        let sorted = [
            Schema.Version(0, 9, 9), .init(1, 0, 0), .init(1, 0, 2), .init(1, 2, 0),
            .init(1, 10, 0),
            .init(2, 0, 0),
        ]
        #expect(sorted.reversed().sorted() == sorted)
        #expect(sorted.map { "\($0)" } == ["0.9.9", "1.0.0", "1.0.2", "1.2.0", "1.10.0", "2.0.0"])
        #expect(Set(sorted + sorted).count == 6)
        let coded = try JSONDecoder().decode(
            [Schema.Version].self,
            from: try JSONEncoder().encode(sorted)
        )
        #expect(coded == sorted)
        #expect(sorted[4].major == 1 && sorted[4].minor == 10 && sorted[4].patch == 0)
    }

    @Test func `entities describe models as SwiftData does`() throws {
        let schema = Schema(versionedSchema: LibraryV2.self)
        let book = try #require(schema.entitiesByName["Book"])
        #expect(Schema.entityName(for: LibraryV1.Book.self) == "Book")
        #expect(book == schema.entity(for: Book.self) && schema.entity(for: Pet.self) == nil)
        #expect(book.attributes.map(\.name) == ["id", "title", "year", "shelfID"])
        #expect(book.attributesByName["title"]?.originalName == "label")
        #expect(book.attributesByName["year"]?.valueType == Int?.self)
        #expect(book.attributes.map(\.isOptional) == [false, false, true, false])
        #expect(book.uniquenessConstraints == [["title", "year"]])
        #expect(book.indices == [["title"], ["year", "title"]])
        let shelf = try #require(book.relationshipsByName["shelfID"])
        #expect(shelf.destination == "Shelf" && shelf.deleteRule == .cascade)
        #expect(shelf.isToOneRelationship && !shelf.isOptional && shelf.inverseName == nil)
        #expect(shelf.keypath == \Book.shelfID && shelf.inverseKeyPath == nil)
        let properties = book.storedProperties
        #expect(properties.map(\.name) == ["id", "title", "year", "shelfID"])
        #expect(properties.map(\.isRelationship) == [false, false, false, true])
        #expect(properties.allSatisfy { $0.isAttribute != $0.isRelationship && !$0.isTransient })
        #expect(book.storedPropertiesByName["year"]?.isOptional == true)
        let names = try #require(schema.entitiesByName["Shelf"])
        #expect(names.uniquenessConstraints == [["name"]])
        #expect(names.attributesByName["name"]?.options == [.unique])
        #expect(names.attributesByName["name"]?.isUnique == true)
        #expect(names.attributes[0].options.map(\.description) == ["primaryKey"])
        let loan = try #require(schema.entity(for: Loan.self))
        #expect(loan.attributes[0].options == [.primaryKey, .generated])
        #expect(loan.relationships.map(\.destination) == ["Book", "Loan"])
        #expect(Set(schema.entities).count == 3 && Set(loan.relationships).count == 2)
    }

    /// What stores were written against.
    @Test func `an entity has what its binding has`() throws {
        let schema = Schema([Shelf.self, Book.self])
        #expect(schema.entities.map(\.table) == ["Shelf", "Book"])
        #expect(schema.entities.map(\.description) == schema.bindings.map(\.description))
        #expect(
            schema.entities.map { ObjectIdentifier($0.type) } == [
                ObjectIdentifier(Shelf.self), ObjectIdentifier(Book.self),
            ]
        )
        #expect(
            schema.entities[1].attributes.map(\.columnType) == [
                .integer, .text, .integer, .integer,
            ]
        )
        #expect(schema.entities[1].keyColumns == [0])
        #expect(try schema.entity(Book.self).table == schema.entities[1].binding.table)
    }

    @Test func `a type that is no model is refused by its name`() throws {
        enum Odd: VersionedSchema {
            static let versionIdentifier = Schema.Version(1, 0, 0)
            static var models: [Any.Type] { [Pet.self, Int.self] }
        }
        let schema = Schema(versionedSchema: Odd.self)
        #expect(schema.entities.map(\.name) == ["Pet"])
        let error = #expect(throws: StoreError.self) { try schema.validate() }
        #expect(error?.kind == .invalidSchema && error?.description.contains("Int") == true)
        #expect(throws: StoreError.self) {
            try ModelContainer(for: schema, configurations: MemoryConfiguration())
        }
    }

    @Test func `stages of every form are in the plan, and none is run`() throws {
        #expect(LibraryPlan.stages.count == 3 && EmptyPlan.stages.isEmpty)
        #expect(ClassPlan.schemas.map { $0.versionIdentifier.major } == [1])
        #expect(
            LibraryPlan.schemas.map { $0.versionIdentifier } == [.init(1, 0, 0), .init(2, 0, 0)]
        )
        guard case .lightweight(let from, let to) = LibraryPlan.stages[0] else {
            Issue.record("another stage")
            return
        }
        #expect(from.versionIdentifier < to.versionIdentifier)
        // What they are given works.
        let old = ModelContext(try .inMemory(LibraryV1.Book.self))
        old.insert(LibraryV1.Book(id: 1, title: ""))
        try old.save()
        let willMigrate = code(of: LibraryPlan.stages[1]).will
        try willMigrate?(old)
        #expect(try old.fetchCount(FetchDescriptor<LibraryV1.Book>()) == 0)
        let new = ModelContext(try .inMemory(Loan.self))
        let didMigrate = code(of: LibraryPlan.stages[2]).did
        try didMigrate?(new)
        let given = LibraryPlan.stages.map { stage in
            let (will, did) = code(of: stage)
            return [will != nil, did != nil]
        }
        #expect(given == [[false, false], [true, false], [false, true]])
    }

    private typealias Code = @Sendable (ModelContext) throws -> Void

    private func code(of stage: MigrationStage) -> (will: Code?, did: Code?) {
        switch stage {
        case .lightweight: (nil, nil)
        case .custom(_, _, let willMigrate, let didMigrate): (willMigrate, didMigrate)
        }
    }

    @Test func `an older file is refused and left as it is`() throws {
        let folder = try TemporaryFolder()
        let configuration = ModelConfiguration(url: folder.file())
        do {
            let context = ModelContext(
                try ModelContainer(
                    for: Schema(versionedSchema: LibraryV1.self),
                    configurations: configuration
                )
            )
            context.insert(LibraryV1.Book(id: 1, title: "Emma"))
            try context.save()
        }
        let error = #expect(throws: StoreError.self) {
            try ModelContainer(
                for: Schema(versionedSchema: LibraryV2.self),
                migrationPlan: LibraryPlan.self,
                configurations: [configuration]
            )
        }
        #expect(error?.kind == .invalidSchema)
        #expect(try RawDatabase(configuration.url).value("SELECT title FROM Book") == "Emma")
    }
}
