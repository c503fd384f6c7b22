import Dovetail
import Foundation
import StoreTestSupport
import Testing

@Model final class ComicBox {
    @Attribute(.primaryKey) var id: Int
    @Relationship(inverse: \PrintedBook.box) var books: [PrintedBook] = []

    init(_ id: Int) { self.id = id }
}

@Model class PrintedBook {
    @Attribute(.primaryKey) var id: Int
    var title: String
    var box: ComicBox?

    init(_ id: Int, _ title: String) {
        self.id = id
        self.title = title
    }
}

@Model final class PrintedComic: PrintedBook {
    var pages = 0

    init(_ id: Int, _ title: String, pages: Int) {
        super.init(id, title)
        self.pages = pages
    }
}

/// Documents of classes that share a table.
@Suite struct SubclassDocumentTests {
    /// New ones with a declared key ended the program, where the document said nothing of their relationships.
    @Test(arguments: StoreKind.allCases)
    func `documents bring new objects of subclasses, several before a save`(
        _ kind: StoreKind
    ) throws {
        let container = try kind.following([ComicBox.self, PrintedBook.self, PrintedComic.self])
        let context = ModelContext(container)
        let data = Data(#"[{"id":1,"title":"read"}]"#.utf8)
        #expect(try context.decode([PrintedBook].self, from: data, as: .json).count == 1)
        func take(_ document: String) throws {
            try context.synchronize([PrintedComic].self, from: Data(document.utf8), as: .json)
        }
        try take(#"[{"id":7,"title":"a","pages":1},{"id":8,"title":"b","pages":2}]"#)
        try take(#"[{"id":7,"title":"a","pages":5},{"id":8,"title":"c","pages":2}]"#)
        try context.save()
        try take(#"[{"id":8,"title":"d","pages":9},{"id":7,"title":"a","pages":5}]"#)
        try take(#"[{"id":8,"title":"d","pages":9},{"id":7,"title":"e","pages":6}]"#)
        try context.save()
        let fresh = ModelContext(container)
        let comics = try fresh.fetch(FetchDescriptor<PrintedComic>()).sorted { $0.id < $1.id }
        #expect(comics.map { "\($0.id) \($0.title) \($0.pages)" } == ["7 e 6", "8 d 9"])
        #expect(try fresh.fetchCount(FetchDescriptor<PrintedBook>()) == 3)
        #expect(try fresh.localChanges(of: PrintedComic.self).isEmpty)
    }
}
