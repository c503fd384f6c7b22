import Dovetail
import Foundation

// A program as people write it for SwiftData: versions that hold their models, a plan, and the newest
// models under short names. Only the models are values.

enum LibraryV1: VersionedSchema {
    static var versionIdentifier: Schema.Version { .init(1, 0, 0) }
    static var models: [any Model.Type] { [Book.self] }

    @Model struct Book: Identifiable {
        var id: Int
        var title: String
    }
}

struct LibraryV2: VersionedSchema {
    static let versionIdentifier = Schema.Version(2, 0, 0)
    static let models: [any Model.Type] = [Shelf.self, Book.self, Loan.self]
}

extension LibraryV2 {
    @Model struct Shelf: Identifiable, Hashable, Sendable {
        var id: Int
        @Attribute(.unique) var name: String
    }

    @Model struct Book: Identifiable, Hashable, Sendable {
        #Unique<Book>([\.title, \.year])
        #Index<Book>([\.title], [\.year, \.title])

        var id: Int
        @Attribute(name: "label") var title: String
        var year: Int?
        @Attribute(.references(Shelf.self, deleteRule: .cascade)) var shelfID: Int
    }

    @Model struct Loan: Identifiable, Sendable {
        @Attribute(.primaryKey, .generated) var id: Int64?
        @Attribute(.references(Book.self)) var bookID: Int
        @Attribute(.references(Loan.self)) var renewed: Int64?
    }
}

typealias LatestLibrary = LibraryV2
typealias Book = LatestLibrary.Book
typealias Shelf = LatestLibrary.Shelf
typealias Loan = LatestLibrary.Loan

/// Stages of all forms.
enum LibraryPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [LibraryV1.self, LibraryV2.self] }
    static var stages: [MigrationStage] { [plain, closures, Self.byFunctions()] }

    static let plain = MigrationStage.lightweight(
        fromVersion: LibraryV1.self,
        toVersion: LibraryV2.self
    )

    static let closures = MigrationStage.custom(
        fromVersion: LibraryV1.self,
        toVersion: LibraryV2.self,
        willMigrate: { context in
            let old = try context.fetch(FetchDescriptor<LibraryV1.Book>())
            for book in old where book.title.isEmpty { context.delete(book) }
            try context.save()
        },
        didMigrate: nil
    )

    static func byFunctions() -> MigrationStage {
        .custom(
            fromVersion: LibraryV1.self,
            toVersion: LibraryV2.self,
            willMigrate: nil,
            didMigrate: didMigrate
        )
    }

    private static func didMigrate(_ context: ModelContext) throws {
        try context.delete(model: LibraryV2.Loan.self)
        try context.save()
    }
}

/// A plan without stages.
struct EmptyPlan: SchemaMigrationPlan {
    static let schemas: [any VersionedSchema.Type] = [LibraryV2.self]
    static let stages: [MigrationStage] = []
}

final class ClassPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [LibraryV1.self] }
    static var stages: [MigrationStage] { [] }
}
