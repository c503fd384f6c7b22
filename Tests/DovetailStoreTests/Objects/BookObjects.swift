import Dovetail
import StoreTestSupport

/// What tests of many-to-many relationships are about: books with tags, whose readers are friends.
@Model final class TaggedBook {
    var title: String
    var tags: [BookTag] = []
    @Relationship(deleteRule: .cascade, inverse: \BookNote.books) var notes: [BookNote] = []
    @Relationship(deleteRule: .deny, inverse: \BookReader.books) var readers: [BookReader] = []

    init(_ title: String, tags: [BookTag] = []) {
        self.title = title
        self.tags = tags
    }
}

@Model final class BookTag {
    @Attribute(.primaryKey) var name: String
    @Relationship(deleteRule: .noAction) var books: [TaggedBook] = []

    init(_ name: String) { self.name = name }
}

@Model final class BookNote {
    var text: String
    var books: [TaggedBook] = []

    init(_ text: String) { self.text = text }
}

@Model final class BookReader {
    var name: String
    var books: [TaggedBook]? = []
    @Relationship(inverse: .itself) var friends: [BookReader] = []
    var teachers: [ReaderMentor] = []

    init(_ name: String) { self.name = name }
}

/// Who leads to others of the class, in two directions.
@Model final class ReaderMentor {
    var name: String
    var pupils: [ReaderMentor] = []
    var mentors: [ReaderMentor] = []
    var readers: [BookReader] = []

    init(_ name: String) { self.name = name }
}

extension StoreKind {
    func books() throws -> ModelContainer { try container(TaggedBook.self) }
}
